package resource

import "slices"

// A View shows the stored objects of one type as objects of another: as a second version, which
// differs only in apiVersion, or with other names of fields: see EventsView. Clients read and write
// the view's form; the server stores, selects and compares the stored form.
type View struct {
	Stored *Type

	renamed bool              // some fields have other names: see rename
	fields  map[string]string // stored paths of the fields that selectors may name; nil: Select
}

// ViewOf returns a type that shows the objects of another one in a second version.
func ViewOf(stored *Type, res Resource) *Type {
	t := New(res)
	t.View = &View{Stored: stored}
	return t
}

// Shown returns a stored object as the type shows it. It may change o.
func (t *Type) Shown(o map[string]any) map[string]any { return t.become(t, o, 0, 1) }

// Kept returns an object of the type in the form in which it is stored. It may change o.
func (t *Type) Kept(o map[string]any) map[string]any { return t.become(t.StoredAs(), o, 1, 0) }

// become gives an object of a view another type, and its fields the names of that type.
func (t *Type) become(other *Type, o map[string]any, from, to int) map[string]any {
	if t.View != nil {
		o["kind"], o["apiVersion"] = other.Kind, other.APIVersion()
		if t.View.renamed {
			rename(o, from, to)
		}
	}
	return o
}

// Columned returns the type whose columns and objects the tables of this type show: the
// stored one, if its fields have other names.
func (t *Type) Columned() *Type {
	if t.View != nil && t.View.renamed {
		return t.View.Stored
	}
	return t
}

// StoredAs returns the type as which the objects are stored.
func (t *Type) StoredAs() *Type {
	if t.View == nil {
		return t
	}
	return t.View.Stored
}

// StoredSelect returns the index, in the stored type's Select, of the field that a selector
// calls path; negative if the field is not selectable.
func (t *Type) StoredSelect(path string) int {
	switch {
	case t.View == nil:
		return slices.Index(t.Select, "."+path)
	case t.View.fields != nil:
		return slices.Index(t.View.Stored.Select, t.View.fields[path])
	case slices.Contains(t.Select, "."+path):
		return slices.Index(t.View.Stored.Select, "."+path)
	}
	return -1
}

// Events have two APIs, the core group's and the one of events.k8s.io, and are stored
// once: what a client writes in one of them can be read in the other. Some fields have
// different names in the two.

// Events is the qualified name of the newer API.
const Events = "events.events.k8s.io"

// eventFields lists them: the name in core events, then the name in events.k8s.io.
var eventFields = [][2]string{
	{"involvedObject", "regarding"}, {"message", "note"}, {"source", "deprecatedSource"},
	{"reportingComponent", "reportingController"}, {"count", "deprecatedCount"},
	{"firstTimestamp", "deprecatedFirstTimestamp"}, {"lastTimestamp", "deprecatedLastTimestamp"},
}

// EventsView returns a type that shows stored core events as those of events.k8s.io.
func EventsView(core *Type, res Resource) *Type {
	t := ViewOf(core, res)
	t.View.renamed = true
	t.View.fields = map[string]string{"reason": ".reason", "type": ".type",
		"reportingController": ".reportingComponent"}
	for _, f := range []string{"kind", "namespace", "name", "uid", "apiVersion", "resourceVersion",
		"fieldPath"} {
		t.View.fields["regarding."+f] = ".involvedObject." + f
	}
	return t
}

// rename gives an event's fields the names of one API in place of those of the other.
func rename(event map[string]any, from, to int) {
	for _, names := range eventFields {
		v, ok := event[names[from]]
		delete(event, names[from])
		delete(event, names[to]) // the API that the event comes from has no such field
		if ok {
			event[names[to]] = v
		}
	}
}
