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

// NewHTTPClient returns a client that is fit for watches: HTTP/2 where the server offers it, with
// pings; proxies as HTTP_PROXY, HTTPS_PROXY and NO_PROXY say; compressed lists. Give the same one
// to all [Client] values of an API server, so that they share its connections. It fails if a file
// that t names cannot be read or does not hold what it should.
//
// The pings are what ends a watch on an HTTP/2 connection whose other end is gone. Such a
// connection is shared, and as long as one stream on it is open, net/http opens the next on it as
// well: a watch that is given up for its silence would be opened again on the dead connection, and
// again. An http.Client of your own should set [http.HTTP2Config.SendPingTimeout] for this reason.
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

// defaultHTTPClient is the one of a [Client] that was not given any.
var defaultHTTPClient = newHTTPClient(nil, http.ProxyFromEnvironment)
