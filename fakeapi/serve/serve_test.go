package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServeAnswersWhereItSays(t *testing.T) {
	p := start(t)
	p.create("web-1")
	code, body := p.send("GET", widgets, "")
	assert.Equal(t, 200, code)
	assert.Contains(t, body, `"name":"web-1"`)
	assert.Empty(t, p.stderr.String(), "all is well, so there is nothing to say")
}

func TestResourcesAreServedAsTheirFlagSays(t *testing.T) {
	p := start(t, "-resource", "example.dev/v1/gadgets=Gadget,cluster,status,select=.spec.size")
	code, body := p.send("POST", "/apis/example.dev/v1/gadgets", `{"apiVersion":"example.dev/v1",`+
		`"kind":"Gadget","metadata":{"name":"g"},"spec":{"size":"xl"}}`)
	assert.Equal(t, 201, code, body)
	code, _ = p.send("GET", "/apis/example.dev/v1/gadgets/g/status", "")
	assert.Equal(t, 200, code)
	_, body = p.send("GET", "/apis/example.dev/v1/gadgets?fieldSelector=spec.size%3Dxl", "")
	assert.Contains(t, body, `"name":"g"`)
	_, body = p.send("GET", "/apis/example.dev/v1/gadgets?fieldSelector=spec.size%3Ds", "")
	assert.NotContains(t, body, `"name":"g"`)
}

func TestATokenIsAskedFor(t *testing.T) {
	p := start(t, "-token", "secret")
	code, _ := p.send("GET", widgets, "")
	assert.Equal(t, 401, code)
	p.token = "secret"
	code, _ = p.send("GET", widgets, "")
	assert.Equal(t, 200, code)
}

func TestTLSHasACertificateThatCanBeTrusted(t *testing.T) {
	p := start(t, "-tls")
	resp := p.open("GET", "/version", "")
	resp.Body.Close()
	assert.Equal(t, "HTTP/2.0", resp.Proto)
	assert.Contains(t, filepath.Base(p.caFile), "fakeapi-ca-")

	_, err := http.Get(p.url + "/version") // not by those who have not read the file
	assert.ErrorAs(t, err, new(*tls.CertificateVerificationError))
	p.end()
	assert.NoFileExists(t, p.caFile, "a temporary file goes with its certificate")
}

func TestACertificateIsForEveryAddressThatIsListenedOn(t *testing.T) {
	p := start(t, "-tls", "-addr", "0.0.0.0:0", "-token", "secret")
	p.token = "secret"
	addrs, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range addrs {
		ip := a.(*net.IPNet).IP.To4()
		if ip == nil {
			continue
		}
		_, port, err := net.SplitHostPort(strings.TrimPrefix(p.url, "https://"))
		require.NoError(t, err)
		p.url = "https://" + net.JoinHostPort(ip.String(), port)
		code, _ := p.send("GET", "/version", "")
		assert.Equal(t, 200, code, p.url)
	}
}

func TestACertificateFileThatWasAskedForStays(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ca.pem")
	p := start(t, "-tls", "-ca-out", name)
	assert.Equal(t, name, p.caFile)
	p.end()
	assert.FileExists(t, name)
}

func TestHistoryCanBeShort(t *testing.T) {
	for _, flag := range []string{"-history-count=1", "-history-age=1ns"} {
		p := start(t, flag)
		p.create("a")
		p.create("b")
		p.create("c")
		_, body := p.send("GET", widgets+"?watch=1&resourceVersion=1", "")
		assert.Contains(t, body, `"code":410`, flag)
	}
}

func TestBookmarksComeAsOftenAsAsked(t *testing.T) {
	p := start(t, "-bookmark-interval=10ms")
	resp := p.open("GET", widgets+"?watch=1&allowWatchBookmarks=1&resourceVersion=1", "")
	defer resp.Body.Close()
	code, _ := p.send("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"c"}}`)
	require.Equal(t, 201, code)
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	require.NoError(t, err)
	assert.Contains(t, line, `"type":"BOOKMARK"`)
}

func TestAWatcherThatDoesNotReadIsCutOff(t *testing.T) {
	p := start(t, "-watch-buffer=1")
	p.client.Transport = &http.Transport{DialContext: narrow} // or the sockets would hold it all
	resp := p.open("GET", widgets+"?watch=1&resourceVersion=1", "")
	defer resp.Body.Close()
	ballast := strings.Repeat("x", 1<<20)
	for _, name := range strings.Split("abcdefgh", "") {
		code, _ := p.send("POST", widgets, `{"apiVersion":"workshop.example.dev/v1","kind":"Widget",`+
			`"metadata":{"name":"`+name+`"},"spec":{"x":"`+ballast+`"}}`)
		require.Equal(t, 201, code)
	}
	_, err := io.Copy(io.Discard, resp.Body)
	assert.Error(t, err, "what the sockets hold comes, and then the break")
}

// narrow dials a connection that takes in little at a time.
func narrow(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err == nil {
		err = c.(*net.TCPConn).SetReadBuffer(256 << 10)
	}
	return c, err
}

func TestControlIsOnlyForThoseWhoAsk(t *testing.T) {
	p := start(t)
	code, _ := p.send("POST", "/fakeapi/compact", "")
	assert.Equal(t, 404, code)

	p = start(t, "-control")
	p.create("a")
	code, _ = p.send("POST", "/fakeapi/compact", "")
	assert.Equal(t, 204, code)
	_, body := p.send("GET", widgets+"?watch=1&resourceVersion=1", "")
	assert.Contains(t, body, `"code":410`)
	code, _ = p.send("POST", "/fakeapi/inject", `{"kind":"status","code":429}`)
	assert.Equal(t, 204, code)
	code, _ = p.send("GET", widgets, "")
	assert.Equal(t, 429, code)

	watch := p.open("GET", widgets+"?watch=1&resourceVersion=2", "")
	defer watch.Body.Close()
	code, _ = p.send("POST", "/fakeapi/drop", "")
	assert.Equal(t, 204, code)
	_, err := io.Copy(io.Discard, watch.Body)
	assert.Error(t, err, "all connections are reset")
}

func TestRequestsCanBeLogged(t *testing.T) {
	p := start(t, "-v")
	p.send("GET", widgets, "")
	p.end()
	assert.Contains(t, p.stderr.String(), "url="+widgets)
}

func TestTheKubeconfigLeadsToTheServer(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config")
	secret := `a"b\c'd#e: f`
	secret = strings.ReplaceAll(secret, " ", "")
	p := start(t, "-tls", "-token", secret, "-kubeconfig", name)

	var config struct {
		CurrentContext string `json:"current-context"`
		Clusters       []struct {
			Cluster struct {
				Server string
				CA     string `json:"certificate-authority-data"`
			}
		}
		Users []struct{ User struct{ Token string } }
	}
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	inJSON, err := asJSON(string(text))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(inJSON), &config))
	assert.Equal(t, "fakeapi", config.CurrentContext)
	assert.Equal(t, p.url, config.Clusters[0].Cluster.Server)
	assert.Equal(t, secret, config.Users[0].User.Token)
	pem, err := base64.StdEncoding.DecodeString(config.Clusters[0].Cluster.CA)
	require.NoError(t, err)
	assert.True(t, x509.NewCertPool().AppendCertsFromPEM(pem))

	info, err := os.Stat(name)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode(), "a token is in it")
	p.end()
	assert.FileExists(t, name, "it stays")
	start(t, "-kubeconfig", name) // and is overwritten by the next run
}

func TestASignalEndsTheProgramInGoodOrder(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		program := exec.Command(os.Args[0], "-addr", "127.0.0.1:0")
		program.Env = append(os.Environ(), asProgram+"=yes")
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
