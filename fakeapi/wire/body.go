package wire

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"example.com/watchglass/fakeapi/status"
)

// How long a client may take. A real server ends a request that is not a watch
// after a minute; the other numbers are the real server's, too.
const (
	// IdleTimeout is how long a connection may be idle between requests.
	IdleTimeout = 90 * time.Second

	headerTimeout = 32 * time.Second
	bodyTimeout   = time.Minute
	maxHeader     = 1 << 20 // bytes

	// answerTimeout is for every answer except watches, which have timeouts of their
	// own. net/http may take bodyTimeout of it to read a body that no handler has read.
	answerTimeout = bodyTimeout + time.Minute
)

// LimitBody gives the client a minute to send the body, if there is one. The
// limit is also needed for a body that no handler reads: net/http reads it before it
// answers. At the body's end net/http removes the limit.
func LimitBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, time.Now().Add(bodyTimeout))
	}
}

// DelayBody removes the limit while a fault delays the request: that time is not the
// client's.
func DelayBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, time.Time{})
	}
}

// EndBody makes reads of the body fail, also those that are waiting.
func EndBody(w http.ResponseWriter, r *http.Request) {
	if hasBody(r) {
		setReadDeadline(w, time.Now())
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

// ReadBody reads a body of any type, of at most limit bytes.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	return b, refusal(err)
}

// SkipBody reads the body of a request that needs none. Otherwise the body could arrive
// during the answer, and for a watch there is no limit on that.
func SkipBody(w http.ResponseWriter, r *http.Request, limit int64) error {
	if !hasBody(r) {
		return nil
	}
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, limit))
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
