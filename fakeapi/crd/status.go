package crd

import (
	"slices"

	"example.com/watchglass/fakeapi/object"
)

// NamesAccepted: all names are free. Established: the resource is served, from then on.
const (
	NamesAccepted = "NamesAccepted"
	Established   = "Established"
	terminating   = "Terminating"
)

// accept returns the names that a definition gets, and the condition NamesAccepted.
// taken and takenKind report which names other resources of its group have. If a name
// is taken, the definition keeps the one that it had before.
func (d *Definition) accept(had Names, taken, takenKind func(string) bool) (Names, object.Tree) {
	got, condition := had, newCondition(NamesAccepted, "True", "NoConflicts", "no conflicts found")
	got.Categories = d.Names.Categories
	refuse := func(which, name string) {
		condition = newCondition(NamesAccepted, "False", which+"Conflict", `"`+name+`" is already in use`)
	}
	claim := func(which, name string, taken func(string) bool, into *string) {
		if taken(name) {
			refuse(which, name)
		} else {
			*into = name
		}
	}
	claim("Plural", d.Names.Plural, taken, &got.Plural)
	claim("Singular", d.Names.Singular, taken, &got.Singular)
	if i := slices.IndexFunc(d.Names.ShortNames, taken); i >= 0 {
		refuse("ShortNames", d.Names.ShortNames[i])
	} else {
		got.ShortNames = d.Names.ShortNames
	}
	claim("Kind", d.Names.Kind, takenKind, &got.Kind)
	claim("ListKind", d.Names.ListKind, takenKind, &got.ListKind)
	return got, condition
}

func newCondition(kind, status, reason, message string) object.Tree {
	return object.Tree{"type": kind, "status": status, "reason": reason, "message": message}
}

// A Status is the part of a CustomResourceDefinition's status that decides
// whether its resource is served, and under which names.
type Status struct {
	Names      Names       `json:"acceptedNames"`
	Conditions []condition `json:"conditions"`
}

type condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

// StatusOf returns the status of a CustomResourceDefinition, empty if it has none.
func StatusOf(t object.Tree) Status {
	var s Status
	if t["status"] != nil && schemas["status"].Into("status", t["status"], &s) != nil {
		return Status{}
	}
	return s
}

// Is reports whether a condition is true.
func (s *Status) Is(kind string) bool {
	return slices.Contains(s.Conditions, condition{kind, "True"})
}

// setStatus writes the result of accept into an object. conditions come from the object before the
// write, because clients cannot set them. A definition that was established once stays established.
func setStatus(t object.Tree, d *Definition, conditions []any, got Names, names object.Tree) {
	status := object.Within(t, "status")
	status["acceptedNames"], _ = object.DecodeTree(object.JSON(got))
	status["conditions"] = setCondition(conditions, names)
	if had := StatusOf(t); !had.Is(Established) {
		serving := newCondition(Established, "True", "InitialNamesAccepted",
			"the initial names have been accepted")
		if names["status"] != "True" {
			serving = newCondition(Established, "False", "NotAccepted", "not all names are accepted")
		}
		status["conditions"] = setCondition(object.At[[]any](t, ".status.conditions"), serving)
	}
	stored := object.At[[]any](t, ".status.storedVersions")
	if v := d.storageVersion(); v != "" && !slices.Contains(stored, any(v)) {
		stored = append(slices.Clone(stored), v)
	}
	status["storedVersions"] = stored
}

// setCondition returns the conditions with c in place of the one with its type, or added
// at the end. lastTransitionTime becomes now, unless the status is the same as before.
func setCondition(conditions []any, c object.Tree) []any {
	c["lastTransitionTime"] = object.Now()
	i := slices.IndexFunc(conditions, func(e any) bool {
		old, _ := e.(object.Tree)
		return old["type"] == c["type"]
	})
	if i < 0 {
		return append(slices.Clip(conditions), c)
	}
	old := conditions[i].(object.Tree)
	if old["status"] == c["status"] && old["lastTransitionTime"] != nil {
		c["lastTransitionTime"] = old["lastTransitionTime"]
	}
	return slices.Replace(slices.Clone(conditions), i, i+1, any(c))
}

// Finalizer keeps a deleted definition until its objects are gone.
const Finalizer = "customresourcecleanup.apiextensions.k8s.io"

// Terminate gives a definition that is being deleted its finalizer and the condition Terminating.
func Terminate(t object.Tree) {
	m := object.MetaOf(t)
	m.SetList("finalizers", append(m.List("finalizers"), Finalizer))
	object.SetAt(t, ".status.conditions", setCondition(object.At[[]any](t, ".status.conditions"),
		newCondition(terminating, "True", "InstanceDeletionInProgress",
			"CustomResource deletion is in progress")))
}

// Decide gives a definition the names that are free. was is the definition
// before the write, nil for a new one. taken returns two functions, which report whether
// another resource of a group than the named one has a name, or a kind.
func Decide(was, t object.Tree,
	taken func(group, except string) (name, kind func(string) bool)) error {
	d, err := Read(t)
	if err != nil {
		return err
	}
	name, kind := taken(d.Group, d.Name())
	got, condition := d.accept(StatusOf(was).Names, name, kind)
	setStatus(t, d, object.At[[]any](was, ".status.conditions"), got, condition)
	return nil
}
