package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// usual is where the site is served if nothing else is asked for and the port is free.
const usual = "127.0.0.1:8099"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: it serves until ctx is done, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("site", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "", "listen on this loopback `host:port` (default "+usual+
		", or a free port where that one is taken)")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "site: %q is not a flag, and nothing else is expected\n", flags.Arg(0))
		return 2
	}
	if err := serve(ctx, *addr, stdout); err != nil {
		fmt.Fprintln(stderr, "site:", err)
		return 1
	}
	return 0
}

// serve prints the URL when the site can be read, and returns after ctx is done.
func serve(ctx context.Context, addr string, stdout io.Writer) error {
	top, err := moduleRoot()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer root.Close()
	listener, err := listen(addr)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           guard(newSite(root.FS(), goRun(ctx, top))),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }() // received from below
	fmt.Fprintf(stdout, "http://%s/\n", listener.Addr())
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	_ = server.Close() // readers lose nothing but a page that is half loaded
	<-served
	return nil
}

// listen refuses addresses that other machines can reach: what is served is for one reader.
func listen(addr string) (net.Listener, error) {
	if addr == "" {
		if l, err := net.Listen("tcp", usual); err == nil {
			return l, nil
		}
		return net.Listen("tcp", "127.0.0.1:0")
	}
	if host, _, err := net.SplitHostPort(addr); err != nil || !isLoopback(host) {
		return nil, fmt.Errorf("-addr %q is no loopback address such as %s", addr, usual)
	}
	return net.Listen("tcp", addr)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// moduleRoot is the nearest folder at or above the current one that has a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("there is no go.mod in or above %s", dir)
		}
	}
}
