package cluster

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// DefaultClient is what [NewHTTPClient] returns for zero options, with which nothing can be wrong.
// It is shared by all clients of package client that were not given another one.
var DefaultClient, _ = NewHTTPClient(Options{})

// NewHTTPClient returns a client that suits watches: HTTP/2 where the server offers it, with pings;
// the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; compressed lists. Use one client for all
// collections of an API server, so that they share its connections. NewHTTPClient returns an error
// if a certificate or a key cannot be read or used. A token is not read before the first request.
// It sends nothing.
//
// The pings detect an HTTP/2 connection whose other end is gone. Such a connection is shared, and
// as long as one stream on it is open, net/http opens the next one on it as well. So without pings,
// a watch that is closed for its silence would be opened again on the dead connection, and again.
// Set [http.HTTP2Config.SendPingTimeout] in an http.Client of your own for the same reason.
func NewHTTPClient(opts Options) (*http.Client, error) {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	t := &transport{opts: opts, dial: dialer.DialContext}
	if _, err := t.connections(); err != nil {
		return nil, err
	}
	return &http.Client{Transport: t}, nil
}

// CredentialsError is an error of the client's own token or certificate. The server has no part in
// it, so asking the server again does not help.
type CredentialsError struct{ Err error }

// Error says which of them, and what is wrong with it.
func (e *CredentialsError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *CredentialsError) Unwrap() error { return e.Err }

// transport sends requests with what the files of its options hold at that time.
//
// A certificate belongs to a connection, and over HTTP/2 a connection with open watches does not
// end. New requests would be sent on it forever, and be refused when its certificate has expired.
// So when a file has changed, the next request gets a new [http.Transport], which dials anew. The
// old one keeps the watches that are open on it. When they have ended it closes its connections,
// those over HTTP/2 after IdleConnTimeout.
//
// The files are read for each request. Lists and watches are so rare that a cache would save
// nothing, and polling would need a goroutine, and a way to end it.
type transport struct {
	opts Options
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu     sync.Mutex
	latest *http.Transport // for new requests. Guarded by mu.
	made   material        // what latest was made with. Guarded by mu.
}

// RoundTrip implements [http.RoundTripper]. If the files cannot be used and the server refuses what
// they held before, it says so: "unauthorized" alone would be no help.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	conns, unusable := t.connections()
	authorized, err := t.authorize(req)
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, &CredentialsError{err}
	}
	resp, err := conns.RoundTrip(authorized)
	switch {
	case unusable == nil:
	case err != nil:
		return nil, fmt.Errorf("%w (%v)", err, unusable)
	case resp.StatusCode == http.StatusUnauthorized:
		_ = resp.Body.Close()
		return nil, &CredentialsError{unusable}
	}
	return resp, err
}

// CloseIdleConnections is for [http.Client.CloseIdleConnections].
func (t *transport) CloseIdleConnections() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.latest.CloseIdleConnections()
}

// connections returns the transport for a new request. If it returns an error as well, the files
// cannot be used now, and the transport has what they held before; nil if that never was usable.
func (t *transport) connections() (*http.Transport, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, err := t.opts.read()
	if err != nil || t.latest != nil && now == t.made {
		return t.latest, err
	}
	config, err := t.opts.config(now)
	if err != nil {
		return t.latest, err
	}
	if t.latest != nil {
		t.latest.CloseIdleConnections()
	}
	t.latest, t.made = t.newTransport(), now
	t.latest.TLSClientConfig = config
	return t.latest, nil
}

// How long a connection over HTTP/2 may be silent before it is tested with a ping, and how long the
// answer may take. The values are client-go's.
const (
	pingAfter   = 30 * time.Second
	pingTimeout = 15 * time.Second
)

// connBuffer is the size in bytes of a connection's read buffer. The default of net/http, 4 KiB,
// is about one Pod, so a burst of events would cost a system call each.
const connBuffer = 64 << 10

func (t *transport) newTransport() *http.Transport {
	proxy := t.opts.Proxy
	if proxy == nil {
		proxy = http.ProxyFromEnvironment
	}
	return &http.Transport{
		Proxy:               proxy,
		DialContext:         t.dial,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true, // a TLSClientConfig would turn it off
		IdleConnTimeout:     90 * time.Second,
		ReadBufferSize:      connBuffer,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: pingAfter,
			PingTimeout:     pingTimeout,
		},
	}
}

// authorize returns req with the token. A request that a redirect has led to another host, or from
// https to http, gets none: the token is for the API server, and a secret.
func (t *transport) authorize(req *http.Request) (*http.Request, error) {
	token, err := t.opts.token()
	first := origin(req)
	if err != nil || token == "" || req.Header.Get("Authorization") != "" ||
		first.Host != req.URL.Host || first.Scheme != req.URL.Scheme {
		return req, err
	}
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+token)
	return req, nil
}

// origin returns the URL of the first request of a series of redirects.
func origin(req *http.Request) *url.URL {
	for req.Response != nil && req.Response.Request != nil {
		req = req.Response.Request
	}
	return req.URL
}
