package fakeapi

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"example.com/watchglass/fakeapi/status"
)

// How long a client may take. A real server ends a request that is not a watch
// after a minute; the other numbers are the real server's, too.
const (
	headerTimeout = 32 * time.Second
	bodyTimeout   = time.Minute
	idleTimeout   = 90 * time.Second // between requests
	maxHeader     = 1 << 20          // bytes

	// answerTimeout is for every answer except watches, which have timeouts of their
	// own. net/http may take bodyTimeout of it to read a body that no handler has read.
	answerTimeout = bodyTimeout + time.Minute
)

// limitBody gives the client bodyTimeout to send the body, if there is one. The
// limit is also needed for a body that no handler reads: net/http reads it before it
// answers. At the body's end net/http removes the limit.
func limitBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, time.Now().Add(bodyTimeout))
	}
}

// delayBody removes the limit while a fault delays the request: that time is not the
// client's.
func delayBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, time.Time{})
	}
}

func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

func setReadDeadline(w http.ResponseWriter, t time.Time) {
	_ = http.NewResponseController(w).SetReadDeadline(t) // other servers' writers may not support it
}

// limitAnswer gives the client answerTimeout to read the answer. net/http removes
// the limit at the answer's end.
func limitAnswer(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTimeout))
}

// readBody reads the body whatever its type, up to the limits of size and time.
func (s *Server) readBody(w http.ResponseWriter, q *request) ([]byte, error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, q.http.Body, s.opts.MaxBody))
	return b, s.bodyRead(err)
}

// skipBody reads the body of a request that needs none. Otherwise the body could arrive
// during the answer, and for a watch there is no limit on that.
func (s *Server) skipBody(w http.ResponseWriter, q *request) error {
	if !hasBody(q.http) {
		return nil
	}
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, q.http.Body, s.opts.MaxBody))
	return s.bodyRead(err)
}

// bodyRead returns the *status.Status for an error of reading a body; nil for none.
func (s *Server) bodyRead(err error) error {
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return status.TooLarge("limit is " + strconv.FormatInt(s.opts.MaxBody, 10))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return status.TimedOut()
	case err != nil:
		return status.InternalError("%v", err) // a malformed chunk, or the client has disconnected
	}
	return nil
}
