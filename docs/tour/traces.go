package main

import (
	"strings"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// trace returns what the stages of an informer are to call. Here, and in server.go, is all that can
// ever stand in a picture.
func (r *recorder) trace() informer.Trace {
	return informer.Trace{
		Reflector: r.reflectorTrace(),
		DeltaFIFO: r.queueTrace(),
		Indexer:   r.indexerTrace(),
		Processor: r.processorTrace(),
	}
}

func (r *recorder) reflectorTrace() *reflector.Trace {
	return &reflector.Trace{
		Listing: func(o reflector.ListOptions) { r.report(reflecting, "", "list %s", from(o)) },
		Listed: func(items int, version string, _ bool) {
			r.note("list: %s @%s", plural(items, "object"), version)
			r.counted((*tally).list, reflecting, "", "%s @%s", plural(items, "item"), version)
		},
		Opening: func(o reflector.ListOptions) { r.report(reflecting, "", "watch %s", from(o)) },
		Opened: func(o reflector.ListOptions) {
			r.note("watch %s", from(o))
			r.counted((*tally).watch, reflecting, "", "watch opened")
		},
		Event: r.event,
		Ended: func(events int, _ time.Duration, _ error) {
			r.note("end of watch after %s", plural(events, "event"))
			r.report(reflecting, "", "end of watch")
		},
		Transition: r.transition,
		BackingOff: func(d time.Duration) {
			r.report(reflecting, "", "back off %v", d.Round(time.Millisecond))
		},
		Skipped: func(err *reflector.ObjectError) {
			r.note("%v", err)
			r.alarm(reflecting, "", "%v", err)
		},
		StoreRefused: func(err *reflector.StoreError) { r.alarm(reflecting, "", "%v", err) },
		VersionWentBack: func(old, now string) {
			r.alarm(reflecting, "", "version went back: %s → %s", old, now)
		},
	}
}

func (r *recorder) event(e reflector.Event) {
	if e.Object == nil {
		r.note("%s@%s", e.Type, e.ResourceVersion)
		r.counted((*tally).event, reflecting, "", "%s@%s", e.Type, e.ResourceVersion)
		return
	}
	r.note("%s %s @%s", e.Type, keyOf(e.Object), e.ResourceVersion)
	r.counted((*tally).event, reflecting, keyOf(e.Object), "%s@%s", e.Type, e.ResourceVersion)
}

// transition draws the steps of the reflector's machine that an error has caused. The others show
// in what follows upon them.
func (r *recorder) transition(t reflector.Transition, err error) {
	switch {
	case t.To == reflector.Stopped:
		r.report(reflecting, "", "stopped")
	case err == nil:
	case t.Do == reflector.BackOff:
		r.note("%v: %v", t, err)
		r.alarm(reflecting, "", "%v → %v", t.On, t.To)
	default:
		r.note("%v", t)
		r.report(reflecting, "", "%v → %v", t.On, t.To)
	}
}

func (r *recorder) queueTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, _ deltafifo.Delta, pending deltafifo.Deltas) {
			var deltas []string
			for _, d := range pending {
				deltas = append(deltas, d.String())
			}
			r.report(queueing, key, "%s: %s", nameIn(key), strings.Join(deltas, " "))
		},
		Merged: func(key string, _, dropped deltafifo.Delta) {
			r.report(queueing, key, "%s: drop %v", nameIn(key), dropped)
		},
		Ignored: func(key string, d deltafifo.Delta) {
			r.report(queueing, key, "%s: ignore %v", nameIn(key), d)
		},
		Popped: func(key string, _ deltafifo.Deltas, _ bool) {
			r.report(queueing, key, "pop %s", nameIn(key))
		},
		Requeued: func(key string, _ deltafifo.Deltas) {
			r.alarm(queueing, key, "%s: put back", nameIn(key))
		},
		Synced: func() { r.report(queueing, "", "synced") },
	}
}

func (r *recorder) indexerTrace() *indexer.Trace {
	return &indexer.Trace{
		Added: func(key string, _ watchglass.Object) {
			r.report(indexing, key, "add %s", nameIn(key))
		},
		Updated: func(key string, _, _ watchglass.Object) {
			r.report(indexing, key, "update %s", nameIn(key))
		},
		Deleted: func(key string, _ watchglass.Object) {
			r.report(indexing, key, "delete %s", nameIn(key))
		},
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
				key := keyOf(about(n))
				r.report(processing, key, "%s %s", what, nameIn(key))
			}
		},
		Pending: func(string, int) { r.touch() },
		ListenerAdded: func(listener string, initial int) {
			r.report(processing, "", "%s joins, %d to tell", listener, initial)
		},
		ListenerRemoved: func(listener string) {
			r.report(processing, "", "%s removed", listener)
		},
		Delivering: func(listener string, n processor.Notification) {
			r.counted((*tally).call, handling, keyOf(about(n)), "%s %s", listener, call(n))
		},
		ListenerEnded: func(listener string, dropped int) {
			if dropped > 0 {
				r.report(handling, "", "%s ended, %d dropped", listener, dropped)
				return
			}
			r.report(handling, "", "%s ended", listener)
		},
	}
}

// call is a notification as the method that the handler has for it.
func call(n processor.Notification) string {
	name := about(n).GetName()
	switch n.Kind {
	case processor.Add:
		return "OnAdd " + name
	case processor.Update:
		return "OnUpdate " + name
	}
	if _, unseen := n.Old.(deltafifo.DeletedFinalStateUnknown); unseen {
		return "OnDelete " + name + " (a tombstone)"
	}
	return "OnDelete " + name
}

// about is the object of a notification.
func about(n processor.Notification) watchglass.Object {
	if n.New != nil {
		return n.New
	}
	return n.Old
}

// keyOf is the key under which all stages know obj.
func keyOf(obj watchglass.Object) string {
	key, err := watchglass.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return "?"
	}
	return key
}

// nameIn leaves the namespace out: lanes are narrow.
func nameIn(key string) string { return key[strings.LastIndex(key, "/")+1:] }

func from(o reflector.ListOptions) string {
	switch {
	case o.Continue != "":
		return "the next page"
	case o.ResourceVersion == "":
		return "the latest"
	}
	return "from " + o.ResourceVersion
}
