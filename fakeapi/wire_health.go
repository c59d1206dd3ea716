package fakeapi

import (
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

// health answers a probe, or one check of it: the server is healthy while it answers.
func (s *Server) health(w http.ResponseWriter) {
	limitAnswer(w)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, "ok") // fails only if the client has disconnected
}
