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
