package crd

import (
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
)

// NamesAccepted: all names are free. Established: the resource is served, from then on.
const (
	NamesAccepted = "NamesAccepted"
	Established   = "Established"
	terminating   = "Terminating"
)

// accept returns the names that a definition gets, and the condition NamesAccepted: its own names or,
// if another resource of its group has one of them, those that it had before.
func (d *Definition) accept(had Names, served []*resource.Type) (Names, object.Tree) {
	names, kinds := map[string]bool{}, map[string]bool{} // of the others
	for _, typ := range served {
		if typ.Group != d.Group || d.replaces(typ) {
			continue
		}
		for _, name := range append([]string{typ.Plural, typ.SingularName()}, typ.ShortNames...) {
			names[name] = true
		}
		kinds[typ.Kind], kinds[typ.Kind+"List"] = true, true
	}
	for _, claim := range []struct {
		which string
		taken map[string]bool
		names []string
	}{{"Plural", names, []string{d.Names.Plural}}, {"Singular", names, []string{d.Names.Singular}},
		{"ShortNames", names, d.Names.ShortNames}, {"Kind", kinds, []string{d.Names.Kind}},
		{"ListKind", kinds, []string{d.Names.ListKind}}} {
		for _, name := range claim.names {
			if claim.taken[name] {
				return had, newCondition(NamesAccepted, "False", claim.which+"Conflict",
					`"`+name+`" is already in use`)
			}
		}
	}
	return d.Names, newCondition(NamesAccepted, "True", "NoConflicts", "no conflicts found")
}

// replaces reports whether the definition takes the place of a type: of its own, or of a custom one
// in the server's Options. The objects stay, so the version stays.
func (d *Definition) replaces(typ *resource.Type) bool {
	return typ.QualifiedName() == d.Name() && typ.Version == d.Versions[0].Name && !typ.Builtin()
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
	status["storedVersions"] = []any{d.Versions[0].Name}
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

// Decide gives a valid definition its names, if they are free among the types that are served. was
// is the definition before the write, nil for a new one.
func Decide(was, t object.Tree, served []*resource.Type) error {
	d, err := Read(t)
	if err != nil {
		return err
	}
	got, condition := d.accept(StatusOf(was).Names, served)
	setStatus(t, d, object.At[[]any](was, ".status.conditions"), got, condition)
	return nil
}
