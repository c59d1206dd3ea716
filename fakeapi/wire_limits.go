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
// before it answers.
func limitBody(w http.ResponseWriter, r *http.Request) {
	if r.Body != nil && r.Body != http.NoBody {
		setReadDeadline(w, time.Now().Add(bodyTimeout))
	}
}

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
	return b, s.bodyRead(w, err)
}

// skipBody reads the body of a request that needs none. What is not read now
// could come during the answer, which no limit ends in the case of a watch.
func (s *Server) skipBody(w http.ResponseWriter, q *request) error {
	if q.http.Body == http.NoBody {
		return nil
	}
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, q.http.Body, s.opts.MaxBody))
	return s.bodyRead(w, err)
}

// bodyRead lifts the limit of a body that was read to its end, or says why it was
// not.
func (s *Server) bodyRead(w http.ResponseWriter, err error) error {
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return tooLargeBody(s.opts.MaxBody)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return timedOut()
	case err != nil:
		return internalError("%v", err) // a chunk that is none, a client that left
	}
	setReadDeadline(w, time.Time{})
	return nil
}
