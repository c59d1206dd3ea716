package informer_test

import (
	"errors"
	"fmt"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/reflector"
)

// The traces of the stages write lines in lanes. Each lane belongs to one goroutine: otherwise its
// order would differ from run to run. (The queue's belongs to the reflector's goroutine, which
// adds.)

func (h *house) serverTrace() *fakeapi.Trace {
	return &fakeapi.Trace{
		Request: func(fakeapi.Request) { h.requests.Add(1) },
		Committed: func(c fakeapi.Change) {
			h.lanes.Report("server", "%s %s, version %d", c.Type, c.Name, c.Version)
		},
	}
}

func (h *house) reflectorTrace() *reflector.Trace {
	say := func(format string, args ...any) { h.lanes.Report("reflector", format, args...) }
	return &reflector.Trace{
		Listing: func(o reflector.ListOptions) { say("list at version %q", o.ResourceVersion) },
		Opening: func(o reflector.ListOptions) {
			if o.SendInitialEvents {
				say("streaming list at version %q", o.ResourceVersion)
				return
			}
			say("watch from version %s", o.ResourceVersion)
		},
		Transition: func(t reflector.Transition, err error) { say("%v%s", t, because(err)) },
		Event: func(e reflector.Event) {
			if e.Type == reflector.Bookmark {
				say("BOOKMARK at version %s", e.ResourceVersion)
				return
			}
			say("%s %s", e.Type, at(e.Object))
		},
	}
}

// because shortens an error to what the story is about: what the server said, else its last part.
func because(err error) string {
	if err == nil {
		return ""
	}
	if status, ok := errors.AsType[*reflector.StatusError](err); ok {
		return fmt.Sprintf(" (%d %s)", status.Code, status.Message)
	}
	text := err.Error()
	return " (" + text[strings.LastIndex(": "+text, ": "):] + ")"
}

func (h *house) queueTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, d deltafifo.Delta, pending deltafifo.Deltas) {
			h.lanes.Report("queue", "%s: %s", short(key), list(pending))
		},
		Popped: func(key string, d deltafifo.Deltas, isInInitialList bool) {
			h.lanes.Report("process", "pop %s: %s", short(key), list(d))
		},
	}
}

func (h *house) orderedTrace() *realfifo.Trace {
	return &realfifo.Trace{
		Queued: func(d deltafifo.Delta) {
			h.lanes.Report("queue", "%s", list(deltafifo.Deltas{d}))
		},
		Popped: func(batch deltafifo.Deltas, _ bool) {
			h.lanes.Report("process", "pop %s", list(batch))
		},
	}
}

func (h *house) indexerTrace() *indexer.Trace {
	say := func(format string, args ...any) { h.lanes.Report("process", format, args...) }
	return &indexer.Trace{
		Added:   func(key string, obj watchglass.Object) { say("cache + %s", at(obj)) },
		Updated: func(key string, old, obj watchglass.Object) { say("cache ~ %s", at(obj)) },
		Deleted: func(key string, obj watchglass.Object) { say("cache - %s", at(obj)) },
		Replaced: func(n int, version string) {
			say("cache = the list at version %s, objects: %d", version, n)
		},
	}
}

// list shows deltas as the stories do: Added web-1@2, Deleted tombstone of web-1@2.
func list(deltas deltafifo.Deltas) string {
	var each []string
	for _, d := range deltas {
		each = append(each, fmt.Sprintf("%s %s", d.Type, at(d.Object)))
	}
	return strings.Join(each, ", ")
}

// at shows an object as name@version.
func at(obj watchglass.Object) string {
	if all, ok := obj.(realfifo.ReplacedAllInfo); ok {
		var each []string
		for _, obj := range all.Objects {
			each = append(each, at(obj))
		}
		return fmt.Sprintf("%v at version %s", each, all.ResourceVersion)
	}
	if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
		if gone.Obj == nil {
			return "tombstone of " + gone.GetName()
		}
		return "tombstone of " + at(gone.Obj)
	}
	return obj.GetName() + "@" + obj.GetResourceVersion()
}

// short is the key without the namespace, which is "default" in all stories.
func short(key string) string { return strings.TrimPrefix(key, "default/") }
