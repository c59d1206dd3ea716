package fakeapi

import (
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"
)

// What decides whether a request is looked at at all. It comes before everything
// whose cost grows with the request's headers, query or body.

// guard is the refusal of a request that is not to be looked at; nil for others.
// Probes need no token.
func (s *Server) guard(r *http.Request, probe bool) *Status {
	switch err := origins.Check(r); {
	case !s.allowsHost(r.Host):
		return forbidden("the server does not answer to the host %.100q: expected localhost, "+
			"a loopback address, a name without a dot, or one of those allowed", r.Host)
	case err != nil:
		return forbidden("a web page of another origin has sent this request: %v", err)
	case !probe && !s.authorized(r):
		return unauthorized()
	}
	return nil
}

// origins finds the requests by which a web page of another origin wants to
// change something. A browser sends them, although the page cannot read the
// answers. Other clients do not send the headers that are looked at.
var origins http.CrossOriginProtection

// allowsHost says whether requests may call the server by a name. A web page can
// have its own name resolve to the server's address (DNS rebinding): to the
// browser both are then of one origin, and the name is the only difference.
//
// Such a name has a dot in it, because the public DNS has no others. A name
// without one is of the machine or its network (a service in a compose file, an
// entry in /etc/hosts), so clients that use one keep working.
func (s *Server) allowsHost(host string) bool {
	if len(s.opts.AllowHosts) == 0 {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return ip.IsLoopback() || slices.Contains(s.opts.AllowHosts, host)
	}
	return !strings.Contains(host, ".") && len(host) <= longestLabel ||
		slices.ContainsFunc(s.opts.AllowHosts, func(allowed string) bool {
			return strings.EqualFold(host, allowed)
		})
}

// longestLabel is how many bytes the DNS allows between two dots (RFC 1035).
const longestLabel = 63

// authorized checks the bearer token, if the server wants one. The scheme is
// compared without case (RFC 9110, section 11.1), the token in a time that does
// not tell how much of it was right.
func (s *Server) authorized(r *http.Request) bool {
	if s.opts.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare([]byte(token), []byte(s.opts.Token)) == 1
}

// refuse answers a request that is not looked at: in plain JSON, whatever it asks
// for.
func refuse(w http.ResponseWriter, status *Status) {
	limitAnswer(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status.Code)
	_, _ = w.Write(append(status.encode(), '\n')) // an error says that the client has gone
}
