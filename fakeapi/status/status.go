package status

import (
	"encoding/json"
	"errors"
	"net/http"
)

// A Status is the answer to a request that failed, and to a deletion that removed its
// object: the Kubernetes API's meta/v1 Status, with its fields in the order in which the
// real server writes them. *Status is an error, and the Go API's errors wrap it:
// errors.As finds Reason and Code.
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

// Details are the object that a Status is about, and the errors in it.
type Details struct {
	Name              string  `json:"name,omitempty"`
	Group             string  `json:"group,omitempty"`
	Kind              string  `json:"kind,omitempty"` // the plural; for an invalid object, the kind
	UID               string  `json:"uid,omitempty"`
	Causes            []Cause `json:"causes,omitempty"`
	RetryAfterSeconds int     `json:"retryAfterSeconds,omitempty"`
}

// A Cause is one error.
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

// Of returns the Status in an error. An error without one is a 500.
func Of(err error) *Status {
	if s, ok := errors.AsType[*Status](err); ok {
		return s
	}
	return InternalError("%v", err)
}

// The reasons after which a write tries again.
const (
	ReasonAlreadyExists = "AlreadyExists"
	ReasonNotFound      = "NotFound"
)

// reasons are the reasons that go with the HTTP codes, unless a Status has a special one.
var reasons = map[int]string{
	http.StatusBadRequest:            "BadRequest",
	http.StatusUnauthorized:          "Unauthorized",
	http.StatusForbidden:             "Forbidden",
	http.StatusNotFound:              ReasonNotFound,
	http.StatusMethodNotAllowed:      "MethodNotAllowed",
	http.StatusNotAcceptable:         "NotAcceptable",
	http.StatusConflict:              "Conflict",
	http.StatusGone:                  "Expired",
	http.StatusRequestEntityTooLarge: "RequestEntityTooLarge",
	http.StatusUnsupportedMediaType:  "UnsupportedMediaType",
	http.StatusUnprocessableEntity:   "Invalid",
	http.StatusTooManyRequests:       "TooManyRequests",
	http.StatusInternalServerError:   "InternalError",
	http.StatusServiceUnavailable:    "ServiceUnavailable",
	http.StatusGatewayTimeout:        "Timeout",
}

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
