package fakeapi

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// healthChecks are the checks of each probe, with the names that they have in a real
// server: clients may ask for a single one. None of them can fail here.
var healthChecks = map[string][]string{
	"healthz": {"ping", "log", "etcd"},
	"livez":   {"ping", "log", "etcd"},
	"readyz":  {"ping", "log", "etcd", "informer-sync", "shutdown"},
}

// isProbe reports whether a path is that of a probe, or of one check of a probe:
// /livez/ping. Probes need no token.
func isProbe(path string) bool {
	probe, check, _ := strings.Cut(strings.Trim(path, "/"), "/")
	checks, ok := healthChecks[probe]
	return ok && !strings.HasPrefix(path, "//") && (check == "" || slices.Contains(checks, check))
}

// health answers a probe.
func (s *Server) health(w http.ResponseWriter, r *http.Request, parts []string) {
	limitAnswer(w)
	if len(parts) > 1 {
		sendText(w, "ok")
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	sendText(w, healthReport(parts[0], healthChecks[parts[0]], r))
}

func sendText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text) // fails only if the client has disconnected
}

// healthReport is the answer to a probe: one word, or with ?verbose a line for each
// check that ?exclude does not name.
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
