package main

import (
	"fmt"
	"net/http"
	"net/url"

	"example.com/watchglass/docs/tools/program"
)

// policy allows the page its own style and script, and nothing else. There is no inline script, so
// a name that is shown cannot become one.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// presses is the header that a press of a button must have. A browser lets a page of another origin
// send it only after a preflight request, to which this program does not agree.
const presses = "X-Watchglass"

// guard passes on to next the requests that were meant for this machine and, if they press a
// button, come from its own page. A request for another host name comes from a web page whose name
// was made to resolve to this machine (DNS rebinding). The browser would let that page read the
// answer.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "DENY")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("Cache-Control", "no-store")
		if err := refuse(r); err != nil {
			fail(w, http.StatusForbidden, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuse says why a request is not answered.
func refuse(r *http.Request) error {
	if !program.IsLoopback(r.Host) {
		return fmt.Errorf("this page answers to localhost and loopback addresses, not to %.100q", r.Host)
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return fmt.Errorf("the request comes from another site (%.100q)", site)
	}
	if origin := r.Header.Get("Origin"); origin != "" && !sameOrigin(origin, r.Host) {
		return fmt.Errorf("the request comes from another origin, %.100q", origin)
	}
	if r.Method == http.MethodPost && r.Header.Get(presses) == "" {
		return fmt.Errorf("the header %s is missing", presses)
	}
	if r.Method == http.MethodPost && r.Header.Get("Origin") == "" {
		return fmt.Errorf("the header Origin is missing")
	}
	return nil
}

// sameOrigin compares an Origin header with the host that was asked for. The port counts: another
// program on this machine is another origin.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && u.Host == host
}
