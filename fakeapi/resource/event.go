package resource

// Events have two APIs, the core group's and the one of events.k8s.io, and are stored
// once: what a client writes in one of them can be read in the other. Some fields have
// different names in the two.

// Events is the qualified name of the newer API.
const Events = "events.events.k8s.io"

// eventFields are these fields: the name in core events, the name in events.k8s.io.
var eventFields = [][2]string{
	{"involvedObject", "regarding"},
	{"message", "note"},
	{"reportingComponent", "reportingController"},
	{"source", "deprecatedSource"},
	{"firstTimestamp", "deprecatedFirstTimestamp"},
	{"lastTimestamp", "deprecatedLastTimestamp"},
	{"count", "deprecatedCount"},
}

// EventsView returns a type that shows stored core events as those of events.k8s.io.
func EventsView(core *Type, r Resource) *Type {
	t := ViewOf(core, r)
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
