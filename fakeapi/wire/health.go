package wire

import (
	"io"
	"net/http"
	"slices"
	"strings"
)

// Probes are the paths of the probes, and of the checks of each, with the names that they
// have in a real server: clients may ask for a single one.
var Probes = []string{"/healthz", "/healthz/etcd", "/healthz/log", "/healthz/ping",
	"/livez", "/livez/etcd", "/livez/log", "/livez/ping",
	"/readyz", "/readyz/etcd", "/readyz/informer-sync", "/readyz/log", "/readyz/ping",
	"/readyz/shutdown"}

// IsProbe reports whether a path is that of a probe, or of one check of a probe. Probes need
// no token.
func IsProbe(path string) bool {
	return slices.Contains(Probes, strings.TrimRight(path, "/"))
}

// Health answers a probe, or one check of it: the server is healthy while it answers.
func Health(w http.ResponseWriter) {
	limitAnswer(w)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, "ok") // fails only if the client has disconnected
}
