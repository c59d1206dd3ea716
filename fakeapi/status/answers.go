package status

import (
	"fmt"
	"net/http"
	"strings"
)

// BadRequest returns a 400.
func BadRequest(format string, args ...any) *Status {
	return Failure(http.StatusBadRequest, fmt.Sprintf(format, args...), nil)
}

// InternalError returns a 500 without a reason, with which the real server answers some errors
// of clients.
func InternalError(format string, args ...any) *Status {
	s := Failure(http.StatusInternalServerError, fmt.Sprintf(format, args...), nil)
	s.Reason = ""
	return s
}

// InternalFailure returns a 500 with a reason and a cause, with which the real server answers
// unexpected errors of its own.
func InternalFailure(cause string) *Status {
	return Failure(http.StatusInternalServerError, "Internal error occurred: "+cause,
		&Details{Causes: []Cause{{Message: cause}}})
}

// Forbidden returns a 403 that is not about an object.
func Forbidden(format string, args ...any) *Status {
	return Failure(http.StatusForbidden, fmt.Sprintf(format, args...), nil)
}

// Unauthorized returns a 401.
func Unauthorized() *Status {
	return Failure(http.StatusUnauthorized, "Unauthorized", nil)
}

// NoSuchResource returns a 404 for an unknown resource below a group that has no custom ones.
func NoSuchResource() *Status {
	return Failure(http.StatusNotFound, "the server could not find the requested resource", &Details{})
}

// MethodNotAllowed returns a 405. For custom resources see VerbNotAllowed.
func MethodNotAllowed() *Status {
	return Failure(http.StatusMethodNotAllowed,
		"the server does not allow this method on the requested resource", &Details{})
}

// NotAcceptable returns a 406 for a client that accepts no JSON.
func NotAcceptable() *Status {
	return Failure(http.StatusNotAcceptable,
		"only the following media types are accepted: application/json", nil)
}

// UnsupportedMediaType returns a 415 for a body of a type that this server does not read. sent
// is its Content-Type. To the real server's words it adds what a user can do.
func UnsupportedMediaType(sent string, accepted ...string) *Status {
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
	return Failure(http.StatusUnsupportedMediaType, message, nil)
}

// TooLarge returns a 413.
func TooLarge(why string) *Status {
	return Failure(http.StatusRequestEntityTooLarge, "Request entity too large: "+why, nil)
}

// Rejected returns a 422 for a JSON patch that does not apply.
func Rejected() *Status {
	return Failure(http.StatusUnprocessableEntity,
		"the server rejected our request due to an error in our request", &Details{})
}

// Expired returns a 410 for a version that is no longer in the history.
func Expired(message string) *Status { return Failure(http.StatusGone, message, nil) }

// TimedOut returns a 504 for a client that takes too long to send its request.
func TimedOut() *Status {
	return Failure(http.StatusGatewayTimeout,
		"Timeout: request did not complete within the allotted timeout", nil)
}

// TooLargeVersion returns a 504 for a future version that was not reached while the request
// waited. Clients check the cause, not the message.
func TooLargeVersion(want, current uint64) *Status {
	return Failure(http.StatusGatewayTimeout,
		fmt.Sprintf("Timeout: Too large resource version: %d, current: %d", want, current),
		&Details{RetryAfterSeconds: 1, Causes: []Cause{{
			Reason: "ResourceVersionTooLarge", Message: "Too large resource version"}}})
}
