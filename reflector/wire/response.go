package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/reflector"
)

// How much of the body of a refusal is read, and for how long. The status line is what matters
// most, and a body that is slow or never ends must not delay the error.
const (
	refusalSize = 64 << 10 // bytes: a Status with many causes
	refusalTime = 5 * time.Second
)

// checkResponse makes an error of a response that is not JSON with status 200. cancel ends the
// request, and with it a Read of the body that waits.
func checkResponse(resp *http.Response, cancel func()) error {
	mediaType, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	ok := resp.StatusCode == http.StatusOK
	if ok && (mediaType == "" || mediaType == "application/json") {
		return nil
	}
	enough := time.AfterFunc(refusalTime, cancel)
	defer enough.Stop()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, refusalSize))
	if ok {
		err := fmt.Errorf("want application/json, have %s", describe(mediaType, body))
		return &reflector.DecodeError{What: "response", Err: err}
	}
	return refusal(resp, mediaType, body)
}

// refusal makes an error of a response other than 200, body being its beginning. The code of the
// response counts more than the one in the Status, and the longer wait more than the shorter.
func refusal(resp *http.Response, mediaType string, body []byte) *reflector.StatusError {
	var s head
	if err := json.Unmarshal(body, &s); err != nil || s.Kind != "Status" {
		s = head{Message: http.StatusText(resp.StatusCode) + ": " + describe(mediaType, body)}
	}
	e := s.status()
	e.Code = resp.StatusCode
	e.RetryAfter = max(e.RetryAfter, retryAfter(resp.Header.Get("Retry-After"), time.Now()))
	return e
}

// describe says what a body that is no Status begins with.
func describe(mediaType string, body []byte) string {
	text := strings.TrimSpace(string(body))
	switch {
	case text == "":
		return "no body"
	case mediaType == "text/plain":
		return prefix(text, 200)
	}
	return fmt.Sprintf("a body of type %s that begins %q",
		cmp.Or(prefix(mediaType, 60), "(none given)"), prefix(text, 60))
}

// retryAfter reads the header of that name: seconds, or a date (RFC 9110, section 10.2.3).
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(value); err == nil {
		return seconds(n)
	}
	at, _ := http.ParseTime(value) // or a time long ago
	return max(0, at.Sub(now))
}
