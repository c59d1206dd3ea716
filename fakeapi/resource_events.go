package fakeapi

// Events have two APIs, the core group's and the one of events.k8s.io, and are
// stored once: what a client writes in one of them can be read in the other. Some
// fields have different names in the two.

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

const eventsName = "events.events.k8s.io"

// eventsView shows stored core events as those of events.k8s.io.
func eventsView(core *Resource) *view {
	fields := map[string]string{"reason": ".reason", "type": ".type",
		"reportingController": ".reportingComponent"}
	for _, f := range []string{"kind", "namespace", "name", "uid", "apiVersion", "resourceVersion",
		"fieldPath"} {
		fields["regarding."+f] = ".involvedObject." + f
	}
	return &view{stored: core, fields: fields,
		show: func(t tree) tree { return renamed(t, 0, 1) },
		keep: func(t tree) tree { return renamed(t, 1, 0) }}
}

// renamed is an event with the names of one API in place of those of the other.
func renamed(t tree, from, to int) tree {
	for _, names := range eventFields {
		v, ok := t[names[from]]
		delete(t, names[from])
		delete(t, names[to]) // the API that t comes from has no such field
		if ok {
			t[names[to]] = v
		}
	}
	return t
}
