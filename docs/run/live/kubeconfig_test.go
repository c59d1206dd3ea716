package main

import (
	"bufio"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

const bearer = "a-secret-token"

// secured serves api over TLS to requests that have the token.
func secured(t *testing.T, api *fakeapi.Server) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+bearer {
				http.Error(w, `{"kind":"Status","code":401,"message":"Unauthorized"}`,
					http.StatusUnauthorized)
				return
			}
			api.ServeHTTP(w, r)
		}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that are refused on purpose
	server.StartTLS()
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // a watch would never end
	return server
}

// kubeconfig writes a kubeconfig with two contexts: one has the token, the other has none.
func kubeconfig(t *testing.T, server *httptest.Server) string {
	t.Helper()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	in := func(cluster, user string) map[string]string {
		return map[string]string{"cluster": cluster, "user": user}
	}
	data, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "dev",
		"contexts": []any{
			map[string]any{"name": "dev", "context": in("here", "me")},
			map[string]any{"name": "stranger", "context": in("here", "without-token")},
			map[string]any{"name": "elsewhere", "context": in("unknown-ca", "me")},
		},
		"clusters": []any{
			map[string]any{"name": "here", "cluster": map[string]any{"server": server.URL,
				"certificate-authority-data": ca}}, // JSON writes bytes in base64
			map[string]any{"name": "unknown-ca", "cluster": map[string]any{"server": server.URL}},
		},
		"users": []any{
			map[string]any{"name": "me", "user": map[string]any{"token": bearer}},
			map[string]any{"name": "without-token", "user": map[string]any{}},
		},
	})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}

// startProgram runs the program with these flags until the test ends, and returns its URL.
func startProgram(t *testing.T, args ...string) (url string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	code := make(chan int, 1)
	args = append([]string{"-addr", "127.0.0.1:0"}, args...)
	go func() { code <- run(ctx, args, write, write) }()
	t.Cleanup(func() {
		cancel()
		assert.Zero(t, <-code)
	})
	line := make([]byte, 1000)
	n, err := read.Read(line)
	require.NoError(t, err)
	go io.Copy(io.Discard, read) // a program that says more must not wait for a reader
	t.Cleanup(func() { _ = write.Close() })
	url, found := strings.CutSuffix(string(line[:n]), "\n")
	require.True(t, found && strings.HasPrefix(url, "http://127."), url)
	return url
}

// watched reads a page's events until a condition holds for one, and returns that one and the text
// of all.
func watched(t *testing.T, url string, condition func(Event) bool) (e Event, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"events?after=0", nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadString('\n')
		require.NoError(t, err, "the page never came to this: %s", text)
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			e, text = Event{}, text+data
			require.NoError(t, json.Unmarshal([]byte(data), &e))
			if condition(e) {
				return e, text
			}
		}
	}
}

// A kubeconfig leads to the real list, over TLS and with the token of its user. The page shows
// neither the token nor, without one, more than that it was refused.
func TestAKubeconfigLeadsToTheServer(t *testing.T) {
	api := fakeapi.New(fakeapi.Options{})
	defer api.Close()
	for _, name := range []string{"web-1", "web-2"} {
		_, err := api.Create("widgets", fmt.Sprintf(`{"metadata":{"name":%q}}`, name))
		require.NoError(t, err)
	}
	server := secured(t, api)
	file := kubeconfig(t, server)
	const widgets = "/apis/workshop.example.dev/v1/widgets"

	url := startProgram(t, "-kubeconfig", file, "-resource", widgets)
	watched(t, url, func(e Event) bool { return e.State.Cache.Synced })
	require.NoError(t, api.Delete("widgets", "default", "web-1"))
	e, text := watched(t, url, func(e Event) bool { return made(e) == "cache delete" })
	assert.Equal(t, []ObjectState{{"default/web-2", "3"}}, e.State.Cache.Objects)
	assert.NotContains(t, text, bearer)
	resp, err := http.Get(url + "state")
	require.NoError(t, err)
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.NotContains(t, string(page), bearer)
	var l Listing
	require.NoError(t, json.Unmarshal(page, &l))
	assert.Equal(t, server.URL+widgets, l.Meta.Server, "the page says which server it is")
	assert.True(t, l.Meta.ReadOnly)

	for user, says := range map[string]string{"stranger": "401", "elsewhere": "certificate"} {
		url := startProgram(t, "-kubeconfig", file, "-context", user, "-resource", widgets)
		e, text := watched(t, url, func(e Event) bool { return e.State.Reflector.Failures > 0 })
		assert.Zero(t, e.State.Cache.Total, user)
		assert.Contains(t, text, says, user)
	}
}
