package cluster

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClientAndServerAuthenticateEachOther(t *testing.T) {
	id, me, other := newIdentity(t, "server"), newIdentity(t, "me"), newIdentity(t, "server")
	dir := t.TempDir()
	ca, wrong := write(t, dir+"/ca", id.certPEM), write(t, dir+"/other", other.certPEM)
	cert, key := write(t, dir+"/cert", me.certPEM), write(t, dir+"/key", me.keyPEM)
	token := write(t, dir+"/token", []byte(" from-file\n"))
	const ok, untrusted = "HTTP/2.0", "certificate signed by unknown authority"
	for law, c := range map[string]struct {
		opts Options
		want string
	}{
		"authorities may come from bytes":            {Options{CA: id.certPEM}, ok},
		"authorities may come from a file":           {Options{CAFile: ca}, ok},
		"bytes count more than files":                {Options{CA: id.certPEM, CAFile: wrong}, ok},
		"other authorities do not count":             {Options{CA: other.certPEM}, untrusted},
		"by default those of the system count":       {Options{}, untrusted},
		"with Insecure any certificate is accepted":  {Options{Insecure: true}, ok},
		"the certificate must name the ServerName":   {Options{CA: id.certPEM, ServerName: "kube"}, "kube"},
		"a client certificate may come from bytes":   {Options{CA: id.certPEM, Cert: me.certPEM, Key: me.keyPEM}, ok + " me"},
		"a client certificate may come from files":   {Options{CA: id.certPEM, CertFile: cert, KeyFile: key}, ok + " me"},
		"a token is sent":                            {Options{CA: id.certPEM, Token: "secret"}, ok + " Bearer secret"},
		"a token's file counts more than the token ": {Options{CA: id.certPEM, Token: "secret", TokenFile: token}, ok + " Bearer from-file"},
	} {
		t.Run(law, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0") // a refusal in a handshake would block a pipe
			require.NoError(t, err)
			serve(t, l, id)
			answer := get(client(t, c.opts, func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String())
			}))
			if c.want[0] == 'H' {
				assert.Equal(t, c.want, answer)
			}
			assert.Contains(t, answer, c.want)
		})
	}
}

func TestOptionsThatCannotBeUsedAreNamed(t *testing.T) {
	id, other := newIdentity(t, "server"), newIdentity(t, "server")
	dir := t.TempDir()
	empty, text := write(t, dir+"/empty", nil), write(t, dir+"/text", []byte("hello"))
	for want, bad := range map[string]Options{
		"authorities in " + text + ": no certificate in PEM form": {CAFile: text},
		"authorities: no certificate in PEM form":                 {CA: []byte("hello"), CAFile: text},
		"client certificate in " + text + ": tls: failed":         {CertFile: text, Key: id.keyPEM},
		"certificate authorities: " + empty + " is empty":         {CAFile: empty},
		"certificate authorities: open " + dir + "/none":          {CAFile: dir + "/none"},
		"client certificate: open " + dir + "/none":               {CertFile: dir + "/none"},
		"client key: open " + dir + "/none":                       {Cert: id.certPEM, KeyFile: dir + "/none"},
		"authorities are given together with Insecure":            {CA: id.certPEM, Insecure: true},
		"a client key is given, but no certificate":               {Key: id.keyPEM},
		"a client certificate is given, but no key":               {Cert: id.certPEM},
		"private key does not match public key":                   {Cert: id.certPEM, Key: other.keyPEM},
		"client certificate: tls: failed to find any PEM data":    {Cert: []byte("x"), Key: id.keyPEM},
	} {
		t.Run(want, func(t *testing.T) {
			c, err := NewHTTPClient(bad)
			assert.ErrorContains(t, err, "TLS: ")
			assert.ErrorContains(t, err, want)
			assert.Nil(t, c)
			assert.NotContains(t, err.Error(), "PRIVATE", "a key is never printed")
		})
	}
}

func TestATokenFile(t *testing.T) {
	dir := t.TempDir()
	opts := Options{TokenFile: dir + "/token"}
	t.Run("that is empty, as while it is written, is an error", func(t *testing.T) {
		for _, text := range []string{"", "\n"} {
			write(t, opts.TokenFile, []byte(text))
			_, err := opts.token()
			assert.EqualError(t, err, "token: "+opts.TokenFile+" is empty")
		}
	})
	t.Run("is read again for each request", func(t *testing.T) {
		for _, want := range []string{"first", "second"} {
			write(t, opts.TokenFile, []byte(want))
			got, err := opts.token()
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
	})
	t.Run("without which a request fails before it is sent", func(t *testing.T) {
		c, err := NewHTTPClient(Options{TokenFile: dir + "/none"})
		require.NoError(t, err)
		body := &closed{Reader: strings.NewReader("x")}
		_, err = c.Post("http://server/", "text/plain", body)
		var credentials *CredentialsError
		assert.ErrorAs(t, err, &credentials)
		assert.ErrorContains(t, err, "token: open "+dir+"/none: no such file")
		assert.True(t, body.closed, "a RoundTripper closes the body, even if it fails")
	})
}

type closed struct {
	*strings.Reader
	closed bool
}

func (c *closed) Close() error { c.closed = true; return nil }
