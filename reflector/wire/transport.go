package wire

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"
)

// How long a connection over HTTP/2 may be silent before it is tested with a ping, and how long the
// answer may take. The values are client-go's.
const (
	pingAfter   = 30 * time.Second
	pingTimeout = 15 * time.Second
)

// connBuffer is the size in bytes of a connection's read buffer. The default of net/http, 4 KiB,
// is about one Pod, so a burst of events would cost a system call each.
const connBuffer = 64 << 10

// NewHTTPClient returns a client that suits watches: HTTP/2 where the server offers it, with pings;
// the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; compressed lists. Give the same one to all
// [Client] values of an API server, so that they share its connections. It returns an error if a
// file that t names cannot be read, or if what t gives cannot be used.
//
// The pings detect an HTTP/2 connection whose other end is gone. Such a connection is shared, and
// as long as one stream on it is open, net/http opens the next one on it as well. So without pings,
// a watch that is closed for its silence would be opened again on the dead connection, and again.
// Set [http.HTTP2Config.SendPingTimeout] in an http.Client of your own for the same reason.
func NewHTTPClient(t TLS) (*http.Client, error) {
	config, err := t.config()
	if err != nil {
		return nil, err
	}
	return newHTTPClient(config, http.ProxyFromEnvironment), nil
}

func newHTTPClient(
	config *tls.Config, proxy func(*http.Request) (*url.URL, error),
) *http.Client {
	dialer := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{Transport: &http.Transport{
		Proxy:               proxy,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     config,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true, // a TLSClientConfig would turn it off
		IdleConnTimeout:     90 * time.Second,
		ReadBufferSize:      connBuffer,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: pingAfter,
			PingTimeout:     pingTimeout,
		},
	}}
}

// defaultHTTPClient is shared by all [Client] values that were not given an HTTP client.
var defaultHTTPClient = newHTTPClient(nil, http.ProxyFromEnvironment)
