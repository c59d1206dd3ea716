package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/fakeapi"
)

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"extra", `"extra" is not a flag`},
		{"-speed 2", "-h lists the flags"},
		{"-server http://h -queue LIFO", "neither DeltaFIFO nor RealFIFO"},
		{"-server http://h -addr 0.0.0.0:80", "no loopback address"},
		{"-server http://h -kubeconfig k", "give one of them"},
		{"", "-server or -kubeconfig"},
		{"-server ftp://h", "ftp"},
		{"-server http://h -resource pods", "must begin with a slash"},
		{"-kubeconfig none", "kubeconfig:"},
	} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // none of them serves anything
		code := program.Func(run).Run(ctx, "live", strings.Fields(c.args), &stdout, &stderr)
		cancel()
		assert.NotZero(t, code, c.args)
		assert.Contains(t, stderr.String(), c.says, c.args)
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
		assert.Empty(t, stdout.String(), c.args)
	}
}

// A kubeconfig leads to the real list, with the token of its user, which the page does not show. The
// program ends when it is interrupted, streams included.
func TestAKubeconfigLeadsToTheServer(t *testing.T) {
	const bearer, widgets = "a-secret-token", "/apis/workshop.example.dev/v1/widgets"
	api := fakeapi.New(fakeapi.Options{Token: bearer})
	defer api.Close()
	for _, name := range []string{"web-1", "web-2"} {
		_, err := api.Create("widgets", fmt.Sprintf(`{"metadata":{"name":%q}}`, name))
		require.NoError(t, err)
	}
	server := httptest.NewServer(api)
	defer server.Close()
	defer server.CloseClientConnections() // a watch would never end
	file := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `{"current-context": "dev",
		"contexts": [{"name": "dev", "context": {"cluster": "here", "user": "me"}}],
		"clusters": [{"name": "here", "cluster": {"server": %q}}],
		"users": [{"name": "me", "user": {"token": %q}}]}`,
		server.URL, bearer), 0o600))

	ctx, interrupt := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"-addr", "127.0.0.1:0", "-kubeconfig", file, "-resource", widgets}, in)
		in.CloseWithError(err)
		ended <- err
	}()
	url, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	get := func(what string) string {
		resp, err := http.Get(strings.TrimSpace(url) + what)
		require.NoError(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return string(text)
	}
	until := func(shows string) (l tape.Listing, text string) {
		for deadline := time.Now().Add(30 * time.Second); !strings.Contains(text, shows); {
			require.True(t, time.Now().Before(deadline), "the page never came to this: %s", text)
			text = get("state")
		}
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		return l, text
	}
	until(`"objects":[{"key":"default/web-1","rv":"2"},{"key":"default/web-2","rv":"3"}]`)
	require.NoError(t, api.Delete("widgets", "default", "web-1"))
	l, text := until(`"objects":[{"key":"default/web-2","rv":"3"}]`)
	assert.Contains(t, text, fmt.Sprintf(`"readOnly":true,"server":%q`, server.URL+widgets), "the page says which server it is")
	assert.NotContains(t, text+get(fmt.Sprintf("events?run=%s&after=%d", l.Run, l.Floor-1)), bearer)
	interrupt()
	assert.NoError(t, <-ended)
}
