package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Options say how a client and an API server authenticate each other. The zero value trusts the
// certificate authorities of the system and presents neither a certificate nor a token.
//
// Certificates and keys are in PEM form. Files are read again for each request, because tokens and
// certificates expire and are replaced while a program runs.
type Options struct {
	CA     []byte // the authorities that may sign the server's certificate
	CAFile string // the same, as a file; not used if CA is given

	Cert, Key         []byte // the client's certificate and its private key
	CertFile, KeyFile string // the same, as files; each is not used if the bytes are given

	ServerName string // what the server's certificate must name; empty: the host of the URL
	Insecure   bool   // accept any certificate: anyone on the network can read and change all data

	Token     string // sent as "Authorization: Bearer …"; empty: none
	TokenFile string // holds the token; if it is given, Token is not used

	// Proxy returns the proxy for a request; nil means that of the environment.
	Proxy func(*http.Request) (*url.URL, error)
}

// material is what the certificates and the key are at one time, in PEM form.
type material struct{ ca, cert, key string }

// read reads the files.
func (o *Options) read() (m material, err error) {
	if m.ca, err = content(o.CA, o.CAFile); err != nil {
		return m, fmt.Errorf("TLS: certificate authorities: %w", err)
	}
	if m.cert, err = content(o.Cert, o.CertFile); err != nil {
		return m, fmt.Errorf("TLS: client certificate: %w", err)
	}
	if m.key, err = content(o.Key, o.KeyFile); err != nil {
		return m, fmt.Errorf("TLS: client key: %w", err)
	}
	return m, nil
}

// config makes the settings of package tls, and checks them as far as is possible without a server.
func (o *Options) config(m material) (*tls.Config, error) {
	config := &tls.Config{ServerName: o.ServerName, InsecureSkipVerify: o.Insecure}
	switch {
	case m.ca == "":
	case o.Insecure:
		return nil, errors.New("TLS: certificate authorities are given together with Insecure, " +
			"which accepts any certificate: want only one of the two")
	default:
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM([]byte(m.ca)) {
			return nil, fmt.Errorf("TLS: certificate authorities%s: no certificate in PEM form",
				in(o.CA, o.CAFile))
		}
	}
	switch {
	case m.cert == "" && m.key == "":
		return config, nil
	case m.cert == "":
		return nil, errors.New("TLS: a client key is given, but no certificate")
	case m.key == "":
		return nil, errors.New("TLS: a client certificate is given, but no key")
	}
	pair, err := tls.X509KeyPair([]byte(m.cert), []byte(m.key))
	if err != nil {
		return nil, fmt.Errorf("TLS: client certificate%s: %w", in(o.Cert, o.CertFile), err)
	}
	// Certificates would be presented only if the server names their authority.
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		return &pair, nil
	}
	return config, nil
}

// token returns the token as it is now.
func (o *Options) token() (string, error) {
	if o.TokenFile == "" {
		return o.Token, nil
	}
	text, err := content(nil, o.TokenFile)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(text)
	if token == "" { // without one, the request would be that of an anonymous user
		return "", fmt.Errorf("token: %s is empty", o.TokenFile)
	}
	return token, nil
}

// content returns data or, where that is empty, what the file holds; nothing if no file is named.
func content(data []byte, file string) (string, error) {
	if len(data) > 0 || file == "" {
		return string(data), nil
	}
	data, err := os.ReadFile(file)
	if err == nil && len(data) == 0 {
		err = fmt.Errorf("%s is empty", file)
	}
	return string(data), err
}

// in names the file that content has read, if it has read one.
func in(data []byte, file string) string {
	if len(data) > 0 || file == "" {
		return ""
	}
	return " in " + file
}
