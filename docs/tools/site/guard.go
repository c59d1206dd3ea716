package main

import (
	"fmt"
	"net/http"

	"example.com/watchglass/docs/tools/program"
)

// policy allows the style and the pictures of this site, and nothing else: no scripts at all.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard passes requests to next if they only read, and if their Host header is a name or an address
// of this machine. Another name there means that a web page has made its own name resolve to a
// loopback address, to read this site through the browser (DNS rebinding).
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		switch {
		case !program.IsLoopback(r.Host):
			http.Error(w, fmt.Sprintf("the site answers to localhost and loopback addresses, not to %.100q",
				r.Host), http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the site is for reading: expected GET or HEAD", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
