package wire

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// ToThisMachine refuses what a web page elsewhere can make a browser ask of a server on this
// machine: a request under a name that was made to resolve to this machine, so that the page may
// read the answer (DNS rebinding), and a write from another origin. A page can have such a name
// only with a dot in it, so one without is accepted. Programs that are no browsers notice neither.
func ToThisMachine(next http.Handler) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !IsLoopback(r.Host) && strings.ContainsAny(hostname(r.Host), ".:") {
			http.Error(w, "this server answers to localhost and loopback addresses only",
				http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsLoopback reports whether a host, with a port or without, is localhost or a loopback address.
func IsLoopback(host string) bool {
	name := hostname(host)
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.IsLoopback()
}

// hostname returns a host without its port, and an IPv6 address without brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
