package main

import (
	"bytes"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"example.com/watchglass/fakeapi"
)

// An identity is the certificate of one run. It is signed with its own key: a client that trusts it
// trusts this process and nothing else. The key is never written anywhere.
type identity struct {
	certificate tls.Certificate
	pem         []byte // the certificate alone
	file        string // where pem is for clients to read; see write
	temporary   bool   // file is removed at the end
}

// newIdentity makes a certificate for an address and for the names of this machine, and writes it:
// see write.
func newIdentity(addr net.Addr, file string) (*identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	names, ips := identities(addr)
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "fakeapi"},
		NotBefore:   time.Now().Add(-time.Hour), // clocks of clients may be behind
		NotAfter:    time.Now().AddDate(1, 0, 0),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    names, IPAddresses: ips,

		IsCA: true, BasicConstraintsValid: true, // some clients accept only an authority as a root
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	id := &identity{certificate: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
	return id, id.write(file)
}

// identities returns the names and addresses by which clients may reach the server: it may listen
// on all addresses of this machine.
func identities(addr net.Addr) (names []string, ips []net.IP) {
	names = []string{"localhost"}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	ips = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, addr.(*net.TCPAddr).IP}
	all, _ := net.InterfaceAddrs() // after an error there are none: clients have to use loopback
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok {
			ips = append(ips, ip.IP)
		}
	}
	return names, ips
}

// certificateMark begins every file that -ca-out names. Readers of PEM skip lines
// that are not between BEGIN and END.
const certificateMark = "# Written by fakeapi/serve, which overwrites it.\n"

// write writes the certificate to a file, so that clients can trust it: to the file of this name,
// which stays, or without a name to a temporary file, which forget removes.
func (id *identity) write(name string) error {
	if name == "" {
		f, err := os.CreateTemp("", "fakeapi-ca-*.pem")
		if err != nil {
			return fmt.Errorf("create a file for the certificate: %w", err)
		}
		_ = f.Close() // nothing was written
		name, id.temporary = f.Name(), true
	}
	id.file = name
	content := append([]byte(certificateMark), id.pem...)
	if err := writeOwn(name, certificateMark, content, 0o644); err != nil {
		id.forget()
		return fmt.Errorf("-ca-out: %w", err)
	}
	return nil
}

// forget removes the certificate's file, if it is temporary. A nil identity has no file.
func (id *identity) forget() {
	if id != nil && id.temporary {
		_ = os.Remove(id.file)
	}
}

// serve serves on a listener until the server is shut down: HTTPS, or plain HTTP for a nil
// identity.
func (id *identity) serve(server *fakeapi.Server, l net.Listener) error {
	if id == nil {
		return server.Serve(l)
	}
	return server.ServeTLS(l, id.certificate)
}

// kubeconfigMark begins every kubeconfig that is written here.
const kubeconfigMark = `{"kind": "Config", "apiVersion": "v1",
 "extensions": [{"name": "fakeapi/serve", "extension": {"overwritten": "by every run"}}],
`

// kubeconfigText is the rest, without the cluster and the user: the file in which kubectl and
// client libraries find a server. It is JSON, which readers of YAML accept.
const kubeconfigText = ` "current-context": "fakeapi",
 "contexts": [{"name": "fakeapi",
   "context": {"cluster": "fakeapi", "user": "fakeapi", "namespace": "default"}}],
 "clusters": [{"name": "fakeapi", "cluster": %s}],
 "users": [{"name": "fakeapi", "user": %s}]}
`

// writeKubeconfig writes a kubeconfig for a server. It holds the certificate itself, so that it
// depends on no other file. It stays when the server ends.
func writeKubeconfig(name, url string, id *identity, token string) error {
	cluster, user := map[string]any{"server": url}, map[string]string{}
	if id == nil {
		cluster["insecure-skip-tls-verify"] = true // or the JavaScript client refuses plain HTTP
	} else {
		cluster["certificate-authority-data"] = id.pem // base64 in JSON
		// kubectl asks for a user name when it uses TLS and has no credentials.
		token = cmp.Or(token, "any")
	}
	if token != "" {
		user["token"] = token
	}
	c, _ := json.Marshal(cluster) // strings cannot fail
	u, _ := json.Marshal(user)
	text := fmt.Appendf(nil, kubeconfigMark+kubeconfigText, c, u)
	if err := writeOwn(name, kubeconfigMark, text, 0o600); err != nil {
		return fmt.Errorf("-kubeconfig: %w", err)
	}
	return nil
}

// writeOwn writes a file whose content begins with a mark. It overwrites only empty files and files
// that begin with the mark: any other may be the user's access to a real cluster.
func writeOwn(name, mark string, content []byte, mode fs.FileMode) error {
	old, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(old) > 0 && !bytes.HasPrefix(old, []byte(mark)):
		return fmt.Errorf("%s exists and was not written by this program; "+
			"name another file, or remove it", name)
	}
	return os.WriteFile(name, content, mode)
}
