package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Status is the answer to a request that failed, and to a deletion that removed its
// object: the Kubernetes API's meta/v1 Status, with its fields in the order in which the
// real server writes them. *Status is an error, and the Go API's errors wrap it:
// errors.As finds Reason and Code.
type Status struct {
	Kind       string     `json:"kind"`
	APIVersion string     `json:"apiVersion"`
	Metadata   statusMeta `json:"metadata"`
	Status     string     `json:"status"`
	Message    string     `json:"message,omitempty"`
	Reason     string     `json:"reason,omitempty"`
	Details    *Details   `json:"details,omitempty"`
	Code       int        `json:"code,omitempty"`
}

// Details are the object that a Status is about, and the errors in it.
type Details struct {
	Name              string  `json:"name,omitempty"`
	Group             string  `json:"group,omitempty"`
	Kind              string  `json:"kind,omitempty"` // the plural; see aboutKind
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

// statusMeta is empty, except for the token in the answer to an expired continue.
type statusMeta struct {
	Continue string `json:"continue,omitempty"`
}

// Error returns the message, as a client library would show it.
func (s *Status) Error() string { return s.Message }

// encode is the Status as JSON, without a newline.
func (s *Status) encode() []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a Status is strings and numbers only
	}
	return b
}

// maxMessage is the largest number of characters in the message of a Status. Messages quote
// the request, which may be megabytes.
const maxMessage = 32 << 10

func failure(code int, reason, message string, d *Details) *Status {
	if d != nil {
		for _, field := range []*string{&d.Name, &d.Group, &d.Kind} {
			*field = cutText(*field, maxShown)
		}
	}
	return &Status{Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: cutText(message, maxMessage), Reason: reason, Details: d, Code: code}
}

// about are the details of most errors: the object by name, group and plural.
func about(r *Resource, name string) *Details {
	return &Details{Name: name, Group: r.Group, Kind: r.Plural}
}

// aboutKind are the details where the real server puts the Kind into the field
// of that name: invalid objects, and preconditions of a deletion.
func aboutKind(r *Resource, name string) *Details {
	return &Details{Name: name, Group: r.Group, Kind: r.Kind}
}

func notFound(r *Resource, name string) *Status {
	return failure(http.StatusNotFound, reasonNotFound,
		fmt.Sprintf("%s %q not found", r.QualifiedName(), name), about(r, name))
}

// noSuchResource is the answer below a built-in group for an unknown resource.
func noSuchResource() *Status {
	return failure(http.StatusNotFound, "NotFound",
		"the server could not find the requested resource", &Details{})
}

// alreadyExists also says whether the object is being deleted: then the client may wait.
func alreadyExists(r *Resource, name string, deleting bool) *Status {
	message := fmt.Sprintf("%s %q already exists", r.QualifiedName(), name)
	if deleting {
		message = "object is being deleted: " + message
	}
	return failure(http.StatusConflict, reasonExists, message, about(r, name))
}

// The reasons after which a write tries again.
const (
	reasonExists   = "AlreadyExists"
	reasonNotFound = "NotFound"
)

func conflict(r *Resource, name, why string) *Status {
	return failure(http.StatusConflict, "Conflict",
		fmt.Sprintf("Operation cannot be fulfilled on %s %q: %s", r.QualifiedName(), name, why),
		about(r, name))
}

func deleteConflict(r *Resource, name, why string) *Status {
	return failure(http.StatusConflict, "Conflict",
		fmt.Sprintf("Operation cannot be fulfilled on %s %q: %s", r.qualifiedKind(), name, why),
		aboutKind(r, name))
}

func badRequest(format string, args ...any) *Status {
	return failure(http.StatusBadRequest, "BadRequest", fmt.Sprintf(format, args...), nil)
}

// internalError is a 500 without a reason, with which the real server answers some errors
// of clients.
func internalError(format string, args ...any) *Status {
	return failure(http.StatusInternalServerError, "", fmt.Sprintf(format, args...), nil)
}

// internalFailure is a 500 with a reason and a cause, with which the real server answers
// unexpected errors of its own.
func internalFailure(cause string) *Status {
	return failure(http.StatusInternalServerError, "InternalError",
		"Internal error occurred: "+cause, &Details{Causes: []Cause{{Message: cause}}})
}

func methodNotAllowed() *Status {
	return failure(http.StatusMethodNotAllowed, "MethodNotAllowed",
		"the server does not allow this method on the requested resource", &Details{})
}

// verbNotAllowed is methodNotAllowed for custom resources, where the real server refuses
// the verb. verb is empty for a method that is no verb.
func verbNotAllowed(r *Resource, verb string) *Status {
	return failure(http.StatusMethodNotAllowed, "MethodNotAllowed",
		fmt.Sprintf("%s is not supported on resources of kind %q", verb, r.QualifiedName()),
		about(r, ""))
}

func unauthorized() *Status {
	return failure(http.StatusUnauthorized, "Unauthorized", "Unauthorized", nil)
}

func forbidden(format string, args ...any) *Status {
	return failure(http.StatusForbidden, "Forbidden", fmt.Sprintf(format, args...), nil)
}

// timedOut is the answer to a client that takes too long to send its request.
func timedOut() *Status {
	return failure(http.StatusGatewayTimeout, "Timeout",
		"Timeout: request did not complete within the allotted timeout", nil)
}

// unsupportedMediaType is the answer to a body of a type that this server does not read.
// sent is its Content-Type. To the real server's words it adds what a user can do.
func unsupportedMediaType(sent string, accepted ...string) *Status {
	message := "the body of the request was in an unknown format - accepted media types include: " +
		strings.Join(accepted, ", ")
	switch {
	case strings.HasPrefix(sent, "application/vnd.kubernetes.protobuf"):
		message += `; this server does not read protobuf: ` +
			`in Go, set ContentType to "application/json" in the rest.Config; ` +
			`with kubectl, use create -f`
	case strings.HasPrefix(sent, "application/apply-patch"):
		message += "; this server has no server-side apply: " +
			"send a merge patch, or use kubectl apply without --server-side"
	}
	return failure(http.StatusUnsupportedMediaType, "UnsupportedMediaType", message, nil)
}

func notAcceptable(offered ...string) *Status {
	return failure(http.StatusNotAcceptable, "NotAcceptable",
		"only the following media types are accepted: "+strings.Join(offered, ", "), nil)
}

func tooLargeBody(limit int64) *Status {
	return tooLarge("limit is " + strconv.FormatInt(limit, 10))
}

func tooLarge(why string) *Status {
	return failure(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge",
		"Request entity too large: "+why, nil)
}

// rejected is the answer to a JSON patch that does not apply.
func rejected() *Status {
	return failure(http.StatusUnprocessableEntity, "Invalid",
		"the server rejected our request due to an error in our request", &Details{})
}

// expired is the answer to a version that is no longer in the history.
func expired(message string) *Status {
	return failure(http.StatusGone, "Expired", message, nil)
}

// tooLargeVersion is the answer to a future version that was not reached while the
// request waited. Clients check the cause, not the message.
func tooLargeVersion(want, current uint64) *Status {
	return failure(http.StatusGatewayTimeout, "Timeout",
		fmt.Sprintf("Timeout: Too large resource version: %d, current: %d", want, current),
		&Details{RetryAfterSeconds: 1, Causes: []Cause{{
			Reason: "ResourceVersionTooLarge", Message: "Too large resource version"}}})
}

// injected is the answer of a fault.
func injected(code int, message string, retryAfter time.Duration) *Status {
	s := failure(code, reasonOf(code), message, nil)
	if s.Message == "" {
		s.Message = "injected fault: " + strconv.Itoa(code)
	}
	if retryAfter > 0 {
		s.Details = &Details{RetryAfterSeconds: int((retryAfter + time.Second - 1) / time.Second)}
	}
	return s
}

// reasonOf is the reason that goes with an HTTP code when nothing more is known.
func reasonOf(code int) string {
	switch code {
	case http.StatusBadRequest:
		return "BadRequest"
	case http.StatusUnauthorized:
		return "Unauthorized"
	case http.StatusForbidden:
		return "Forbidden"
	case http.StatusNotFound:
		return "NotFound"
	case http.StatusConflict:
		return "Conflict"
	case http.StatusGone:
		return "Expired"
	case http.StatusUnprocessableEntity:
		return "Invalid"
	case http.StatusTooManyRequests:
		return "TooManyRequests"
	case http.StatusInternalServerError:
		return "InternalError"
	case http.StatusServiceUnavailable:
		return "ServiceUnavailable"
	case http.StatusGatewayTimeout:
		return "Timeout"
	}
	return ""
}

// deleted is the answer to a deletion that removed the object.
func deleted(r *Resource, name, uid string) *Status {
	return &Status{Kind: "Status", APIVersion: "v1", Status: "Success",
		Details: &Details{Name: name, Group: r.Group, Kind: r.Plural, UID: uid}}
}
