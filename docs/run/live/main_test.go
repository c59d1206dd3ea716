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

// startProgram runs the program with these flags until the test ends, and returns its URL.
func startProgram(t *testing.T, args ...string) (url string) {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), in)
		in.CloseWithError(err)
		ended <- err
	}()
	t.Cleanup(func() {
		interrupt()
		assert.NoError(t, <-ended)
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

// get decodes an answer, and returns its text and code.
func get(t *testing.T, url string, answer any) (text string, code int) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, answer))
	return string(data), resp.StatusCode
}

// watched asks for a page's events until a condition holds for one, and returns that one and the
// text of all.
func watched(t *testing.T, url string, condition func(tape.Event) bool) (e tape.Event, text string) {
	t.Helper()
	var l tape.Listing
	text, _ = get(t, url+"state", &l)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		var events []tape.Event
		more, _ := get(t, fmt.Sprintf("%sevents?run=%s&after=%d", url, l.Run, e.Seq), &events)
		text += more
		for _, e = range events {
			if condition(e) {
				return e, text
			}
		}
	}
	require.FailNow(t, "the page never came to this", text)
	return e, text
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

	url := startProgram(t, "-kubeconfig", file, "-resource", widgets)
	watched(t, url, func(e tape.Event) bool { return e.State.Cache.Synced })
	require.NoError(t, api.Delete("widgets", "default", "web-1"))
	e, text := watched(t, url, func(e tape.Event) bool { return e.Lane+" "+e.Kind == "cache delete" })
	assert.Equal(t, []tape.ObjectState{{Key: "default/web-2", RV: "3"}}, e.State.Cache.Objects)
	assert.NotContains(t, text, bearer)
	assert.Contains(t, text, fmt.Sprintf(`"readOnly":true,"server":%q`, server.URL+widgets),
		"the page says which server it is")
}
