package wire

import (
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// A Guard decides whether the server handles a request at all. It runs before all work that
// grows with the request's headers, query or body.
type Guard struct {
	Token      string   // every request needs it as a bearer token; empty: none
	AllowHosts []string // names that the Host header may have; empty: all
}

// Check returns the refusal of a request that the server does not handle; nil for others.
// Probes need no token.
func (g Guard) Check(r *http.Request, probe bool) *status.Status {
	switch err := origins.Check(r); {
	case !g.allowsHost(r.Host):
		return status.Forbidden("the server does not answer to the host %.100q: expected localhost, "+
			"a loopback address, a name without a dot, or an allowed name", r.Host)
	case err != nil:
		return status.Forbidden("a web page of another origin has sent this request: %v", err)
	case !probe && !g.authorizes(r):
		return status.Unauthorized()
	}
	return nil
}

// origins finds requests of web pages of another origin that could change something. A
// browser sends them although the page cannot read the answers. Clients that are not
// browsers do not send the headers that it checks.
var origins http.CrossOriginProtection

// allowsHost reports whether requests may have a name in their Host header. A web page
// can have its own name resolve to the server's address (DNS rebinding): for the browser
// the page and the server then have the same origin, and only the name shows the attack.
//
// Such a name has a dot in it, because the public DNS has no others. A name without a dot
// belongs to the machine or its network (a service in a compose file, an entry in
// /etc/hosts), so clients that use such a name keep working.
func (g Guard) allowsHost(host string) bool {
	if len(g.AllowHosts) == 0 {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return ip.IsLoopback() || slices.Contains(g.AllowHosts, host)
	}
	return !strings.Contains(host, ".") && len(host) <= longestLabel ||
		slices.ContainsFunc(g.AllowHosts, func(allowed string) bool {
			return strings.EqualFold(host, allowed)
		})
}

// longestLabel is how many bytes the DNS allows between two dots (RFC 1035).
const longestLabel = 63

// authorizes checks the bearer token, if the server has one. The scheme is compared
// without case (RFC 9110, section 11.1), the token in constant time: the time must not
// show how much of it was right.
func (g Guard) authorizes(r *http.Request) bool {
	if g.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare([]byte(token), []byte(g.Token)) == 1
}

// Probes lists the paths of the probes and of their checks, named as in a real server: clients may
// ask for a single check.
var Probes = []string{"/healthz", "/healthz/etcd", "/healthz/log", "/healthz/ping", "/livez",
	"/livez/etcd", "/livez/log", "/livez/ping", "/readyz", "/readyz/etcd", "/readyz/informer-sync",
	"/readyz/log", "/readyz/ping", "/readyz/shutdown"}

// IsProbe reports whether a path is that of a probe, or of one check of a probe. Probes need
// no token.
func IsProbe(path string) bool { return slices.Contains(Probes, strings.TrimRight(path, "/")) }

// Health answers a probe, or one check of it: the server is healthy while it answers.
func Health(w http.ResponseWriter) {
	LimitAnswer(w)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, "ok") // fails only if the client has disconnected
}
