package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net"
	"time"
)

// newCertificate makes the certificate of one run, for the names that this machine has for itself.
// It is signed with its own key, which is never written anywhere, so no client can trust it: curl
// needs -k, and kubectl --insecure-skip-tls-verify.
func newCertificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a key: %w", err)
	}
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "fakeapi"},
		NotBefore:   time.Now().Add(-time.Hour), // clocks of clients may be behind
		NotAfter:    time.Now().AddDate(1, 0, 0),
		DNSNames:    []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
