// Package words says what happened, in the words of the stories: each function turns one call of
// a stage's trace into an event. The tour, the live page and the informer's stories show these
// events, each in its own way, so that one report reads alike in all of them.
//
// An object is name@version everywhere, a tombstone is "tombstone of" the last state that is known,
// and a change of the cache is +, ~ or -.
package words

import (
	"errors"
	"fmt"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/reflector"
)

// An Event is one thing that a stage has reported.
type Event struct {
	Lane  string `json:"lane"` // where it happened: one goroutine, or one lock
	Kind  string `json:"kind"`
	Key   string `json:"key"` // of the object that it is about, or ""
	Text  string `json:"text"`
	Brief string `json:"brief"` // Text where the column says the rest
	Fault bool   `json:"fault"`
}

// The lanes. A handler's is Handler.
const (
	API       = "api"
	Wire      = "wire"
	Reflector = "reflector"
	Queue     = "queue"
	Process   = "process" // the process loop
	Cache     = "cache"
	Processor = "processor"
)

// Handler returns the lane of a handler.
func Handler(name string) string { return "handler:" + name }

// event makes an event whose text is short enough for a column.
func event(lane, kind, key, format string, args ...any) Event {
	text := fmt.Sprintf(format, args...)
	return Event{Lane: lane, Kind: kind, Key: key, Text: text, Brief: text}
}

// in gives an event a shorter text for a column.
func (e Event) in(format string, args ...any) Event {
	e.Brief = fmt.Sprintf(format, args...)
	return e
}

// At shows an object as name@version.
func At(obj watchglass.Object) string {
	switch obj := obj.(type) {
	case deltafifo.DeletedFinalStateUnknown:
		if obj.Obj == nil {
			return "tombstone of " + obj.GetName()
		}
		return "tombstone of " + At(obj.Obj)
	case realfifo.ReplacedAllInfo:
		return fmt.Sprintf("[%s] at version %s", list(obj.Objects, " ", At), obj.ResourceVersion)
	case realfifo.SyncAllInfo:
		return ""
	}
	return obj.GetName() + "@" + obj.GetResourceVersion()
}

// Deltas shows deltas: Added web-1@2, Deleted tombstone of web-1@2. Of many, it shows the first.
func Deltas(deltas deltafifo.Deltas) string {
	return list(deltas, ", ", func(d deltafifo.Delta) string {
		return strings.TrimSpace(fmt.Sprintf("%s %s", d.Type, At(d.Object)))
	})
}

// list joins what is said of each element, eight at most.
func list[T any](all []T, between string, say func(T) string) string {
	const most = 8
	var each []string
	for i, one := range all {
		if i == most {
			each = append(each, fmt.Sprintf("and %d more", len(all)-most))
			break
		}
		each = append(each, say(one))
	}
	return strings.Join(each, between)
}

// Because shortens an error to what the server said, else to its last part. It is "" for nil.
func Because(err error) string {
	if err == nil {
		return ""
	}
	if status, ok := errors.AsType[*reflector.StatusError](err); ok {
		return fmt.Sprintf("%d %s", status.Code, status.Message)
	}
	text := err.Error()
	return text[strings.LastIndex(": "+text, ": "):]
}

// Count returns a number of things: 1 object, 2 objects.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Short returns a key without the namespace "default", in which most examples live.
func Short(key string) string { return strings.TrimPrefix(key, "default/") }

// Key returns the key under which all stages know an object, "" if it has no name.
func Key(obj watchglass.Object) string {
	if obj == nil || obj.GetName() == "" {
		return ""
	}
	key, _ := watchglass.MetaNamespaceKeyFunc(obj) // an error for objects without a name
	return key
}

// Term is a word of the stage, and what it means.
type Term struct {
	Word string `json:"word"`
	Says string `json:"says"`
	Help bool   `json:"help"` // explains a drawing, not one word of a place
}

// Terms are the words of the stage. A word that stands in a place explains itself there.
var Terms = []Term{
	{"informer", "Keeps a cache of the server's objects and calls handlers when one changes: all " +
		"places between the wire and the handlers.", true},
	{"mark", "A coloured shape is one object. It looks the same in every place. (Of more than " +
		"16 objects, some look alike.) A click on it shows the object whole.", true},
	{"†", "A tombstone: the object is gone, and no event has brought its last state. This is the " +
		"state that the cache had.", true},
	{"valve", "V1, V2 and so on: the page holds up one goroutine there. An open valve lets " +
		"everything pass, a held one nothing. Only this page has them: an informer has none.", true},
	{"lane", "The column below a place: what that place has reported, read downwards. Lanes " +
		"of different goroutines could come in another order, except where an arrow leads.", true},
	{"grey", "An object that is drawn in grey is not in this place.", true},
	{"synced", "HasSynced: whether the first list has come through. The informer has one of its " +
		"own, and so has each handler. Lesson 1 shows when they become true.", true},

	{"version", "The number of the last write of the server: its resourceVersion. Each write raises " +
		"it by one, whatever object it is about.", false},
	{"history", "The last writes that the server remembers, oldest first. A watch can begin only at " +
		"a version from which on it remembers all.", false},
	{"held", "Frames that the server has sent, and that have not passed valve V1. They are in the " +
		"connection, and have not been read.", false},
	{"in hand", "What a goroutine has taken from one place and not yet put into the next. The " +
		"reflector reads a frame, and then queues it. The process loop pops a key with all its " +
		"deltas, writes to the cache, and then tells the processor.", false},
	{"back off", "How long the reflector waits before its next attempt. Each failure in a row makes " +
		"it longer, up to half a minute.", false},
	{"seen up to", "The version up to which everything has been given to the queue. The next watch " +
		"begins there.", false},
	{"next to pop", "The key at the right end is the one that the process loop takes next.", false},
	{"by key, oldest first", "A key keeps its place in the queue while deltas gather under it. One " +
		"pop takes all of them.", false},
	{"one by one, oldest first", "Every event has a place of its own, in the order of the server. " +
		"One pop takes a batch of different objects.", false},
	{"objects", "How many objects the cache holds: what listers read, without a request.", false},
	{"ring", "The buffer of this handler. It has no slots before something has to wait, then 16, " +
		"and twice as many whenever it is full. A slot holds a batch of up to 128 notifications " +
		"that were handed over together. How many wait in all stands in the middle, and the object " +
		"of the next call below.", false},
	{"most", "The most notifications that ever waited for this handler at the same time.", false},
	{"told", "How many calls of this handler have returned.", false},
}
