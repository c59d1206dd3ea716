package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

func TestTLSHasACertificateThatCanBeTrusted(t *testing.T) {
	p := start(t, "-tls", "-v")
	assert.Contains(t, filepath.Base(p.caFile), "fakeapi-ca-")

	_, err := http.Get(p.url + "/version") // a client that has not read the file does not trust it
	assert.ErrorAs(t, err, new(*tls.CertificateVerificationError))
	p.end()
	assert.NoFileExists(t, p.caFile, "the temporary file is removed at the end")
	assert.Contains(t, p.stderr.String(), "url=/version", "-v logs requests")

	name := filepath.Join(t.TempDir(), "ca.pem")
	for range 2 { // the second run overwrites the file of the first
		p = start(t, "-tls", "-ca-out", name)
		assert.Equal(t, name, p.caFile)
		p.end()
		assert.FileExists(t, name, "a file that was asked for stays")
		assert.Empty(t, p.stderr.String(), "without -v")
	}
}

func TestTheKubeconfigLeadsToTheServer(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config") // it stays, and is overwritten by the next run
	const secret = `a"b\c'd#e:f`
	for args, token := range map[string]string{"-tls -token " + secret: secret, "-tls=false": "",
		"-tls": "any"} { // or kubectl would ask for a user name
		p := start(t, append(strings.Fields(args), "-kubeconfig", name)...)
		p.end()
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var k struct {
			CurrentContext string `json:"current-context"`
			Contexts       []struct {
				Context struct{ Cluster, User, Namespace string }
			}
			Clusters []struct {
				Cluster struct {
					Server   string
					CA       []byte `json:"certificate-authority-data"`
					Insecure bool   `json:"insecure-skip-tls-verify"`
				}
			}
			Users []struct{ User struct{ Token string } }
		}
		require.NoError(t, json.Unmarshal(text, &k), "JSON, which is YAML")
		assert.Equal(t, "fakeapi", k.CurrentContext)
		assert.Equal(t, "default", k.Contexts[0].Context.Namespace)
		cluster, tls := k.Clusters[0].Cluster, p.caFile != ""
		assert.Equal(t, p.url, cluster.Server)
		assert.Equal(t, token, k.Users[0].User.Token)
		assert.Equal(t, tls, x509.NewCertPool().AppendCertsFromPEM(cluster.CA))
		assert.Equal(t, !tls, cluster.Insecure, "or the JavaScript client refuses plain HTTP")
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode(), "a token may be in it")
	}
}

func TestFilesOfOthersAreNotOverwritten(t *testing.T) {
	precious := "apiVersion: v1\nkind: Config\n"
	for _, c := range []struct{ law, flag, content string }{
		{"a kubeconfig in YAML", "-kubeconfig", precious},
		{"a kubeconfig in JSON", "-kubeconfig", `{"kind":"Config","apiVersion":"v1"}`},
		{"a certificate", "-ca-out", "-----BEGIN CERTIFICATE-----\n"},
	} {
		name := filepath.Join(t.TempDir(), "precious")
		require.NoError(t, os.WriteFile(name, []byte(c.content), 0o600))
		code, stderr := fails("-addr", "127.0.0.1:0", "-tls", c.flag, name)
		assert.Equal(t, 1, code, c.law)
		assert.Contains(t, stderr, c.flag+": "+name+" exists and was not written by this program", c.law)
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, c.content, string(content), c.law)
	}
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
