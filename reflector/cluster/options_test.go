package cluster

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"unicode/utf16"

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
			answer := get(client(t, c.opts, overTCP(t, id)))
			if c.want[0] == 'H' {
				assert.Equal(t, c.want, answer)
			}
			assert.Contains(t, answer, c.want)
		})
	}
}

// overTCP starts a server: a refusal in a handshake would block a pipe.
func overTCP(t *testing.T, id identity) dialer {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	serve(t, l, id)
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String())
	}
}

func TestAuthoritiesThatAreReplacedCountFromTheNextRequestOn(t *testing.T) {
	id, other := newIdentity(t, "server"), newIdentity(t, "server")
	file := write(t, t.TempDir()+"/ca", other.certPEM)
	c := client(t, Options{CAFile: file}, overTCP(t, id))
	for range 2 {
		write(t, file, other.certPEM)
		assert.Contains(t, get(c), "certificate signed by unknown authority")
		write(t, file, id.certPEM)
		assert.Equal(t, "HTTP/2.0", get(c))
	}
}

func TestOptionsThatCannotBeUsedAreNamed(t *testing.T) {
	id, other := newIdentity(t, "server"), newIdentity(t, "server")
	dir := t.TempDir()
	empty, text := write(t, dir+"/empty", nil), write(t, dir+"/text", []byte("hello"))
	for want, bad := range map[string]Options{
		"authorities in " + text + ": no certificate in PEM form": {CAFile: text},
		"client certificate in " + text + ": tls: failed":         {CertFile: text, Key: id.keyPEM},
		"certificate authorities: " + empty + " is empty":         {CAFile: empty},
		"certificate authorities: open " + dir + "/none":          {CAFile: dir + "/none"},
		"client certificate: open " + dir + "/none":               {CertFile: dir + "/none"},
		"client key: open " + dir + "/none":                       {Cert: id.certPEM, KeyFile: dir + "/none"},
		"authorities are given together with Insecure":            {CA: id.certPEM, Insecure: true},
		"a client key is given, but no certificate":               {Key: id.keyPEM},
		"a client certificate is given, but no key":               {Cert: id.certPEM},
		"private key does not match public key":                   {Cert: id.certPEM, Key: other.keyPEM},
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

// kubeconfigJSON is a kubeconfig with one context "dev" of the given cluster and user.
func kubeconfigJSON(t testing.TB, cluster, user map[string]any) []byte {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "dev", "preferences": nil,
		"contexts": []any{
			map[string]any{"name": "dev", "context": map[string]any{
				"cluster": "here", "user": "me", "namespace": "shop"}},
			map[string]any{"name": "anonymous", "context": map[string]any{"cluster": "here"}},
			map[string]any{"name": "no-cluster", "context": map[string]any{"cluster": "x"}},
			map[string]any{"name": "no-user", "context": map[string]any{
				"cluster": "here", "user": "x"}},
		},
		"clusters": []any{map[string]any{"name": "here", "cluster": cluster}},
		"users":    []any{map[string]any{"name": "me", "user": user}},
	})
	require.NoError(t, err)
	return data
}

// optionsOf returns what the HTTP client of a cluster was made with.
func optionsOf(c *Cluster) Options { return c.HTTPClient.Transport.(*transport).opts }

func TestAKubeconfig(t *testing.T) {
	id, dir := newIdentity(t, "server"), t.TempDir()
	encode := base64.StdEncoding.EncodeToString
	load := func(t *testing.T, context string, cluster, user map[string]any) *Cluster {
		c, err := LoadKubeconfig(write(t, dir+"/config", kubeconfigJSON(t, cluster, user)), context)
		require.NoError(t, err)
		return c
	}
	t.Run("says where the server is, whom to trust and what to present", func(t *testing.T) {
		c := load(t, "", map[string]any{
			"server":                     "https://server:6443/clusters/one/",
			"certificate-authority-data": encode(id.certPEM),
			"proxy-url":                  "http://proxy.example:3128",
			"tls-server-name":            "server",
		}, map[string]any{
			"token":                   "secret",
			"client-certificate-data": encode(id.certPEM),
			"client-key-data":         encode(id.keyPEM),
		})
		assert.Equal(t, "shop", c.Namespace)
		opts := optionsOf(c)
		proxy, err := opts.Proxy(nil)
		require.NoError(t, err)
		assert.Equal(t, "http://proxy.example:3128", proxy.String())
		opts.Proxy = nil
		assert.Equal(t, Options{CA: id.certPEM, Cert: id.certPEM, Key: id.keyPEM,
			ServerName: "server", Token: "secret"}, opts)
		for _, path := range []string{"/api/v1/pods", "api/v1/pods"} {
			assert.Equal(t, "https://server:6443/clusters/one/api/v1/pods", c.URL(path),
				"no path becomes part of the host")
		}
	})
	t.Run("may begin with a byte order mark, and be in UTF-16", func(t *testing.T) { // PowerShell's
		data := kubeconfigJSON(t, map[string]any{"server": "https://server"},
			map[string]any{"token": "ü😀"})
		little, big := []byte{0xff, 0xfe}, []byte{0xfe, 0xff}
		for _, unit := range utf16.Encode([]rune(string(data) + "\r\n")) {
			little = binary.LittleEndian.AppendUint16(little, unit)
			big = binary.BigEndian.AppendUint16(big, unit)
		}
		for _, text := range [][]byte{data, append([]byte("\ufeff"), data...), little, big} {
			c, err := LoadKubeconfig(write(t, dir+"/config", text), "")
			require.NoError(t, err)
			assert.Equal(t, "ü😀", optionsOf(c).Token)
		}
	})
	t.Run("names files relative to its own directory", func(t *testing.T) {
		write(t, dir+"/ca", id.certPEM)
		write(t, dir+"/key", id.keyPEM)
		c := load(t, "dev",
			map[string]any{"server": "https://server", "certificate-authority": "ca"},
			map[string]any{"exec": nil, "client-certificate": dir + "/ca", "client-key": "key",
				"tokenFile": "tokens/me"})
		assert.Equal(t, Options{CAFile: dir + "/ca", CertFile: dir + "/ca", KeyFile: dir + "/key",
			TokenFile: dir + "/tokens/me"}, optionsOf(c))
	})
	t.Run("whose context names no user gets no user's token", func(t *testing.T) {
		c := load(t, "anonymous", map[string]any{"server": "http://127.0.0.1:8001",
			"insecure-skip-tls-verify": true}, map[string]any{"token": "secret"})
		assert.Equal(t, Options{Insecure: true}, optionsOf(c))
		assert.Equal(t, "default", c.Namespace)
	})
}

func TestAKubeconfigThatCannotBeUsedIsAnErrorThatSaysWhy(t *testing.T) {
	good := map[string]any{"server": "https://server"}
	with := func(name string, value any) map[string]any {
		return map[string]any{"server": "https://server", name: value}
	}
	entry := func(name string, value any) []byte {
		return kubeconfigJSON(t, good, map[string]any{"token": "secret", name: value})
	}
	twice := func(list, name string) []byte {
		one := `{"name":"` + name + `","user":{"token":"secret"}}`
		return []byte(`{"` + list + `":[{"name":"other"},` + one + `,` + one + `]}`)
	}
	type bad struct {
		data    []byte
		context string
		want    string
	}
	all := []bad{
		{[]byte("apiVersion: v1\nkind: Config\n"), "", "kubectl config view --raw -o json"},
		{nil, "", "kubectl config view --raw -o json"},
		{[]byte("\xff\xfe{\x00}"), "", "its text is broken: want UTF-8, or UTF-16 with a byte order mark"},
		{[]byte("\xff\xfe{\x00\x00\xd8}\x00"), "", "its text is broken"},
		{entry("token", "\ufffd"), "", "its text is broken"},
		{twice("contexts", "c"), "", `two contexts have the name "c": want one of each name`},
		{twice("clusters", "k"), "", `two clusters have the name "k"`},
		{twice("users", ""), "", `two users have the name ""`},
		{kubeconfigJSON(t, map[string]any{"server": "https://me:secret@[server"}, nil), "",
			`server: want http(s)://host, have "[server"`},
		{[]byte(`{"kind":"Config"}`), "", "there is no current-context"},
		{entry("x", nil), "prod", `there is no context "prod"`},
		{entry("x", nil), "no-cluster", `context "no-cluster": there is no cluster "x"`},
		{entry("x", nil), "no-user", `context "no-user": there is no user "x"`},
		{entry("exec", map[string]any{"command": "aws"}), "", `user "me": exec is not supported`},
		{kubeconfigJSON(t, with("certificate-authority-data", "DATA+OMITTED"), nil), "",
			`certificate-authority-data is "DATA+OMITTED": kubectl config view has left out the value; ` +
				`kubectl config view --raw -o json prints it`},
		{kubeconfigJSON(t, good, map[string]any{"token": "REDACTED"}), "",
			`token is "REDACTED": kubectl config view has left`},
		{entry("client-key-data", "no base64!"), "", "client-key-data: illegal base64"},
		{kubeconfigJSON(t, map[string]any{}, nil), "", `server: want http(s)://host, have ""`},
		{kubeconfigJSON(t, map[string]any{"server": "https://server?x=y"}, nil), "",
			`server: want http(s)://host, have "https://server?x=y"`},
		{kubeconfigJSON(t, with("proxy-url", "ftp://proxy"), nil), "", `scheme is "ftp"`},
		{kubeconfigJSON(t, with("proxy-url", "proxy"), nil), "", "proxy-url: want"},
	}
	for _, field := range []string{"auth-provider", "username", "as", "as-user-extra"} {
		all = append(all, bad{entry(field, "admin"), "", `user "me": ` + field + " is not supported"})
	}
	for _, tt := range all {
		t.Run(tt.want, func(t *testing.T) {
			file := write(t, t.TempDir()+"/config", tt.data)
			_, err := LoadKubeconfig(file, tt.context)
			require.ErrorContains(t, err, tt.want)
			assert.Contains(t, err.Error(), file, "the error says which file it is about")
			assert.NotContains(t, err.Error(), "secret", "a token is never printed")
		})
	}
}
