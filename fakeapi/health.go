package fakeapi

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// healthChecks are the checks that each probe consists of. This server has
// nothing that could fail but is asked for by name all the same.
var healthChecks = map[string][]string{
	"healthz": {"ping", "log", "etcd"},
	"livez":   {"ping", "log", "etcd"},
	"readyz":  {"ping", "log", "etcd", "informer-sync", "shutdown"},
}

// health answers the paths that need no token: probes, and nothing else. One
// check of a probe is below its path: /livez/ping.
func (s *Server) health(w http.ResponseWriter, r *http.Request, parts []string) bool {
	checks, ok := healthChecks[parts[0]]
	switch {
	case !ok:
		return false
	case len(parts) == 1:
		w.Header().Set("X-Content-Type-Options", "nosniff")
		sendText(w, healthReport(parts[0], checks, r))
	case slices.Contains(checks, strings.Join(parts[1:], "/")):
		sendText(w, "ok")
	default:
		return false // as unknown as any other path
	}
	return true
}

func sendText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text) // a client that has gone is no error of ours
}

// healthReport is what a probe says: one word, or with ?verbose a line for each
// check that ?exclude has not taken out.
func healthReport(probe string, checks []string, r *http.Request) string {
	query := r.URL.Query()
	if !query.Has("verbose") {
		return "ok"
	}
	var b strings.Builder
	for _, check := range checks {
		if !slices.Contains(query["exclude"], check) {
			fmt.Fprintf(&b, "[+]%s ok\n", check)
		}
	}
	var unknown []string
	for _, name := range query["exclude"] {
		if !slices.Contains(checks, name) {
			unknown = append(unknown, fmt.Sprintf("%q", name))
		}
	}
	if len(unknown) > 0 {
		fmt.Fprintf(&b, "warn: some health checks cannot be excluded: no matches for %s\n",
			strings.Join(unknown, ","))
	}
	fmt.Fprintf(&b, "%s check passed\n", probe)
	return b.String()
}
