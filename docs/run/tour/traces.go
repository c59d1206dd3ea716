package main

import (
	"net/url"
	"strings"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// serverTrace returns the trace of the fake API server.
func (r *recorder) serverTrace() *fakeapi.Trace {
	return &fakeapi.Trace{
		Request: func(q fakeapi.Request) {
			query, _ := url.ParseQuery(q.Query)
			r.report(apiServer, "", "GET %s rv=%s", q.Verb, query.Get("resourceVersion"))
		},
		Committed: func(c fakeapi.Change) {
			verb := "is"
			if c.Type == "DELETED" {
				verb = "gone"
			}
			r.report(apiServer, c.Namespace+"/"+c.Name, "%s %s @%d", c.Name, verb, c.Version)
		},
		Sent: func(q fakeapi.Request, f fakeapi.FrameInfo) {
			if f.Name == "" {
				r.alarm(apiServer, "▸ %s", f.Type)
				return
			}
			r.report(apiServer, q.Namespace+"/"+f.Name, "▸ %s@%d", f.Type, f.Version)
		},
		WatchEnded: func(_ fakeapi.Request, why fakeapi.EndReason) {
			if why == fakeapi.EndClient {
				r.report(apiServer, "", "client left")
				return
			}
			r.report(apiServer, "", "watch %s", why)
		},
	}
}

// trace returns the traces of the informer's stages.
func (r *recorder) trace() informer.Trace {
	return informer.Trace{
		Reflector: r.reflectorTrace(),
		DeltaFIFO: r.queueTrace(),
		Indexer:   r.indexerTrace(),
		Processor: r.processorTrace(),
	}
}

func (r *recorder) reflectorTrace() *reflector.Trace {
	tell := func(format string, args ...any) { r.report(reflecting, "", format, args...) }
	return &reflector.Trace{
		Listing: func(o reflector.ListOptions) { tell("list from %s", o.ResourceVersion) },
		Listed:  func(items int, version string, _ bool) { tell("%d items @%s", items, version) },
		Opening: func(o reflector.ListOptions) { tell("watch from %s", o.ResourceVersion) },
		Opened:  func(reflector.ListOptions) { tell("watch opened") },
		Event: func(e reflector.Event) {
			r.report(reflecting, keyOf(e.Object), "%s@%s", e.Type, e.ResourceVersion)
		},
		Ended:      func(int, time.Duration, error) { tell("end of watch") },
		Transition: r.transition,
		BackingOff: func(d time.Duration) { tell("back off %v", d) },
	}
}

// transition reports the transitions of the reflector that an error has caused, and the last one.
// The others need no cell: the next request or event shows them.
func (r *recorder) transition(t reflector.Transition, err error) {
	switch {
	case t.To == reflector.Stopped:
		r.report(reflecting, "", "stopped")
	case err != nil:
		r.alarm(reflecting, "%v → %v", t.On, t.To)
	}
}

func (r *recorder) queueTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, d deltafifo.Delta, _ deltafifo.Deltas) {
			r.report(queueing, key, "%s: %v", nameIn(key), d)
		},
		Popped: func(key string, _ deltafifo.Deltas, _ bool) {
			r.report(queueing, key, "pop %s", nameIn(key))
		},
		Synced: func() { r.report(queueing, "", "synced") },
	}
}

func (r *recorder) indexerTrace() *indexer.Trace {
	tell := func(did, key string) { r.report(indexing, key, "%s %s", did, nameIn(key)) }
	return &indexer.Trace{
		Added:   func(key string, _ watchglass.Object) { tell("add", key) },
		Updated: func(key string, _, _ watchglass.Object) { tell("update", key) },
		Deleted: func(key string, _ watchglass.Object) { tell("delete", key) },
	}
}

func (r *recorder) processorTrace() *processor.Trace {
	return &processor.Trace{
		Distributed: func(notifications []processor.Notification, sync bool) {
			for _, n := range notifications {
				what := n.Kind.String()
				if sync {
					what = "sync"
				}
				r.report(processing, keyOf(about(n)), "%s %s", what, about(n).GetName())
			}
		},
		Pending: func(string, int) { r.add() }, // wakes overtake
		ListenerAdded: func(name string, initial int) {
			r.report(processing, "", "%s joins, %d objects", name, initial)
		},
		ListenerRemoved: func(name string) { r.report(processing, "", "%s removed", name) },
		Delivering: func(name string, n processor.Notification) {
			r.report(handling, keyOf(about(n)), "%s %s", name, call(n))
		},
		ListenerEnded: func(name string, _ int) { r.report(handling, "", "%s ended", name) },
	}
}

// call names the handler's method and the object of a notification.
func call(n processor.Notification) string {
	what := map[processor.Kind]string{
		processor.Add: "OnAdd ", processor.Update: "OnUpdate ", processor.Delete: "OnDelete ",
	}[n.Kind] + about(n).GetName()
	if _, unseen := about(n).(deltafifo.DeletedFinalStateUnknown); unseen {
		what += " (a tombstone)"
	}
	return what
}

// about returns the object of a notification: the new one, or for a delete the old one.
func about(n processor.Notification) watchglass.Object {
	if n.New != nil {
		return n.New
	}
	return n.Old
}

// keyOf returns the key under which all stages know an object. Bookmarks are about no object.
func keyOf(obj watchglass.Object) string {
	if obj == nil {
		return ""
	}
	key, _ := watchglass.MetaNamespaceKeyFunc(obj) // an error for objects without a name
	return key
}

// nameIn leaves the namespace out: lanes are narrow.
func nameIn(key string) string { return key[strings.LastIndex(key, "/")+1:] }
