package wire

import (
	"crypto/subtle"
	"io"
	"net/http"
	"strings"
)

// Authorized reports whether a request has a bearer token. The scheme is compared without case (RFC
// 9110, section 11.1), the token in constant time: the time must not show how much of it was right.
func Authorized(r *http.Request, token string) bool {
	scheme, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare([]byte(sent), []byte(token)) == 1
}

// IsProbe reports whether the first segment of a path is that of a probe: /livez, or /livez/ping
// for one of its checks. Probes need no token.
func IsProbe(segment string) bool {
	return segment == "healthz" || segment == "livez" || segment == "readyz"
}

// Health answers a probe, or any check of it: the server is healthy while it answers.
func Health(w http.ResponseWriter) {
	LimitAnswer(w)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, "ok") // fails only if the client has disconnected
}
