package program

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// Listen listens on addr, and refuses an address that other machines can reach: what is served is
// for one reader. Without addr it listens on usual, or on a free port if that one is taken.
func Listen(addr, usual string) (net.Listener, error) {
	if addr == "" {
		if l, err := net.Listen("tcp", usual); err == nil {
			return l, nil
		}
		return net.Listen("tcp", "127.0.0.1:0")
	}
	if _, _, err := net.SplitHostPort(addr); err != nil || !IsLoopback(addr) {
		return nil, fmt.Errorf("-addr %q is no loopback address such as %s", addr, usual)
	}
	return net.Listen("tcp", addr)
}

// IsLoopback reports whether a host, with a port or without, is localhost or a loopback address. A
// page that answers to other names can be read by a web page that makes its own name resolve to
// this machine (DNS rebinding).
func IsLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Serve prints the URL when the page can be opened, and serves until ctx is done. Then it cuts off
// the answers that are under way, and returns nil.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, stdout io.Writer) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }() // received from below
	_, _ = fmt.Fprintf(stdout, "http://%s/\n", l.Addr())
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	_ = server.Close()
	<-served
	return nil
}
