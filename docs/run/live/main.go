//go:build !js

package main

import (
	"context"
	"crypto/rand"
	"flag"
	"io"
	"net/http"
	"strings"
	"sync"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/reflector/client"
	"example.com/watchglass/reflector/cluster"
)

// usual is where the page is served without -addr, if the port is free.
const usual = "127.0.0.1:8098"

func main() { program.Main("live", run) }

// run is the program: it serves until ctx is done.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("live", flag.ContinueOnError)
	addr := flags.String("addr", "", "listen on this loopback `host:port` (default "+usual+
		", or a free port where that one is taken)")
	queue := flags.String("queue", tape.DeltaFIFO,
		"the `kind` of queue: "+tape.DeltaFIFO+" or "+tape.RealFIFO)
	server := flags.String("server", "", "only read a real API server at this `URL`, "+
		"for example http://127.0.0.1:8001 with kubectl proxy running")
	kubeconfig := flags.String("kubeconfig", "", "only read the server of this kubeconfig, "+
		"a `file` as kubectl config view --raw -o json prints it")
	resource := flags.String("resource", "/api/v1/pods",
		"with -server or -kubeconfig: the `path` of a collection")
	err := program.Parse(flags, args,
		"A page on which an informer runs, to stop it and look inside.", stdout)
	switch { // flags that contradict each other would mislead, if they were silently ignored
	case err != nil:
		return err
	case *queue != tape.DeltaFIFO && *queue != tape.RealFIFO:
		return program.Misuse("-queue %q is neither %s nor %s", *queue, tape.DeltaFIFO, tape.RealFIFO)
	case *server != "" && *kubeconfig != "":
		return program.Misuse("-server and -kubeconfig both say which server to read: give one of them")
	case *server+*kubeconfig == "":
		return program.Misuse("give the server to read, -server or -kubeconfig; " +
			"a machine with a server of its own is a page of the book: make live")
	case !strings.HasPrefix(*resource, "/"):
		return program.Misuse("-resource %q must begin with a slash, as /api/v1/pods does", *resource)
	}
	real, err := collection(*server, *kubeconfig, *resource)
	if err != nil {
		return err
	}
	listener, err := program.Listen(*addr, usual)
	if err != nil {
		return err
	}
	defer listener.Close()
	source := tape.OpenSource()
	m, err := tape.New(tape.Options{Queue: *queue, Real: &real, Source: source})
	if err != nil {
		return err
	}
	defer m.Close()
	p := &page{run: rand.Text(), machine: m, module: source, begin: sync.OnceValue(m.Open)}
	return program.Serve(ctx, listener, "", p.handler(), stdout)
}

// collection says where the collection of a real server is, and how to get there.
func collection(server, kubeconfig, resource string) (client.Options, error) {
	if kubeconfig != "" {
		c, err := cluster.LoadKubeconfig(kubeconfig, "")
		if err != nil {
			return client.Options{}, err
		}
		return client.Options{URL: c.URL(resource), HTTPClient: c.HTTPClient}, nil
	}
	httpClient, err := cluster.NewHTTPClient(cluster.Options{})
	return client.Options{URL: strings.TrimRight(server, "/") + resource, HTTPClient: httpClient}, err
}

// policy allows the page its own style and script, and nothing else. There is no inline script, so
// a name that is shown cannot become one.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// handler serves the page, which asks this server where that of the book asks the program inside
// it.
func (p *page) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(static.Files))
	mux.HandleFunc("GET /program.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, static.Files, "server.js")
	})
	mux.HandleFunc("GET /scenes.json", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, []string{})
	})
	asked := p.asked()
	for _, path := range []string{"GET /state", "GET /events", "GET /source", "POST /do"} {
		mux.Handle(path, asked)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}
