package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// TLS says how a client and an API server authenticate each other. The zero value trusts the
// certificate authorities of the system and presents no certificate. If a value is given both as
// bytes and as a file, the bytes count, as in a kubeconfig.
type TLS struct {
	CA     []byte // in PEM form: the authorities that may sign the server's certificate
	CAFile string

	// Cert and Key are the client's certificate and its private key, in PEM form. The files are
	// read again for each connection, because the certificates of nodes and components are
	// replaced while they run.
	Cert, Key         []byte
	CertFile, KeyFile string

	ServerName string // what the server's certificate must name; empty: the host of the URL
	Insecure   bool   // accept any certificate: anyone on the network can read and change all data
}

// config makes the settings of package tls, and checks t as far as is possible without a server.
func (t TLS) config() (*tls.Config, error) {
	config := &tls.Config{ServerName: t.ServerName, InsecureSkipVerify: t.Insecure}
	ca, err := content(t.CA, t.CAFile)
	switch {
	case err != nil:
		return nil, fmt.Errorf("TLS: certificate authorities: %w", err)
	case len(ca) > 0 && t.Insecure:
		return nil, errors.New("TLS: certificate authorities are given together with Insecure, " +
			"which accepts any certificate: want only one of the two")
	case len(ca) > 0:
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(ca) {
			return nil, fmt.Errorf("TLS: certificate authorities%s: no certificate in PEM form",
				in(t.CA, t.CAFile))
		}
	}
	if len(t.Cert) == 0 && t.CertFile == "" && len(t.Key) == 0 && t.KeyFile == "" {
		return config, nil
	}
	if _, err := t.certificate(); err != nil {
		return nil, err
	}
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		pair, err := t.certificate()
		if err != nil {
			return nil, &credentialsError{err}
		}
		return pair, nil
	}
	return config, nil
}

// certificate is the client's certificate as it is now.
func (t TLS) certificate() (*tls.Certificate, error) {
	cert, err := content(t.Cert, t.CertFile)
	if err != nil {
		return nil, fmt.Errorf("TLS: client certificate: %w", err)
	}
	key, err := content(t.Key, t.KeyFile)
	switch {
	case err != nil:
		return nil, fmt.Errorf("TLS: client key: %w", err)
	case len(cert) == 0:
		return nil, errors.New("TLS: a client key is given, but no certificate")
	case len(key) == 0:
		return nil, errors.New("TLS: a client certificate is given, but no key")
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("TLS: client certificate%s: %w", in(t.Cert, t.CertFile), err)
	}
	return &pair, nil
}

// content is data or, where that is empty, what the file holds; nothing if no file is named.
func content(data []byte, file string) ([]byte, error) {
	if len(data) > 0 || file == "" {
		return data, nil
	}
	data, err := os.ReadFile(file)
	if err == nil && len(data) == 0 {
		err = fmt.Errorf("%s is empty", file)
	}
	return data, err
}

// in names the file that content has read, if it has read one.
func in(data []byte, file string) string {
	if len(data) > 0 || file == "" {
		return ""
	}
	return " in " + file
}
