package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asProgram makes this test binary the program itself, for tests that send it signals.
const asProgram = "FAKEAPI_SERVE_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	if what := os.Getenv(asAttackers); what != "" {
		beHostile(what)
	}
	os.Exit(m.Run())
}

const widgets = "/apis/workshop.example.dev/v1/namespaces/default/widgets"

// A program is a call of run in this process, on a free port.
type program struct {
	t      *testing.T
	url    string // the line that it printed
	token  string // sent with every request
	client *http.Client
	stop   context.CancelFunc
	code   chan int // its exit code, once
	stderr *strings.Builder
}

// start runs the program until it is ready. It is stopped at the end of the test.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	p := &program{t: t, stop: stop, code: make(chan int, 1), stderr: &strings.Builder{},
		client: &http.Client{Transport: &http.Transport{}}}
	out, in := io.Pipe()
	go func() { // end waits for it
		code := run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), in, p.stderr)
		in.Close()
		p.code <- code
	}()
	t.Cleanup(p.end)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "it printed nothing; %s", p.stderr)
	p.url = strings.TrimSuffix(line, "\n")
	if strings.HasPrefix(p.url, "https:") {
		p.client.Transport = &http.Transport{ForceAttemptHTTP2: true,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	}
	return p
}

// end stops the program and checks its exit code. A second call does nothing.
func (p *program) end() {
	if p.stop == nil {
		return
	}
	p.client.CloseIdleConnections()
	p.stop()
	p.stop = nil
	assert.Zero(p.t, <-p.code, "the exit code of a program that was stopped is 0")
}

// send makes a request and returns its code and its whole answer.
func (p *program) send(method, path string) (int, string) {
	p.t.Helper()
	req, err := http.NewRequest(method, p.url+path, nil)
	require.NoError(p.t, err)
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	resp, err := p.client.Do(req)
	require.NoError(p.t, err)
	defer resp.Body.Close()
	assert.Equal(p.t, strings.HasPrefix(p.url, "https:"), resp.ProtoMajor == 2, "HTTP/2 with TLS")
	b, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	return resp.StatusCode, string(b)
}

// fails runs the program with flags that make it fail before it serves.
func fails(args ...string) (code int, stderr string) {
	var errs strings.Builder
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // otherwise a program that does not fail would never end
	code = run(ctx, args, io.Discard, &errs)
	return code, errs.String()
}
