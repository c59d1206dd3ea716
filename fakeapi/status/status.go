package status

import (
	"context"
	"encoding/json"
	"errors"
)

// A Status answers a request that failed, or a deletion that removed its object. It is meta/v1
// Status, with the fields in the real server's order. *Status is an error, and the Go API's errors
// wrap it: errors.As finds Reason and Code.
type Status struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   Meta     `json:"metadata"`
	Status     string   `json:"status"`
	Message    string   `json:"message,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Details    *Details `json:"details,omitempty"`
	Code       int      `json:"code,omitempty"`
}

// Details name the object that a Status is about, and list its errors.
type Details struct {
	Name              string  `json:"name,omitempty"`
	Group             string  `json:"group,omitempty"`
	Kind              string  `json:"kind,omitempty"` // the plural; for an invalid object, the kind
	UID               string  `json:"uid,omitempty"`
	Causes            []Cause `json:"causes,omitempty"`
	RetryAfterSeconds int     `json:"retryAfterSeconds,omitempty"`
}

// A Cause says what is wrong with one field.
type Cause struct {
	Reason  string `json:"reason,omitempty"` // FieldValueInvalid, NamespaceTerminating, …
	Message string `json:"message,omitempty"`
	Field   string `json:"field,omitempty"` // its path: metadata.name, spec.versions[0].name
}

// Meta is empty, except for the token in the answer to an expired continue.
type Meta struct {
	Continue string `json:"continue,omitempty"`
}

// Error returns the message, as a client library would show it.
func (s *Status) Error() string { return s.Message }

// Encode returns the Status as JSON, without a newline.
func (s *Status) Encode() []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a Status is strings and numbers only
	}
	return b
}

// Of returns the Status in an error. The end of a request's time is a 504, any other error
// without a Status a 500.
func Of(err error) *Status {
	if s, ok := errors.AsType[*Status](err); ok {
		return s
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return TimedOut()
	}
	return InternalError("%v", err)
}

// reasons maps HTTP codes to the reasons of Statuses that have no special one.
var reasons = map[int]string{400: "BadRequest", 401: "Unauthorized", 403: "Forbidden",
	404: "NotFound", 405: "MethodNotAllowed", 406: "NotAcceptable", 409: "Conflict",
	410: "Expired", 413: "RequestEntityTooLarge", 415: "UnsupportedMediaType", 422: "Invalid",
	429: "TooManyRequests", 500: "InternalError", 503: "ServiceUnavailable", 504: "Timeout"}

// Failure returns the Status of a request that failed, with the usual reason for its code.
// d may be nil.
func Failure(code int, message string, d *Details) *Status {
	if d != nil {
		for _, field := range []*string{&d.Name, &d.Group, &d.Kind} {
			*field = Cut(*field, MaxShown)
		}
	}
	return &Status{Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: Cut(message, maxMessage), Reason: reasons[code], Details: d, Code: code}
}

// The limits of an answer. Messages quote the request, which may be megabytes.
const (
	// MaxErrors limits the errors in an answer; validators stop there.
	MaxErrors = 100
	// MaxShown is how many characters of a value messages quote: enough for every name that
	// is not too long.
	MaxShown = 256

	maxMessage = 4096 // characters in the message of a Status, or of one of its causes
)
