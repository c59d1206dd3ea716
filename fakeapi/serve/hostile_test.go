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

// An attack is what one hostile client does in each of its streams.
type attack struct {
	name    string
	prepare func(p *served)
	request func(url string) *http.Request
	reads   bool // the answer is read, and the request made again
}

const (
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	things      = "/apis/example.dev/v1/namespaces/default/things"
	configmaps  = "/api/v1/namespaces/default/configmaps"
)

// asTable asks for a table.
const asTable = "application/json;as=Table;g=meta.k8s.io;v=v1"

func get(path, accept string) func(url string) *http.Request {
	return func(url string) *http.Request {
		req, _ := http.NewRequest("GET", url+path, nil) // the URL is ours
		req.Header.Set("Accept", accept)
		return req
	}
}

func post(path string, length int, body func() io.Reader) func(url string) *http.Request {
	return func(url string) *http.Request {
		req, _ := http.NewRequest("POST", url+path, body())
		req.Header.Set("Content-Type", "application/json")
		req.ContentLength = int64(length)
		return req
	}
}

// costly is a body that takes seventy times its bytes when it is decoded.
var costly = []byte(`{"metadata":{"name":"x"},"x":[` + strings.Repeat(`{"":0},`, 440_000) + `0]}`)

// endless returns a body of which only the first byte comes.
func endless() io.Reader {
	body, _ := io.Pipe()
	return io.MultiReader(strings.NewReader("{"), body)
}

// manyHeaders adds as many headers to a watch as the server accepts.
func manyHeaders(url string) *http.Request {
	req := get(configmaps+"?watch=1", "*/*")(url)
	for i := range 400 {
		req.Header.Set(fmt.Sprintf("X%x", i), "")
	}
	return req
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
		len(costly), func() io.Reader { return bytes.NewReader(costly) }), true},
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
		strings.Repeat("%21"+strings.Repeat("k", 50)+",", 249)+"a", "*/*"), false},
	{"watches with many headers", func(*served) {}, manyHeaders, false},
}

func BenchmarkHostileClients(b *testing.B) {
	for i := range attacks {
		for _, version := range []string{"HTTP/1.1", "HTTP/2"} {
			b.Run(attacks[i].name+" over "+version, func(b *testing.B) {
				for range b.N {
					measure(b, i, version)
				}
			})
		}
	}
}

// measure makes an attack, and reports how much memory the server had at the most, and how long an
// honest client waited at the most for an answer that was no refusal.
func measure(b *testing.B, i int, version string) {
	p := serveAside(b)
	attacks[i].prepare(p)
	b.Logf("%d MB before", p.peak())
	ctx, stop := context.WithTimeout(b.Context(), attackTime)
	defer stop()
	hostile := exec.CommandContext(ctx, os.Args[0])
	hostile.Env = append(os.Environ(), fmt.Sprint(asAttackers, "=", i, " ", version, " ", p.url))
	require.NoError(b, hostile.Start())
	slowest, refused, answered := p.beHonest(ctx)
	b.ReportMetric(float64(p.peak()), "MB")
	b.ReportMetric(slowest.Seconds(), "s-slowest")
	b.ReportMetric(float64(answered), "answers")
	b.ReportMetric(float64(refused), "refusals")
	_ = hostile.Wait() // it was killed
}

// asAttackers makes this test binary the hostile clients: in a process of their own, they do not
// take the honest client's turns. Its value is an attack's index, a version and a URL.
const asAttackers = "FAKEAPI_SERVE_AS_ATTACKERS"

// beHostile attacks until the process is killed.
func beHostile(what string) {
	var i int
	var version, url string
	_, _ = fmt.Sscan(what, &i, &version, &url) // measure has written it
	for range hostileClients {
		client, n := newClient(version == "HTTP/2"), 1
		if version == "HTTP/2" {
			n = streams
		}
		for range n {
			go attacks[i].repeat(client, url)
		}
	}
	select {}
}

func (a attack) repeat(client *http.Client, url string) {
	for {
		resp, err := client.Do(a.request(url))
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if !a.reads {
			select {}
		}
		_, _ = io.Copy(io.Discard, resp.Body) // the server may break it off
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
			post(configmaps, -1, func() io.Reader {
				return strings.NewReader(fmt.Sprintf(`{"metadata":{"name":"honest-%d"}}`, i))
			})(p.url),
			get("/api/v1/namespaces/default/secrets", asTable)(p.url),
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
