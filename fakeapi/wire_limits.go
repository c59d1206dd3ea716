package fakeapi

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// How long a client may take. A real server ends a request that is not a watch
// after a minute; the other numbers are the real server's, too.
const (
	headerTimeout = 32 * time.Second
	bodyTimeout   = time.Minute
	idleTimeout   = 90 * time.Second // between requests
	maxHeader     = 1 << 20          // bytes

	// answerTimeout is for everything but a watch, whose end is its own. net/http
	// may take bodyTimeout of it to read a body that nothing has asked for.
	answerTimeout = bodyTimeout + time.Minute
)

// limitBody gives the client bodyTimeout to send the body, if there is one. The
// limit counts as well for a body that is never looked at: net/http reads it
// before it answers. At the body's end net/http lifts it.
func limitBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, time.Now().Add(bodyTimeout))
	}
}

// delayBody lifts the limit for as long as the server itself takes its time.
func delayBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, time.Time{})
	}
}

func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

func setReadDeadline(w http.ResponseWriter, t time.Time) {
	_ = http.NewResponseController(w).SetReadDeadline(t) // other servers' writers need not know it
}

// limitAnswer gives the client answerTimeout to read the answer. net/http lifts
// the limit with the answer's end.
func limitAnswer(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTimeout))
}

// readBody reads the body whatever its type, up to the limits of size and time.
func (s *Server) readBody(w http.ResponseWriter, q *request) ([]byte, error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, q.http.Body, s.opts.MaxBody))
	return b, s.bodyRead(err)
}

// skipBody reads the body of a request that needs none. What is not read now
// could come during the answer, which no limit ends in the case of a watch.
func (s *Server) skipBody(w http.ResponseWriter, q *request) error {
	if !hasBody(q.http) {
		return nil
	}
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, q.http.Body, s.opts.MaxBody))
	return s.bodyRead(err)
}

// bodyRead says why a body was not read to its end, if it was not.
func (s *Server) bodyRead(err error) error {
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return tooLargeBody(s.opts.MaxBody)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return timedOut()
	case err != nil:
		return internalError("%v", err) // a malformed chunk, a client that left
	}
	return nil
}
