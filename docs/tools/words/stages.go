package words

import (
	"fmt"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// Queued tells of a delta that the queue has got; pending are all that wait for its key.
func Queued(key string, pending deltafifo.Deltas) Event {
	return event(Queue, "queued", key, "%s: %s", Short(key), Deltas(pending)).
		in("%s", Deltas(pending[max(0, len(pending)-1):]))
}

// QueuedInOrder tells of an event that a RealFIFO has got.
func QueuedInOrder(d deltafifo.Delta) Event {
	return event(Queue, "queued", Key(d.Object), "%s", Deltas(deltafifo.Deltas{d}))
}

// Merged tells of the second of two deletions in a row.
func Merged(key string, dropped deltafifo.Delta) Event {
	return event(Queue, "merged", key, "%s: two deletions in a row, drops %s", Short(key),
		Deltas(deltafifo.Deltas{dropped}))
}

// Ignored tells of the deletion of an object of which the queue knows nothing.
func Ignored(key string, d deltafifo.Delta) Event {
	return event(Queue, "ignored", key, "%s: ignores %s", Short(key), Deltas(deltafifo.Deltas{d}))
}

// Replaced tells of a list that has been queued.
func Replaced(version string, objects, deletions int) Event {
	return event(Queue, "replaced", "", "replaced at version %s: %s, %s", version,
		Count(objects, "object"), Count(deletions, "deletion"))
}

// Requeued tells of a key that could not be processed.
func Requeued(key string) Event { return event(Queue, "requeued", key, "%s: put back", Short(key)) }

// QueueSynced tells of the end of the first list.
func QueueSynced() Event {
	return event(Queue, "synced", "", "synced: the first list has been processed").in("synced")
}

// Popped tells what the process loop has taken: a key with its deltas.
func Popped(key string, deltas deltafifo.Deltas) Event {
	return event(Process, "pop", key, "pop %s: %s", Short(key), Deltas(deltas)).
		in("pop %s", Short(key))
}

// PoppedBatch tells what the process loop has taken from a RealFIFO.
func PoppedBatch(batch deltafifo.Deltas) Event {
	e := event(Process, "pop", "", "pop %s", Deltas(batch))
	if len(batch) == 1 {
		e.Key = Key(batch[0].Object)
	}
	return e
}

// Added tells of an object that is new in the cache.
func Added(key string, obj watchglass.Object) Event { return stored("add", "+", key, obj) }

// Updated tells of an object that has taken the place of an older state in the cache.
func Updated(key string, obj watchglass.Object) Event { return stored("update", "~", key, obj) }

// Deleted tells of an object that has left the cache.
func Deleted(key string, obj watchglass.Object) Event { return stored("delete", "-", key, obj) }

func stored(kind, sign, key string, obj watchglass.Object) Event {
	return event(Cache, kind, key, "cache %s %s", sign, At(obj)).in("%s %s", sign, At(obj))
}

// ReplacedCache tells of a list that has become the content of the cache.
func ReplacedCache(objects int, version string) Event {
	return event(Cache, "replace", "", "cache = %s at version %s", Count(objects, "object"), version)
}

// Distributed tells what the processor passes to the handlers. With isSync, only those that are due
// for a resync are told.
func Distributed(told []processor.Notification, isSync bool) Event {
	all := list(told, ", ", Notification)
	e := event(Processor, "distribute", "", "tells %s", all).in("%s", all)
	if isSync {
		e = event(Processor, "sync", "", "tells those that are due: %s", all).in("due: %s", all)
	}
	if len(told) == 1 {
		e.Key = Key(About(told[0]))
	}
	return e
}

// Notification names a notification: its kind and its object.
func Notification(n processor.Notification) string {
	return fmt.Sprintf("%v %s", n.Kind, At(About(n)))
}

// Joins tells of a handler that joins; it is told of the initial objects first.
func Joins(name string, initial int) Event {
	return event(Processor, "joins", "", "%s joins, %s to tell", name, Count(initial, "object")).
		in("%s joins, %s", name, Count(initial, "object"))
}

// Pending tells how much waits for a handler.
func Pending(name string, depth int) Event {
	return event(Processor, "pending", "", "%s: %d wait", name, depth)
}

// Removed tells of a handler that is told nothing more.
func Removed(name string) Event { return event(Processor, "removed", "", "%s is removed", name) }

// Delivering tells of a call of a handler that begins.
func Delivering(name string, n processor.Notification) Event {
	return event(Handler(name), "call", Key(About(n)), "%s", Told(n)).in("%s %s", name, did(n))
}

// Delivered tells of a call of a handler that has returned.
func Delivered(name string, n processor.Notification) Event {
	return event(Handler(name), "returned", Key(About(n)), "has returned from %s", Call(n)).
		in("%s ends %s", name, At(About(n)))
}

// Panicked tells of a call of a handler that has not returned.
func Panicked(name string, n processor.Notification, recovered any) Event {
	e := event(Handler(name), "panic", Key(About(n)), "panics: %v", recovered).in("%s panics", name)
	e.Fault = true
	return e
}

// HandlerEnded tells of the end of a handler. dropped is how many notifications it was never told.
func HandlerEnded(name string, dropped int) Event {
	e := event(Handler(name), "ended", "", "has ended")
	if dropped > 0 {
		e = event(Handler(name), "ended", "", "has ended, %d dropped", dropped)
	}
	return e.in("%s %s", name, e.Text)
}

// About returns the object of a notification: the new one, or for a delete the last one.
func About(n processor.Notification) watchglass.Object {
	if n.New != nil {
		return n.New
	}
	return n.Old
}

// deeds are the words for a notification: the method of a handler, and what has happened.
var deeds = map[processor.Kind]struct{ call, did string }{
	processor.Add:    {"OnAdd", "added"},
	processor.Update: {"OnUpdate", "updated"},
	processor.Delete: {"OnDelete", "deleted"},
}

// Call names a notification as the call of a handler.
func Call(n processor.Notification) string { return deeds[n.Kind].call + " " + At(About(n)) }

// Told says what a handler is told.
func Told(n processor.Notification) string {
	text := did(n)
	switch {
	case n.Kind == processor.Add && n.IsInInitialList:
		text += ", in the initial list"
	case n.Kind == processor.Update:
		text += " from version " + n.Old.GetResourceVersion()
		was, _ := fate(n.Old)
		is, isBeingDeleted := fate(n.New)
		if was != is {
			text += ", which has another UID"
		}
		if isBeingDeleted {
			text += ", which is being deleted"
		}
	}
	return text
}

func did(n processor.Notification) string { return deeds[n.Kind].did + " " + At(About(n)) }

// fate is what is no part of watchglass.Object, as far as the object tells it.
func fate(obj watchglass.Object) (uid string, isBeingDeleted bool) {
	switch obj := obj.(type) {
	case *watchglass.Unstructured:
		return obj.StringAt("metadata", "uid"), obj.StringAt("metadata", "deletionTimestamp") != ""
	case interface {
		GetUID() string
		IsBeingDeleted() bool
	}:
		return obj.GetUID(), obj.IsBeingDeleted()
	}
	return "", false
}

// Listing tells of a list that the reflector asks for.
func Listing(o reflector.ListOptions) Event {
	return event(Reflector, "list", "", "list at version %q", o.ResourceVersion).
		in("list @%s", o.ResourceVersion)
}

// Listed tells of a list that has come.
func Listed(items int, version string) Event {
	return event(Reflector, "listed", "", "%s, version %s", Count(items, "object"), version).
		in("%s @%s", Count(items, "object"), version)
}

// Opening tells of a watch that the reflector asks for, or a streaming list.
func Opening(o reflector.ListOptions) Event {
	if o.SendInitialEvents {
		return event(Reflector, "watch", "", "streaming list at version %q", o.ResourceVersion).
			in("stream @%s", o.ResourceVersion)
	}
	return event(Reflector, "watch", "", "watch from version %s", o.ResourceVersion).
		in("watch @%s", o.ResourceVersion)
}

// Transitioned tells of a step of the reflector's machine.
func Transitioned(t reflector.Transition, err error) Event {
	why := because(err)
	e := event(Reflector, "transition", "", "%v%s", t, why).in("%v → %v", t.On, t.To)
	e.Fault = err != nil && t.On != reflector.Ended && t.On != reflector.Stop // which are routine
	return e
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return " (" + Because(err) + ")"
}

// BackingOff tells of a pause of the reflector.
func BackingOff(d time.Duration) Event {
	return event(Reflector, "back off", "", "back off for %v", d.Round(time.Millisecond)).
		in("back off %v", d.Round(time.Millisecond))
}

// Read tells of an event that the reflector has read from a watch.
func Read(e reflector.Event) Event {
	if e.Object == nil {
		return event(Reflector, "event", "", "%s at version %s", e.Type, e.ResourceVersion).
			in("%s@%s", e.Type, e.ResourceVersion)
	}
	return event(Reflector, "event", Key(e.Object), "%s %s", e.Type, At(e.Object))
}

// Skipped tells of an object that could not be read.
func Skipped(err *reflector.ObjectError) Event {
	e := event(Reflector, "skipped", "", "skipped: %v", err)
	e.Fault = true
	return e
}

// VersionWentBack tells of an event or a list that is older than what came before it.
func VersionWentBack(before, now string) Event {
	e := event(Reflector, "went back", "", "version went back from %s to %s", before, now)
	e.Fault = true
	return e
}
