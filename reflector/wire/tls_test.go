package wire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	bigint "math/big"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An identity is a certificate that is its own authority, in the forms that a server, a client and
// a kubeconfig need.
type identity struct {
	cert      tls.Certificate
	certPEM   []byte
	keyPEM    []byte
	authority *x509.CertPool
}

func newIdentity(t testing.TB, name string) identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: bigint.NewInt(1), IsCA: true,
		BasicConstraintsValid: true, DNSNames: []string{name},
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), // bubbles live in 2000
		NotAfter:  time.Date(2199, 1, 1, 0, 0, 0, 0, time.UTC)}
	template.Subject.CommonName = name
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	id := identity{
		cert:      tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf},
		certPEM:   pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		keyPEM:    pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
		authority: x509.NewCertPool(),
	}
	id.authority.AddCert(leaf)
	return id
}

// Over TLS the client accepts the certificates it was told to trust and presents its own.
func TestTLS(t *testing.T) {
	server, client, stranger :=
		newIdentity(t, "server"), newIdentity(t, "controller"), newIdentity(t, "server")
	dir := t.TempDir()
	file := func(data []byte) string { return writeFile(t, dir, data) }
	for law, tt := range map[string]struct {
		tls  TLS
		who  string // the name in the client's certificate, as the server saw it
		want string // in the error
	}{
		"an authority from bytes":  {tls: TLS{CA: server.certPEM}},
		"an authority from a file": {tls: TLS{CAFile: file(server.certPEM)}},
		"the bytes of an authority count more than the file": {
			tls: TLS{CA: server.certPEM, CAFile: file(stranger.certPEM)}},
		"a certificate that another authority has signed is refused": {
			tls: TLS{CA: stranger.certPEM}, want: "certificate"},
		"without its authority the server's certificate is refused": {want: "certificate"},
		"with Insecure any certificate is accepted": {
			tls: TLS{Insecure: true}},
		"a certificate that does not have the ServerName is refused": {
			tls: TLS{CA: server.certPEM, ServerName: "kubernetes"}, want: "kubernetes"},
		"a client certificate from bytes": {
			tls: TLS{CA: server.certPEM, Cert: client.certPEM, Key: client.keyPEM},
			who: "controller"},
		"a client certificate from files": {
			tls: TLS{CA: server.certPEM, CertFile: file(client.certPEM),
				KeyFile: file(client.keyPEM)},
			who: "controller"},
	} {
		t.Run(law, func(t *testing.T) {
			who, proto, err := call(t, server, tt.tls)
			if tt.want != "" {
				require.ErrorContains(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.who, who, "the name in the client's certificate")
			assert.Equal(t, "HTTP/2.0", proto)
		})
	}
}

// call makes a request over TLS and returns the client's name and the protocol that the server saw.
func call(t *testing.T, id identity, settings TLS) (who, proto string, err error) {
	// A pipe would not do: both ends of a handshake may write at the same time, and block.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := &http.Server{
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{id.cert},
			ClientAuth: tls.RequestClientCert},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.TLS.PeerCertificates) > 0 {
				who = r.TLS.PeerCertificates[0].Subject.CommonName
			}
			proto = r.Proto
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, list("7"))
		}),
		ErrorLog: discardLog,
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.ServeTLS(l, "", "") })
	defer serving.Wait()
	defer server.Close()
	hc, err := NewHTTPClient(settings)
	require.NoError(t, err)
	transport := hc.Transport.(*http.Transport)
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, l.Addr().String())
	}
	defer transport.CloseIdleConnections()
	client, err := NewClient[watchglass.Unstructured](ClientOptions{
		HTTPClient: hc, URL: "https://server/widgets"})
	require.NoError(t, err)
	_, err = client.List(t.Context(), reflector.ListOptions{})
	return who, proto, err
}

// The files of a client certificate are read again for each connection: they are replaced while
// the program runs.
func TestAClientCertificateIsReadAgain(t *testing.T) {
	server, old, renewed :=
		newIdentity(t, "server"), newIdentity(t, "old"), newIdentity(t, "renewed")
	dir := t.TempDir()
	cert, key := writeFile(t, dir, old.certPEM), writeFile(t, dir, old.keyPEM)
	settings := TLS{CA: server.certPEM, CertFile: cert, KeyFile: key}
	config, err := settings.config()
	require.NoError(t, err)
	rewrite(t, cert, renewed.certPEM)
	rewrite(t, key, renewed.keyPEM)
	pair, err := config.GetClientCertificate(nil)
	require.NoError(t, err)
	assert.Equal(t, "renewed", pair.Leaf.Subject.CommonName)

	require.NoError(t, os.Remove(cert))
	_, err = config.GetClientCertificate(nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.True(t, final(err), "a certificate that cannot be read ends a loop over WatchFrom")
}

func TestBadTLSSettingsAreNamed(t *testing.T) {
	id, other := newIdentity(t, "server"), newIdentity(t, "server")
	dir := t.TempDir()
	empty, text := writeFile(t, dir, nil), writeFile(t, dir, []byte("hello"))
	for want, bad := range map[string]TLS{
		"authorities in " + text + ": no certificate in PEM form": {CAFile: text},
		"authorities: no certificate in PEM form":                 {CA: []byte("hello"), CAFile: text},
		"client certificate in " + text + ": tls: failed":         {CertFile: text, Key: id.keyPEM},
		"certificate authorities: no certificate in PEM form":     {CA: []byte("hello")},
		"certificate authorities: " + empty + " is empty":         {CAFile: empty},
		"certificate authorities: open " + dir + "/none":          {CAFile: dir + "/none"},
		"authorities are given together with Insecure":            {CA: id.certPEM, Insecure: true},
		"a client key is given, but no certificate":               {Key: id.keyPEM},
		"a client certificate is given, but no key":               {Cert: id.certPEM},
		"client key: open " + dir + "/none": {
			Cert: id.certPEM, KeyFile: dir + "/none"},
		"private key does not match public key": {Cert: id.certPEM, Key: other.keyPEM},
		"client certificate: tls: failed to find any PEM data in c": {
			Cert: []byte("x"), Key: id.keyPEM},
	} {
		client, err := NewHTTPClient(bad)
		assert.ErrorContains(t, err, want)
		assert.Nil(t, client)
		if err != nil {
			assert.NotContains(t, err.Error(), "PRIVATE", fmt.Sprint("a key is never printed: ", want))
		}
	}
}
