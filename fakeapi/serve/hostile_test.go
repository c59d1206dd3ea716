package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The server says what it promises under hostile clients; this file measures it: make hostile. Each
// attack is made by 64 clients, with one request at a time over HTTP/1.1, and with a hundred over
// HTTP/2, while an honest client makes small requests.
const (
	hostileClients = 64
	streams        = 100 // all that a connection has
	attackTime     = 10 * time.Second
)

// An attack is what one hostile client does, until ctx is done, in each of its streams.
type attack struct {
	name    string
	prepare func(p *served)
	request func(ctx context.Context, url string) *http.Request
	reads   bool // the answer is read, and the request made again
}

const (
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	things      = "/apis/example.dev/v1/namespaces/default/things"
	configmaps  = "/api/v1/namespaces/default/configmaps"
)

// asTable asks for a table.
const asTable = "application/json;as=Table;g=meta.k8s.io;v=v1"

func get(path, accept string) func(context.Context, string) *http.Request {
	return func(ctx context.Context, url string) *http.Request {
		req, _ := http.NewRequestWithContext(ctx, "GET", url+path, nil) // the URL is ours
		req.Header.Set("Accept", accept)
		return req
	}
}

func post(path string, length int, body func(context.Context) io.Reader) func(context.Context,
	string) *http.Request {
	return func(ctx context.Context, url string) *http.Request {
		req, _ := http.NewRequestWithContext(ctx, "POST", url+path, body(ctx))
		req.Header.Set("Content-Type", "application/json")
		req.ContentLength = int64(length)
		return req
	}
}

// costly is a body that takes seventy times its bytes when it is decoded.
var costly = []byte(`{"metadata":{"name":"x"},"x":[` + strings.Repeat(`{"":0},`, 440_000) + `0]}`)

// endless returns a body of which only the first byte comes.
func endless(ctx context.Context) io.Reader {
	body, end := io.Pipe()
	context.AfterFunc(ctx, func() { end.Close() })
	return io.MultiReader(strings.NewReader("{"), body)
}

// define makes a definition of things with columns and a description.
func define(p *served, group, column, description string) {
	columns := strings.Repeat(`{"name":"c","type":"string","jsonPath":"`+column+`"},`, 32)
	p.write(definitions, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
		"metadata":{"name":"things.`+group+`"},"spec":{"group":"`+group+`","scope":"Namespaced",
		"names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,
		"storage":true,"schema":{"openAPIV3Schema":{"type":"object","description":"`+description+`"}},
		"additionalPrinterColumns":[`+strings.TrimSuffix(columns, ",")+`]}]}}`)
}

// fill makes things with a spec.
func fill(p *served, n int, spec string) {
	for i := range n {
		p.write(things, fmt.Sprintf(`{"apiVersion":"example.dev/v1","kind":"Thing",
			"metadata":{"name":"a%d"},"spec":%s}`, i, spec))
	}
}

var attacks = []attack{
	{"bodies that are costly to decode", func(*served) {}, post(configmaps+"?dryRun=All",
		len(costly), func(context.Context) io.Reader { return bytes.NewReader(costly) }), true},
	{"bodies that never end", func(*served) {}, post(configmaps, 3<<20, endless), false},
	{"OpenAPI documents that nobody reads", func(p *served) {
		for i := range 20 {
			define(p, fmt.Sprintf("v%d.example.dev", i), ".spec", strings.Repeat("d", 1_400_000))
		}
	}, get("/openapi/v3/apis/v1.example.dev/v1", "*/*"), false},
	{"indented tables that nobody reads", func(p *served) {
		define(p, "example.dev", ".spec.x", "")
		fill(p, 200, `{"x":"`+strings.Repeat("x", 1_000)+`"}`)
	}, get(things+"?pretty=1", asTable), false},
	{"tables with costly columns", func(p *served) {
		define(p, "example.dev", ".spec.x[?(@>1)]", "")
		fill(p, 10, `{"x":[`+strings.Repeat("1,", 700_000)+`1]}`)
	}, get(things, asTable), true},
	{"watches with long selectors", func(*served) {}, get(configmaps+"?watch=1&labelSelector="+
		strings.Repeat("%21"+strings.Repeat("k", 50)+",", 900)+"a", "*/*"), false},
}

func BenchmarkHostileClients(b *testing.B) {
	for _, a := range attacks {
		for _, version := range []string{"HTTP/1.1", "HTTP/2"} {
			b.Run(a.name+" over "+version, func(b *testing.B) {
				for range b.N {
					a.measure(b, version == "HTTP/2")
				}
			})
		}
	}
}

// measure makes an attack, and reports how much memory the server had at the most, and how long an
// honest client waited at the most for an answer that was no refusal.
func (a attack) measure(b *testing.B, http2 bool) {
	p := serveAside(b)
	a.prepare(p)
	b.Logf("%d MB before", p.peak())
	ctx, stop := context.WithTimeout(b.Context(), attackTime)
	defer stop()
	var all sync.WaitGroup
	for range hostileClients {
		client, n := newClient(http2), 1
		if http2 {
			n = streams
		}
		for range n {
			all.Go(func() { a.repeat(ctx, client, p.url) })
		}
	}
	slowest, refused, answered := p.beHonest(ctx)
	b.ReportMetric(float64(p.peak()), "MB")
	b.ReportMetric(slowest.Seconds(), "s-slowest")
	b.ReportMetric(float64(answered), "answers")
	b.ReportMetric(float64(refused), "refusals")
	stop()
	all.Wait()
}

func (a attack) repeat(ctx context.Context, client *http.Client, url string) {
	for ctx.Err() == nil {
		resp, err := client.Do(a.request(ctx, url))
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if a.reads {
			_, _ = io.Copy(io.Discard, resp.Body) // the server may break it off
		} else {
			<-ctx.Done()
		}
		resp.Body.Close()
	}
}

// newClient returns a client with one connection.
func newClient(http2 bool) *http.Client {
	return &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: http2, MaxConnsPerHost: 1,
		ReadBufferSize: 4 << 10, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		TLSNextProto: map[bool]map[string]func(string, *tls.Conn) http.RoundTripper{false: {}}[http2],
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10,
			StrictMaxConcurrentRequests: true}}}
}

// A served is a server in a process of its own.
type served struct {
	b   testing.TB
	url string
	pid int
}

func serveAside(b *testing.B) *served {
	program := exec.Command(os.Args[0], "-addr", "127.0.0.1:0", "-tls")
	program.Env = append(os.Environ(), asProgram+"=yes")
	stdout, err := program.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, program.Start())
	b.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait() // it was killed
	})
	url, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(b, err)
	return &served{b, strings.TrimSpace(url), program.Process.Pid}
}

func (p *served) write(path, body string) {
	resp, err := newClient(true).Post(p.url+path, "application/json", strings.NewReader(body))
	require.NoError(p.b, err)
	defer resp.Body.Close()
	require.Equal(p.b, 201, resp.StatusCode)
}

// beHonest writes and reads something small, again and again, each time over a new connection.
func (p *served) beHonest(ctx context.Context) (slowest time.Duration, refused, answered int) {
	for i := 0; ctx.Err() == nil; i++ {
		client := newClient(i%2 == 0)
		for _, req := range []*http.Request{
			post(configmaps, -1, func(context.Context) io.Reader {
				return strings.NewReader(fmt.Sprintf(`{"metadata":{"name":"honest-%d"}}`, i))
			})(context.Background(), p.url),
			get("/api/v1/namespaces/default/secrets", asTable)(context.Background(), p.url),
		} {
			begin := time.Now()
			resp, err := client.Do(req)
			require.NoError(p.b, err)
			slowest = max(slowest, time.Since(begin))
			if answered++; resp.StatusCode >= 300 {
				refused++
			}
			_, _ = io.Copy(io.Discard, resp.Body) // small
			resp.Body.Close()
		}
		client.CloseIdleConnections()
		time.Sleep(50 * time.Millisecond)
	}
	return slowest, refused, answered
}

// peak returns the most memory in MB that the process has had, on Linux; 0 elsewhere.
func (p *served) peak() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	kilobytes := regexp.MustCompile(`VmHWM:\s+(\d+)`).FindSubmatch(text)
	if kilobytes == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(kilobytes[1])) // digits
	return n >> 10
}
