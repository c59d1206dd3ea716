// Command serve runs a fakeapi server for clients outside this process: kubectl, curl, a controller
// under development.
//
//	go run ./fakeapi/serve -addr 127.0.0.1:8001
//	kubectl -s http://127.0.0.1:8001 get widgets -w
//
// When it is ready it prints one line with its URL. It runs until SIGTERM or SIGINT; then it ends
// its watches, lets requests finish, and exits with 0. A second signal ends it immediately.
//
// It speaks JSON only: package fakeapi says what clients must set, and which commands of kubectl
// send something else. With -tls its certificate is made anew for each run, and clients must not
// verify it: curl -k, kubectl --insecure-skip-tls-verify.
//
// It listens on loopback. Every client that can reach it can change its objects and, with -control,
// make it fail, so it refuses any other address unless -token is given. On loopback it refuses what
// a web page in a browser of this machine can ask of it.
//
// With -control, a POST makes the server fail. The next three lists get a 429:
//
//	curl -X POST http://127.0.0.1:8001/fakeapi/inject \
//	  -d '{"kind":"status","verb":"list","count":3,"code":429,"retryAfter":"1s"}'
//
// The next update of the status of web-1 by a controller is stored, and its answer is lost:
//
//	-d '{"kind":"lost","verb":"update","resource":"widgets","subresource":"status",
//	     "namespace":"default","name":"web-1","userAgent":"my-controller/"}'
//
// The JSON has the fields of [example.com/watchglass/fakeapi.Fault] in lower camel case, and
// durations as Go writes them; the kinds are the constants of fakeapi.FaultKind. The paths
// /fakeapi/compact, /fakeapi/drop, /fakeapi/drop-watches and /fakeapi/heal need no body. The answer
// is 204, or 400 with the error as text.
//
// The exit code is 2 for wrong flags, and 1 for any other failure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/watchglass/fakeapi"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process, as signals do by default
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// grace is how long requests may take to finish after a signal.
const grace = 10 * time.Second

// run serves until ctx is done, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "serve: %v (serve -h lists the flags)\n", err)
		return 2
	}
	if c.verbose {
		c.options.Logger = slog.New(slog.NewTextHandler(stderr,
			&slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if err := c.serve(ctx, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "serve:", err)
		return 1
	}
	return 0
}

// serve prints the URL when a client that has read it can connect.
func (c *config) serve(ctx context.Context, stdout, stderr io.Writer) error {
	listener, err := c.listen()
	if err != nil {
		return err
	}
	defer listener.Close() // for the error below; the server closes it, too
	// Other machines need a token, and no web page knows it.
	c.options.Local = listener.Addr().(*net.TCPAddr).IP.IsLoopback()
	server := fakeapi.New(c.options)
	defer server.Close()
	scheme, serve := "http", server.Serve
	if c.tls {
		certificate, err := newCertificate()
		if err != nil {
			return err
		}
		scheme = "https"
		serve = func(l net.Listener) error { return server.ServeTLS(l, certificate) }
	}
	served := make(chan error, 1)
	go func() { served <- serve(listener) }() // received from below
	fmt.Fprintf(stdout, "%s://%s\n", scheme, reachable(listener.Addr()))
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return drain(server, served, stderr)
	}
}

// drain ends the server and waits until all of it has ended. Requests that take longer than grace
// are cut off. That is reported, but it is not a failure: the signal asked the program to end.
func drain(server *fakeapi.Server, served <-chan error, stderr io.Writer) error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		fmt.Fprintf(stderr, "serve: requests that took longer than %v were cut off\n", grace)
	}
	return <-served
}

// reachable returns the host and port by which this machine reaches a listener: the loopback
// address, if it listens on all addresses.
func reachable(addr net.Addr) string {
	tcp := addr.(*net.TCPAddr)
	if !tcp.IP.IsUnspecified() {
		return tcp.String()
	}
	return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
}
