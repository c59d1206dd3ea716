package status

import (
	"fmt"
	"net/http"
)

// About names the object that a Status is about.
type About struct{ Group, Plural, Kind, Name string }

// resource returns the plural and the group, as most messages name a resource.
func (a About) resource() string { return Qualify(a.Plural, a.Group) }

// details returns those of most errors, which have the plural in the field kind.
func (a About) details() *Details { return &Details{Name: a.Name, Group: a.Group, Kind: a.Plural} }

// kindDetails returns those where the real server has the kind in that field: of invalid
// objects, and of preconditions of a deletion.
func (a About) kindDetails() *Details {
	return &Details{Name: a.Name, Group: a.Group, Kind: a.Kind}
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
	return Failure(http.StatusNotFound, fmt.Sprintf("%s %q not found", a.resource(), a.Name),
		a.details())
}

// AlreadyExists returns a 409 for an object. It also says whether that is being deleted: then
// the client may wait.
func AlreadyExists(a About, deleting bool) *Status {
	message := fmt.Sprintf("%s %q already exists", a.resource(), a.Name)
	if deleting {
		message = "object is being deleted: " + message
	}
	s := Failure(http.StatusConflict, message, a.details())
	s.Reason = ReasonAlreadyExists
	return s
}

// Conflict returns a 409 for a write of an object.
func Conflict(a About, why string) *Status {
	return Failure(http.StatusConflict, cannot(a.resource(), a.Name, why), a.details())
}

// DeleteConflict returns a 409 for the preconditions of a deletion.
func DeleteConflict(a About, why string) *Status {
	return Failure(http.StatusConflict, cannot(Qualify(a.Kind, a.Group), a.Name, why), a.kindDetails())
}

func cannot(what, name, why string) string {
	return fmt.Sprintf("Operation cannot be fulfilled on %s %q: %s", what, name, why)
}

// VerbNotAllowed returns a 405 for custom resources, where the real server refuses the verb.
// verb is empty for a method that is no verb.
func VerbNotAllowed(a About, verb string) *Status {
	return Failure(http.StatusMethodNotAllowed,
		fmt.Sprintf("%s is not supported on resources of kind %q", verb, a.resource()), a.details())
}

// Refused returns a 403 for an object.
func Refused(a About, why string) *Status {
	return Failure(http.StatusForbidden, fmt.Sprintf("%s %q is forbidden: %s", a.resource(), a.Name,
		why), a.details())
}

// NamespaceTerminating returns a 403 for a create in a namespace that is terminating. Clients
// recognize it by its cause.
func NamespaceTerminating(a About, namespace string) *Status {
	s := Refused(a, "unable to create new content in namespace "+namespace+
		" because it is being terminated")
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
