package registry

import (
	"encoding/json"
	"slices"

	"example.com/watchglass/fakeapi/object"
)

// namesAccepted: all names are free. established: the resource is served, from then on.
const (
	namesAccepted = "NamesAccepted"
	established   = "Established"
	terminating   = "Terminating"
)

// accept returns the names that a definition gets, and the condition namesAccepted: its own names
// or, if another resource of its group has one of them, those that it had before.
func (d *definition) accept(had definitionNames, served []*object.Type) (
	definitionNames, object.Tree) {
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
				return had, newCondition(namesAccepted, "False", claim.which+"Conflict",
					`"`+name+`" is already in use`)
			}
		}
	}
	return d.Names, newCondition(namesAccepted, "True", "NoConflicts", "no conflicts found")
}

// replaces reports whether the definition takes the place of a type: of its own, or of a custom one
// in the server's Options. The objects stay, so the version stays.
func (d *definition) replaces(typ *object.Type) bool {
	return typ.QualifiedName() == d.name() && typ.Version == d.Versions[0].Name && !typ.Builtin()
}

func newCondition(kind, status, reason, message string) object.Tree {
	return object.Tree{"type": kind, "status": status, "reason": reason, "message": message}
}

// A definitionStatus is the part of a CustomResourceDefinition's status that decides
// whether its resource is served, and under which names.
type definitionStatus struct {
	Names      definitionNames `json:"acceptedNames"`
	Conditions []condition     `json:"conditions"`
}

type condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

// definitionStatusOf returns the status of a CustomResourceDefinition, empty if it has none.
func definitionStatusOf(t object.Tree) definitionStatus {
	var s definitionStatus
	_ = json.Unmarshal(object.JSON(t["status"]), &s) // see readDefinition
	return s
}

// is reports whether a condition is true.
func (s *definitionStatus) is(kind string) bool {
	return slices.Contains(s.Conditions, condition{kind, "True"})
}

// setDefinitionStatus writes the result of accept into an object. conditions come from the object
// before the write, because clients cannot set them. A definition that was established once stays
// established.
func setDefinitionStatus(t object.Tree, d *definition, conditions []any,
	got definitionNames, names object.Tree) {
	status := object.Within(t, "status")
	status["acceptedNames"], _ = object.DecodeTree(object.JSON(got))
	status["conditions"] = setCondition(conditions, names)
	if had := definitionStatusOf(t); !had.is(established) {
		serving := newCondition(established, "True", "InitialNamesAccepted",
			"the initial names have been accepted")
		if names["status"] != "True" {
			serving = newCondition(established, "False", "NotAccepted", "not all names are accepted")
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

// definitionFinalizer keeps a deleted definition until its objects are gone.
const definitionFinalizer = "customresourcecleanup.apiextensions.k8s.io"

// terminateDefinition gives a definition that is being deleted its finalizer and the condition
// Terminating.
func terminateDefinition(t object.Tree) {
	m := object.MetaOf(t)
	m.SetList("finalizers", append(m.List("finalizers"), definitionFinalizer))
	object.SetAt(t, ".status.conditions", setCondition(object.At[[]any](t, ".status.conditions"),
		newCondition(terminating, "True", "InstanceDeletionInProgress",
			"CustomResource deletion is in progress")))
}

// decideDefinition gives a valid definition its names, if they are free among the types that are
// served. was is the definition before the write, nil for a new one.
func decideDefinition(was, t object.Tree, served []*object.Type) {
	d := readDefinition(t)
	got, condition := d.accept(definitionStatusOf(was).Names, served)
	setDefinitionStatus(t, d, object.At[[]any](was, ".status.conditions"), got, condition)
}
