package wire

import (
	"encoding/json"
	"errors"
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
	if ok {
		head, _ := io.ReadAll(io.LimitReader(resp.Body, 64))
		err := fmt.Errorf("want application/json, have %s", describeBody(resp.Header, head))
		return &reflector.DecodeError{What: "response", Err: err}
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, refusalSize))
	return responseError(resp, body)
}

// responseError makes an error of a response other than 200, body being its beginning. The code of
// the response counts more than the one in the Status, and the longer wait more than the shorter.
func responseError(resp *http.Response, body []byte) *reflector.StatusError {
	var s status
	err := json.Unmarshal(body, &s)
	e := s.err()
	if err != nil || s.Kind != "Status" {
		e = &reflector.StatusError{Message: describeBody(resp.Header, body)}
	}
	e.Code = resp.StatusCode
	if e.Reason == "" {
		e.Reason = reasonOf(resp.StatusCode)
	}
	e.RetryAfter = max(e.RetryAfter, parseRetryAfter(resp.Header.Get("Retry-After"), time.Now()))
	return e
}

// describeBody says what a body that is no Status begins with.
func describeBody(h http.Header, body []byte) string {
	mediaType, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	text := strings.TrimSpace(string(body))
	switch {
	case text == "":
		return "no body"
	case mediaType == "text/plain":
		return prefix(text, 200)
	case mediaType == "":
		return fmt.Sprintf("a body of no declared type that begins %q", prefix(text, 60))
	}
	return fmt.Sprintf("a body of type %s that begins %q", prefix(mediaType, 60), prefix(text, 60))
}

// prefix cuts s to at most n bytes, because error messages must not contain whole documents.
func prefix(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// shortened is err, or an error with the beginning of its text: some decoders quote the whole value
// that they refuse, numbers and times for example.
func shortened(err error) error {
	const limit = 200 // bytes
	if text := err.Error(); len(text) > limit {
		return errors.New(prefix(text, limit))
	}
	return err
}

// reasonOf is the reason that a Status would give for an HTTP status code.
func reasonOf(code int) string {
	switch code {
	case http.StatusUnprocessableEntity:
		return "Invalid"
	case http.StatusInternalServerError:
		return "InternalError"
	case http.StatusGatewayTimeout:
		return "Timeout"
	}
	return strings.ReplaceAll(http.StatusText(code), " ", "")
}

// parseRetryAfter reads the header of that name: seconds, or a date (RFC 9110, section 10.2.3).
func parseRetryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(value); err == nil {
		return seconds(n)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// status is the wire form of a refusal: meta/v1 Status.
type status struct {
	Kind    string                  `json:"kind"`
	Status  string                  `json:"status"`
	Message string                  `json:"message"`
	Reason  string                  `json:"reason"`
	Code    int                     `json:"code"`
	Details reflector.StatusDetails `json:"details"`
}

// err makes a StatusError. It cuts reason and message, because a Status may be as large as a frame
// and its error is logged. The limits are far above what API servers send.
func (s *status) err() *reflector.StatusError {
	return &reflector.StatusError{
		Code:       s.Code,
		Reason:     prefix(s.Reason, 100),
		Message:    prefix(s.Message, 1<<10),
		Details:    s.Details,
		RetryAfter: seconds(s.Details.RetryAfterSeconds),
	}
}

// seconds converts without overflow: a number from the wire may be any number.
func seconds(n int) time.Duration {
	return time.Duration(max(0, min(n, 1<<30))) * time.Second
}
