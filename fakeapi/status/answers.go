package status

import (
	"fmt"
	"strings"
)

// BadRequest returns a 400.
func BadRequest(format string, args ...any) *Status {
	return Failure(400, fmt.Sprintf(format, args...), nil)
}

// InternalError returns a 500 without a reason, with which the real server answers some errors
// of clients.
func InternalError(format string, args ...any) *Status {
	s := Failure(500, fmt.Sprintf(format, args...), nil)
	s.Reason = ""
	return s
}

// NoSuchResource returns a 404 for an unknown resource below a group that has no custom ones.
func NoSuchResource() *Status {
	return Failure(404, "the server could not find the requested resource", &Details{})
}

// NotAcceptable returns a 406 for a client that accepts no JSON.
func NotAcceptable() *Status {
	return Failure(406, "only the following media types are accepted: application/json", nil)
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
	return Failure(415, message, nil)
}

// TooLarge returns a 413.
func TooLarge(why string) *Status {
	return Failure(413, "Request entity too large: "+why, nil)
}

// TooManyRequests returns a 429. Clients try again after a second.
func TooManyRequests() *Status {
	s := Failure(429, "Too many requests, please try again later.", nil)
	s.Details = &Details{RetryAfterSeconds: 1}
	return s
}

// Expired returns a 410 for a version that is no longer in the history.
func Expired(message string) *Status { return Failure(410, message, nil) }

// TimedOut returns a 504 for a client that takes too long to send its request.
func TimedOut() *Status {
	return Failure(504, "Timeout: request did not complete within the allotted timeout", nil)
}

// TooLargeVersion returns a 504 for a future version that was not reached while the request
// waited. Clients check the cause, not the message.
func TooLargeVersion(want, current uint64) *Status {
	return Failure(504,
		fmt.Sprintf("Timeout: Too large resource version: %d, current: %d", want, current),
		&Details{RetryAfterSeconds: 1, Causes: []Cause{{
			Reason: "ResourceVersionTooLarge", Message: "Too large resource version"}}})
}

// About names the object that a Status is about.
type About struct{ Group, Plural, Kind, Name string }

// resource returns the plural and the group, as most messages name a resource.
func (a About) resource() string { return Qualify(a.Plural, a.Group) }

// details returns the details of most errors: with the plural in the field kind.
func (a About) details() *Details { return &Details{Name: a.Name, Group: a.Group, Kind: a.Plural} }

func (a About) failure(code int, format string, args ...any) *Status {
	return Failure(code, fmt.Sprintf(format, args...), a.details())
}

// Qualify returns a name with its group: "pods", "deployments.apps".
func Qualify(name, group string) string {
	if group == "" {
		return name
	}
	return name + "." + group
}

// NotFound returns a 404 for an object.
func NotFound(a About) *Status {
	return a.failure(404, "%s %q not found", a.resource(), a.Name)
}

// AlreadyExists returns a 409 for an object. It also says whether that is being deleted: then
// the client may wait.
func AlreadyExists(a About, deleting bool) *Status {
	s := a.failure(409, "%s %q already exists", a.resource(), a.Name)
	if s.Reason = ReasonAlreadyExists; deleting {
		s.Message = "object is being deleted: " + s.Message
	}
	return s
}

// ReasonAlreadyExists is the reason of a 409 for a name that is taken.
const ReasonAlreadyExists = "AlreadyExists"

// NameTaken returns a 409 for a name that the server has generated. The client may try again.
func NameTaken(a About) *Status {
	s := a.failure(409, "%s %q already exists, the server was not able to generate a unique name for "+
		"the object", a.resource(), a.Name)
	s.Reason, s.Details.RetryAfterSeconds = ReasonAlreadyExists, 1
	return s
}

// Conflict returns a 409 for a write of an object.
func Conflict(a About, why string) *Status {
	return a.failure(409, "Operation cannot be fulfilled on %s %q: %s", a.resource(), a.Name, why)
}

// VerbNotAllowed returns a 405 for custom resources, where the real server refuses the verb.
// verb is empty for a method that is no verb.
func VerbNotAllowed(a About, verb string) *Status {
	return a.failure(405, "%s is not supported on resources of kind %q", verb, a.resource())
}

// Refused returns a 403 for an object.
func Refused(a About, why string) *Status {
	return a.failure(403, "%s %q is forbidden: %s", a.resource(), a.Name, why)
}

// NamespaceTerminating returns a 403 for a create in a namespace that is terminating. Clients
// recognize it by its cause.
func NamespaceTerminating(a About, namespace string) *Status {
	s := Refused(a, "unable to create new content in namespace "+namespace+" because it is being "+
		"terminated")
	s.Details.Causes = []Cause{{Reason: "NamespaceTerminating",
		Message: "namespace " + namespace + " is being terminated", Field: "metadata.namespace"}}
	return s
}

// Deleted returns the answer to a deletion that removed the object.
func Deleted(a About, uid string) *Status {
	d := a.details()
	d.UID = uid
	return &Status{Kind: "Status", APIVersion: "v1", Status: "Success", Details: d}
}
