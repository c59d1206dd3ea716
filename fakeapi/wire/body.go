package wire

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"example.com/watchglass/fakeapi/status"
)

// How long a client may take, and how much it may send.
const (
	// RequestTimeout is how long a request that is not a watch may take.
	RequestTimeout = time.Minute
	// BodyTimeout is how long a body may take to arrive.
	BodyTimeout = 10 * time.Second
	// maxBody is the largest size of a body in bytes, as in the real server. A larger one is answered
	// with 413.
	maxBody = 3 << 20
	// IdleTimeout is how long a connection may be idle between requests.
	IdleTimeout = 90 * time.Second

	headerTimeout = 10 * time.Second
	// maxHeader is the largest size of a header in bytes, with the URL in it; a larger one is answered
	// with 431. A real server takes a megabyte, but each open watch keeps its header.
	maxHeader = 16 << 10

	// answerTimeout is for every answer except watches, which have timeouts of their
	// own. net/http may take BodyTimeout of it to read a body that no handler has read.
	answerTimeout = BodyTimeout + time.Minute
)

// Timeout returns how long a request may take: the parameter timeout, a duration, at most
// RequestTimeout. Without it, or if it is not positive, that is the time. The error is a
// *status.Status.
func Timeout(query url.Values) (time.Duration, error) {
	d, err := time.ParseDuration(cmp.Or(query.Get("timeout"), "0"))
	if err != nil {
		return 0, status.BadRequest("invalid timeout specified in the request URL - %s",
			status.Cut(err.Error(), status.MaxShown))
	}
	if d <= 0 {
		d = RequestTimeout
	}
	return min(d, RequestTimeout), nil
}

// LimitBody gives the client until end to send the body, if there is one: then reads of it fail,
// also those that are waiting. The zero time is no limit. A limit is also needed for a body that
// no handler reads: net/http reads it before it answers. At the body's end net/http removes the
// limit; without a body it would stay on the connection. A ResponseWriter that has no deadlines
// returns an error, and then there is no limit.
func LimitBody(w http.ResponseWriter, r *http.Request, end time.Time) {
	if r.Body != http.NoBody {
		_ = http.NewResponseController(w).SetReadDeadline(end)
	}
}

// LimitAnswer gives the client answerTimeout to read the answer. net/http removes
// the limit at the answer's end.
func LimitAnswer(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTimeout))
}

// JSON is the content type of all answers, and of most bodies.
const JSON = "application/json"

// MediaType returns the type of a body. It must be one of those accepted; without a
// Content-Type a body counts as JSON.
func MediaType(r *http.Request, accepted ...string) (string, error) {
	sent := r.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(cmp.Or(sent, JSON))
	if err != nil || !slices.Contains(accepted, media) {
		return "", status.UnsupportedMediaType(sent, accepted...)
	}
	return media, nil
}

// ReadBody reads a body of any type.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	var b bytes.Buffer
	if n := r.ContentLength; 0 < n && n <= maxBody {
		b.Grow(int(n) + bytes.MinRead) // or it would grow, and leave as much again behind
	}
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	return b.Bytes(), refusal(err)
}

// SkipBody reads the body of a request that needs none. Otherwise the body could arrive
// during the answer, and for a watch there is no limit on that.
func SkipBody(w http.ResponseWriter, r *http.Request) error {
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
	return refusal(err)
}

// refusal returns the *status.Status for an error of reading a body; nil for none.
func refusal(err error) error {
	tooLarge, ok := errors.AsType[*http.MaxBytesError](err)
	switch {
	case ok:
		return status.TooLarge("limit is " + strconv.FormatInt(tooLarge.Limit, 10))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return status.TimedOut()
	case err != nil:
		return status.InternalError("%v", err) // a malformed chunk, or the client has disconnected
	}
	return nil
}
