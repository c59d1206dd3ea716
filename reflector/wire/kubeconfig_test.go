package wire

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var discardLog = log.New(io.Discard, "", 0)

// writeFile writes data to a new file in dir.
func writeFile(t testing.TB, dir string, data []byte) string {
	t.Helper()
	f, err := os.CreateTemp(dir, "file")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	rewrite(t, f.Name(), data)
	return f.Name()
}

func rewrite(t testing.TB, file string, data []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, data, 0o600))
}

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

func TestKubeconfig(t *testing.T) {
	id := newIdentity(t, "server")
	encode := base64.StdEncoding.EncodeToString
	data := kubeconfigJSON(t, map[string]any{
		"server":                     "https://server:6443/clusters/one/",
		"certificate-authority-data": encode(id.certPEM),
		"proxy-url":                  "http://proxy.example:3128",
		"tls-server-name":            "server",
	}, map[string]any{
		"token":                   "secret",
		"tokenFile":               "tokens/me",
		"client-certificate-data": encode(id.certPEM),
		"client-key-data":         encode(id.keyPEM),
	})
	file := writeFile(t, t.TempDir(), data)
	cluster, err := LoadKubeconfig(file, "")
	require.NoError(t, err)
	assert.Equal(t, "https://server:6443/clusters/one", cluster.Server)
	assert.Equal(t, "shop", cluster.Namespace)
	assert.Equal(t, "secret", cluster.Token)
	assert.Equal(t, filepath.Join(filepath.Dir(file), "tokens/me"), cluster.TokenFile,
		"a relative file name is relative to the directory of the kubeconfig")

	transport := cluster.HTTPClient.Transport.(*http.Transport)
	proxy, err := transport.Proxy(nil)
	require.NoError(t, err)
	assert.Equal(t, "http://proxy.example:3128", proxy.String())
	assert.Equal(t, "server", transport.TLSClientConfig.ServerName)
	assert.True(t, id.authority.Equal(transport.TLSClientConfig.RootCAs))
	pair, err := transport.TLSClientConfig.GetClientCertificate(nil)
	require.NoError(t, err)
	assert.Equal(t, id.cert.Certificate, pair.Certificate)

	options := cluster.Collection("/api/v1/pods")
	assert.Equal(t, "https://server:6443/clusters/one/api/v1/pods", options.URL)
	assert.Equal(t, options, cluster.Collection("api/v1/pods"),
		"a path without a leading slash does not become part of the host")
	assert.Same(t, cluster.HTTPClient, options.HTTPClient, "all collections share connections")
	assert.Equal(t, "secret", options.Token)
	assert.Equal(t, cluster.TokenFile, options.TokenFile)
}

func TestKubeconfigNamesFilesBesideItself(t *testing.T) {
	id, dir := newIdentity(t, "server"), t.TempDir()
	base := func(data []byte) string { return filepath.Base(writeFile(t, dir, data)) }
	file := writeFile(t, dir, kubeconfigJSON(t,
		map[string]any{"server": "https://server", "certificate-authority": base(id.certPEM)},
		map[string]any{"exec": nil,
			"client-certificate": base(id.certPEM), "client-key": base(id.keyPEM)}))
	cluster, err := LoadKubeconfig(file, "dev")
	require.NoError(t, err)
	config := cluster.HTTPClient.Transport.(*http.Transport).TLSClientConfig
	assert.True(t, id.authority.Equal(config.RootCAs))
	assert.NotNil(t, config.GetClientCertificate)
}

func TestAKubeconfigContextMayBeAnonymous(t *testing.T) {
	data := kubeconfigJSON(t, map[string]any{"server": "http://127.0.0.1:8001"},
		map[string]any{"token": "secret"})
	cluster, err := parseKubeconfig(data, "", "anonymous")
	require.NoError(t, err)
	assert.Empty(t, cluster.Token, "a context that names no user gets no user's token")
	assert.Equal(t, "default", cluster.Namespace)
}

func TestBadKubeconfigsAreNamed(t *testing.T) {
	good := map[string]any{"server": "https://server"}
	with := func(name string, value any) map[string]any {
		return map[string]any{"server": "https://server", name: value}
	}
	entry := func(name string, value any) []byte {
		return kubeconfigJSON(t, good, map[string]any{"token": "secret", name: value})
	}
	for _, tt := range []struct {
		data    []byte
		context string
		want    string
	}{
		{[]byte("apiVersion: v1\nkind: Config\n"), "", "kubectl config view --raw -o json"},
		{nil, "", "kubectl config view --raw -o json"},
		{[]byte(`{"kind":"Config"`), "", "unexpected end of JSON input"},
		{[]byte(`{"kind":"Pod"}`), "", `kind is "Pod", want Config`},
		{[]byte(`{"kind":"Config","clusters":7}`), "", "cannot unmarshal number"},
		{[]byte(`{"kind":"Config"}`), "", "there is no current-context"},
		{entry("x", nil), "prod", `there is no context "prod"`},
		{entry("x", nil), "no-cluster", `context "no-cluster": there is no cluster "x"`},
		{entry("x", nil), "no-user", `context "no-user": there is no user "x"`},
		{entry("exec", map[string]any{"command": "aws"}), "", `user "me": exec is not supported`},
		{entry("auth-provider", map[string]any{}), "", "auth-provider is not supported"},
		{entry("username", "admin"), "", "username is not supported"},
		{entry("password", "admin"), "", "password is not supported"},
		{entry("as", "root"), "", `user "me": as is not supported`},
		{entry("as-groups", []string{"root"}), "", "as-groups is not supported"},
		{entry("as-uid", "1"), "", "as-uid is not supported"},
		{entry("as-user-extra", map[string]any{"a": []string{"b"}}), "",
			"as-user-extra is not supported"},
		{entry("client-key-data", "DATA+OMITTED"), "", `client-key-data is "DATA+OMITTED": ` +
			`kubectl config view has left out the value; kubectl config view --raw -o json prints it`},
		{entry("client-key-data", "REDACTED"), "",
			`client-key-data is "REDACTED": kubectl config view has`},
		{entry("client-certificate-data", "DATA+OMITTED"), "", "client-certificate-data is"},
		{kubeconfigJSON(t, with("certificate-authority-data", "DATA+OMITTED"), nil), "",
			`certificate-authority-data is "DATA+OMITTED": kubectl config view has left`},
		{kubeconfigJSON(t, good, map[string]any{"token": "REDACTED"}), "",
			`token is "REDACTED": kubectl config view has left`},
		{entry("client-key-data", "no base64!"), "", "client-key-data: illegal base64"},
		{entry("client-key-data", "c2VjcmV0"), "", "a client key is given, but no certificate"},
		{kubeconfigJSON(t, map[string]any{}, nil), "", `server: want http(s)://host, have ""`},
		{kubeconfigJSON(t, map[string]any{"server": "server:6443"}, nil), "",
			`server: want http(s)://host, have "server:6443"`},
		{kubeconfigJSON(t, map[string]any{"server": "ftp://server"}, nil), "", `have "ftp://server"`},
		{kubeconfigJSON(t, map[string]any{"server": "https:///one"}, nil), "", `have "https:///one"`},
		{kubeconfigJSON(t, map[string]any{"server": "https://["}, nil), "", `have "https://["`},
		{kubeconfigJSON(t, map[string]any{"server": "https://server?x=y"}, nil), "",
			`server: want http(s)://host, have "https://server?x=y"`},
		{kubeconfigJSON(t, with("certificate-authority-data", "e30="), nil), "",
			"certificate authorities: no certificate in PEM form"},
		{kubeconfigJSON(t, with("proxy-url", "ftp://proxy"), nil), "", `scheme is "ftp"`},
		{kubeconfigJSON(t, with("proxy-url", "proxy"), nil), "", "proxy-url: want"},
	} {
		file := writeFile(t, t.TempDir(), tt.data)
		_, err := LoadKubeconfig(file, tt.context)
		if assert.ErrorContains(t, err, tt.want) {
			assert.Contains(t, err.Error(), file, "the error says which file it is about")
			assert.NotContains(t, err.Error(), "secret", "a token is never printed")
		}
	}
}

func TestAKubeconfigHasALimit(t *testing.T) {
	big := `{"kind":"` + strings.Repeat("x", kubeconfigLimit) + `"}`
	_, err := LoadKubeconfig(writeFile(t, t.TempDir(), []byte(big)), "")
	assert.ErrorContains(t, err, "larger than the limit of 4194304 bytes")
	full := "{}" + strings.Repeat(" ", kubeconfigLimit-2)
	_, err = LoadKubeconfig(writeFile(t, t.TempDir(), []byte(full)), "")
	assert.ErrorContains(t, err, "no current-context", "a file of exactly the limit is read")
	_, err = LoadKubeconfig(filepath.Join(t.TempDir(), "none"), "")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// FuzzKubeconfig parses any bytes. The result must be an error, or a cluster whose collections have
// valid client options.
func FuzzKubeconfig(f *testing.F) {
	f.Add([]byte(`{"current-context":"a"}`), "")
	f.Add(kubeconfigJSON(f, map[string]any{"server": "https://server", "proxy-url": "http://p"},
		map[string]any{"token": "secret"}), "dev")
	f.Fuzz(func(t *testing.T, data []byte, context string) {
		cluster, err := parseKubeconfig(data, "", context)
		if err != nil {
			assert.Nil(t, cluster)
			return
		}
		_, err = NewClient[widget](cluster.Collection("/api/v1/pods"))
		assert.NoError(t, err)
		assert.NotNil(t, cluster.HTTPClient)
	})
}
