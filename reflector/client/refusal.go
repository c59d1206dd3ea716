package client

import (
	"cmp"
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

// refusalSize is how many bytes of a refusal are read: a Status with many causes. The status line
// is what matters most.
const refusalSize = 64 << 10

// check returns nil for a successful response whose body is JSON: the caller reads it. A success
// that is something else, such as a page of a proxy, is a [*reflector.DecodeError] at once: its
// body may never come. A refusal is a [*reflector.StatusError]: check reads the beginning of the
// body, and may wait for it until the request's context ends. It does not close the body.
func check(response *http.Response) error {
	mediaType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	ok := response.StatusCode >= 200 && response.StatusCode <= 202 // OK, Created, Accepted
	switch {
	case !ok:
		body, _ := io.ReadAll(io.LimitReader(response.Body, refusalSize))
		return refusal(response, mediaType, body)
	case mediaType != "" && mediaType != "application/json":
		err := fmt.Errorf("want application/json, have %s", beginning(mediaType, 60))
		return &reflector.DecodeError{What: "response", Err: err}
	}
	return nil
}

// refusal makes an error of a response that is not a success, body being its beginning. The code of
// the response counts more than the one in the Status, and the longer wait more than the shorter.
func refusal(response *http.Response, mediaType string, body []byte) *reflector.StatusError {
	e, ok := status(body)
	if !ok {
		e = &reflector.StatusError{
			Message: http.StatusText(response.StatusCode) + ": " + describe(mediaType, body),
		}
	}
	e.Code = response.StatusCode
	e.RetryAfter = max(e.RetryAfter, retryAfter(response.Header.Get("Retry-After"), time.Now()))
	return e
}

// status makes an error of a meta/v1 Status, as it is in the body of a refusal or in an ERROR
// event. It returns false if the document is none, or is longer than any Status of an API server.
// Reason and message are cut. The details are not: they are for programs, and not printed.
func status(document []byte) (*reflector.StatusError, bool) {
	var s struct {
		Kind, Reason, Message string
		Code                  int
		Details               reflector.StatusDetails
	}
	if len(document) > refusalSize || json.Unmarshal(document, &s) != nil || s.Kind != "Status" {
		return nil, false
	}
	reason := beginning(s.Reason, quoted/4)
	return &reflector.StatusError{
		Code:       s.Code,
		Reason:     reason,
		Message:    beginning(s.Message, quoted-len(reason)),
		Details:    s.Details,
		RetryAfter: seconds(s.Details.RetryAfterSeconds),
	}, true
}

// describe says what a body that is no Status begins with.
func describe(mediaType string, body []byte) string {
	text := strings.TrimSpace(string(body))
	switch {
	case text == "":
		return "no body"
	case mediaType == "text/plain":
		return beginning(text, quoted)
	}
	return fmt.Sprintf("a body of type %s that begins %q",
		cmp.Or(beginning(mediaType, 60), "(none given)"), beginning(text, 100))
}

// retryAfter reads the header of that name: seconds, or a date (RFC 9110, section 10.2.3).
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(value); err == nil {
		return seconds(n)
	}
	at, _ := http.ParseTime(value) // or a time long ago
	return max(0, at.Sub(now))
}

// seconds converts without overflow: a number from the wire may be any number.
func seconds(n int) time.Duration {
	return time.Duration(max(0, min(n, 1<<30))) * time.Second
}

// IsConflict reports whether the server refused a write because it holds a newer state of the
// object than the one that was sent: 409, reason Conflict.
func IsConflict(err error) bool { return has(err, "Conflict", 409) }

// IsNotFound reports whether the server said that there is no such object: 404. The path of a
// resource that the server does not have gets the same answer.
func IsNotFound(err error) bool { return has(err, "NotFound", 404) }

// IsAlreadyExists reports whether the server refused to create an object because there is one of
// that name: 409, reason AlreadyExists.
func IsAlreadyExists(err error) bool { return has(err, "AlreadyExists", 0) }

// has reports whether err is a refusal for a reason. If the server gave none, the code counts.
func has(err error, reason string, code int) bool {
	e, ok := errors.AsType[*reflector.StatusError](err)
	return ok && (e.Reason == reason || e.Reason == "" && code > 0 && e.Code == code)
}
