package fakeapi

import (
	"encoding/json"
	"slices"

	"example.com/watchglass/fakeapi/object"
)

// The conditions of a CustomResourceDefinition.
const (
	namesAccepted = "NamesAccepted"
	established   = "Established"
	terminating   = "Terminating"
)

// accept returns the names that a definition gets, and the condition NamesAccepted.
// taken and takenKind report which names other resources of its group have. If a name
// is taken, the definition keeps the one that it had before.
func (d *definition) accept(had definedNames, taken func(name string) bool,
	takenKind func(kind string) bool) (got definedNames, condition object.Tree) {
	got = had
	got.Categories = d.Names.Categories
	condition = newCondition(namesAccepted, "True", "NoConflicts", "no conflicts found")
	claim := func(name string, taken bool, reason string, into *string) {
		if taken {
			condition = newCondition(namesAccepted, "False", reason, `"`+name+`" is already in use`)
			return
		}
		*into = name
	}
	claim(d.Names.Plural, taken(d.Names.Plural), "PluralConflict", &got.Plural)
	claim(d.Names.Singular, taken(d.Names.Singular), "SingularConflict", &got.Singular)
	if i := slices.IndexFunc(d.Names.ShortNames, taken); i >= 0 {
		condition = newCondition(namesAccepted, "False", "ShortNamesConflict",
			`"`+d.Names.ShortNames[i]+`" is already in use`)
	} else {
		got.ShortNames = d.Names.ShortNames
	}
	claim(d.Names.Kind, takenKind(d.Names.Kind), "KindConflict", &got.Kind)
	claim(d.Names.ListKind, takenKind(d.Names.ListKind), "ListKindConflict", &got.ListKind)
	return got, condition
}

func newCondition(kind, status, reason, message string) object.Tree {
	return object.Tree{"type": kind, "status": status, "reason": reason, "message": message}
}

// A definitionStatus is the part of a CustomResourceDefinition's status that decides
// whether its resource is served, and under which names.
type definitionStatus struct {
	Names      definedNames `json:"acceptedNames"`
	Conditions []struct {
		Type   string `json:"type"`
		Status string `json:"status"`
	} `json:"conditions"`
}

// statusOfDefinition returns the status of a CustomResourceDefinition, empty if it has none.
func statusOfDefinition(t object.Tree) definitionStatus {
	var s definitionStatus
	if t["status"] != nil && json.Unmarshal(object.JSON(t["status"]), &s) != nil {
		return definitionStatus{}
	}
	return s
}

func (s *definitionStatus) is(condition string) bool {
	for _, c := range s.Conditions {
		if c.Type == condition {
			return c.Status == "True"
		}
	}
	return false
}

// setDefinitionStatus writes the result of accept into an object. conditions are
// those before the write, because clients cannot set them. A definition that was
// established once stays established.
func setDefinitionStatus(t object.Tree, d *definition, conditions []any, got definedNames,
	names object.Tree) {
	status, ok := t["status"].(object.Tree)
	if !ok {
		status = object.Tree{}
		t["status"] = status
	}
	conditions = setCondition(conditions, names)
	had := statusOfDefinition(object.Tree{"status": object.Tree{"conditions": conditions}})
	if !had.is(established) {
		serving := newCondition(established, "True", "InitialNamesAccepted",
			"the initial names have been accepted")
		if names["status"] != "True" {
			serving = newCondition(established, "False", "NotAccepted", "not all names are accepted")
		}
		conditions = setCondition(conditions, serving)
	}
	status["conditions"] = conditions
	accepted, _ := object.DecodeTree(object.JSON(got))
	status["acceptedNames"] = accepted
	stored, _ := status["storedVersions"].([]any)
	if v := d.storageVersion(); v != "" && !slices.Contains(stored, any(v)) {
		stored = append(slices.Clone(stored), v)
	}
	status["storedVersions"] = stored
}

// setCondition returns the conditions with c in place of the one of its type, or added
// at the end. lastTransitionTime becomes now, unless the status is the same as before.
func setCondition(conditions []any, c object.Tree) []any {
	c["lastTransitionTime"] = object.Now()
	for i, e := range conditions {
		old, ok := e.(object.Tree)
		if !ok || old["type"] != c["type"] {
			continue
		}
		if old["status"] == c["status"] && old["lastTransitionTime"] != nil {
			c["lastTransitionTime"] = old["lastTransitionTime"]
		}
		conditions = slices.Clone(conditions)
		conditions[i] = c
		return conditions
	}
	return append(slices.Clip(conditions), c)
}

// takenNames returns two functions that report whether a name or a kind is taken in a
// group: by a built-in type, or by any other resource than except.
func (k *catalog) takenNames(group, except string) (taken, takenKind func(string) bool) {
	names, kinds := map[string]bool{}, map[string]bool{}
	for _, e := range k.endpoints {
		r := e.resource
		if r.Group != group || r.QualifiedName() == except && !r.Builtin() {
			continue
		}
		names[r.Plural], names[r.SingularName()] = true, true
		for _, name := range r.ShortNames {
			names[name] = true
		}
		kinds[r.Kind], kinds[r.Kind+"List"] = true, true
	}
	return func(name string) bool { return names[name] }, func(kind string) bool { return kinds[kind] }
}
