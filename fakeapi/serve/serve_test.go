package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

func TestTLSHasACertificateOfItsOwn(t *testing.T) {
	p := start(t, "-tls", "-v")
	_, err := http.Get(p.url + "/version")
	assert.ErrorAs(t, err, new(*tls.CertificateVerificationError), "it is signed with its own key")
	code, _ := p.send("GET", "/version")
	assert.Equal(t, 200, code)
	p.end()
	assert.Contains(t, p.stderr.String(), "url=/version", "-v logs requests")
	p = start(t)
	p.send("GET", "/version")
	p.end()
	assert.Empty(t, p.stderr.String(), "without -v")
}

func TestASignalEndsTheProgramInGoodOrder(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		program := exec.Command(os.Args[0], "-addr", "127.0.0.1:0")
		program.Env = append(os.Environ(), asProgram+"=yes",
			"GORACE=atexit_sleep_ms=0") // or the race detector waits for a second at the end
		stdout, err := program.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, program.Start())
		url, err := bufio.NewReader(stdout).ReadString('\n')
		require.NoError(t, err)
		watch, err := http.Get(strings.TrimSpace(url) + widgets + "?watch=1")
		require.NoError(t, err)

		require.NoError(t, program.Process.Signal(signal))
		_, err = io.Copy(io.Discard, watch.Body)
		assert.NoError(t, err, "the watch ends cleanly")
		watch.Body.Close()
		assert.NoError(t, program.Wait(), "and the exit code is 0")
	}
}

// A client may send as much as HTTP/2 begins with before it has read what the server allows.
func TestALargeBodyMayBeTheFirstOnItsConnection(t *testing.T) {
	p := start(t, "-tls")
	for i := range 5 {
		resp, err := p.client.Post(p.url+"/api/v1/namespaces/default/configmaps", "application/json",
			strings.NewReader(fmt.Sprintf(`{"metadata":{"name":"c%d"},"data":{"a":%q}}`, i,
				strings.Repeat("x", 200_000))))
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, 201, resp.StatusCode)
		p.client.CloseIdleConnections()
	}
}

// The client of a request may never send the rest of it. That must not keep the program running.
func TestARequestThatTakesTooLongIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, listener := fakeapi.New(fakeapi.Options{}), fakeapi.NewPipeListener()
		served := make(chan error, 1)
		go func() { served <- server.Serve(listener) }() // drain waits for it
		conn, err := listener.DialContext(t.Context(), "", "")
		require.NoError(t, err)
		_, err = io.WriteString(conn, "POST "+widgets+" HTTP/1.1\r\nHost: localhost\r\n"+
			"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		require.NoError(t, err)
		synctest.Wait()

		var stderr strings.Builder
		started := time.Now()
		assert.NoError(t, drain(server, served, &stderr), "a program that was stopped has not failed")
		assert.Equal(t, grace, time.Since(started), "a request has this long to finish")
		assert.Equal(t, "serve: requests that took longer than 10s were cut off\n", stderr.String())
		_, err = io.Copy(io.Discard, conn)
		assert.NoError(t, err, "the connection is closed")
	})
}

// A page in a browser of this machine must neither write to the server nor read what it holds.
func TestWebPagesAreKeptOut(t *testing.T) {
	p := start(t, "-control")
	for law, c := range map[string]struct {
		method, path, header, value string
		want                        int
	}{
		"a write from another origin":          {"POST", widgets, "Origin", "https://example.com", 403},
		"a drop from another origin":           {"POST", "/fakeapi/drop", "Sec-Fetch-Site", "cross-site", 403},
		"a name that resolves to this machine": {"GET", widgets, "Host", "example.com", 403},
		"a name that no page can have":         {"GET", widgets, "Host", "server:1", 200},
		"an address of another machine":        {"GET", widgets, "Host", "192.0.2.1:1", 403},
		"one of IPv6":                          {"GET", widgets, "Host", "[2001:db8::1]:1", 403},
		"localhost":                            {"GET", widgets, "Host", "localhost:1", 200},
		"the IPv6 loopback":                    {"GET", widgets, "Host", "[::1]:1", 200},
		"the IPv6 loopback without a port":     {"GET", widgets, "Host", "[::1]", 200},
		"a program that is no browser":         {"POST", "/fakeapi/heal", "User-Agent", "curl", 204},
	} {
		req, err := http.NewRequest(c.method, p.url+c.path, nil)
		require.NoError(t, err)
		req.Header.Set(c.header, c.value)
		if c.header == "Host" {
			req.Host = c.value
		}
		resp, err := p.client.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, c.want, resp.StatusCode, law)
	}
}
