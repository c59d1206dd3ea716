package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"example.com/watchglass/reflector/wire"
)

// way leads to a server. It can be held up, and it can tell what the server answered, which
// is all that is to be seen of a server that has no trace.
type way struct {
	base     *http.Transport
	held     gate
	answered func(watch bool, status string) // may be nil
}

// RoundTrip implements http.RoundTripper.
func (w *way) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := w.held.pass(req.Context()); err != nil {
		return nil, fmt.Errorf("held up: %w", err)
	}
	resp, err := w.base.RoundTrip(req)
	if err == nil && w.answered != nil {
		w.answered(req.URL.Query().Has("watch"), strconv.Itoa(resp.StatusCode))
	}
	return resp, err
}

// answer reports what a real server answers.
func (r *recorder) answer(watch bool, status string) {
	what := "list"
	if watch {
		what = "watch"
	}
	r.report(apiServer, "", "%s: %s", what, status)
}

// wayTo prepares the way to the server, as the flags say. Nothing is sent yet.
func wayTo(seen *recorder, o options) (*way, error) {
	client, err := wire.NewHTTPClient(wire.TLS{CAFile: o.caFile})
	if err != nil {
		return nil, fmt.Errorf("-ca-file: %w", err)
	}
	if o.tokenFile != "" {
		if err := readable(o.tokenFile); err != nil {
			return nil, err
		}
	}
	return &way{base: client.Transport.(*http.Transport), answered: seen.answer}, nil
}

// readable finds out now what would otherwise be the failure of a request.
func readable(tokenFile string) error {
	text, err := os.ReadFile(tokenFile)
	switch {
	case err != nil:
		return fmt.Errorf("-token-file: %w", err)
	case strings.TrimSpace(string(text)) == "":
		return fmt.Errorf("-token-file: %s is empty", tokenFile)
	}
	return nil
}
