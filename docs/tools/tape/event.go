package tape

import (
	"errors"
	"fmt"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/reflector"
)

// What the page is given. An Event says what one stage reported, and how the whole machine stood
// after it: the state of event 40 alone gives the picture of event 40. Nothing in here is changed
// after it was made, so events share the parts of the state that stayed the same.

// Event is one thing that happened, with the state after it.
type Event struct {
	Lane  string `json:"lane"` // where it happened: one goroutine, or one lock
	Kind  string `json:"kind"`
	Key   string `json:"key"` // of the object that it is about, or ""
	Text  string `json:"text"`
	Brief string `json:"brief"` // Text where the column says the rest
	Means string `json:"means"` // the key of its entry in the legend, if there is one
	Fault bool   `json:"fault"`

	Seq   int64  `json:"seq"` // 1, 2, 3 …: the order of everything, and the page's resourceVersion
	At    int64  `json:"at"`  // milliseconds since the start
	Call         // the line that acted; no file: no stage has reported it
	From  string `json:"from"` // the places between which something moved, or ""
	To    string `json:"to"`
	State State  `json:"state"`

	// Report is file:line of the call of a trace that reported the event. It is "" if the line that
	// acted is where it was reported.
	Report  string `json:"report"`
	Callers []Call `json:"callers"` // that led to the function, the innermost first

	// Object is the JSON of the object that the event is about, "" if the stage has not shown it. It
	// is text, so that a tape can leave out a field of it.
	Object string `json:"object"`
}

// The lanes of the stages; a handler's is Handler. The lanes are also the places that things move
// between.
const (
	API       = "api"
	Wire      = "wire"
	Reflector = "reflector"
	Queue     = "queue"
	Process   = "process" // the process loop
	Cache     = "cache"
	Processor = "processor"
)

// The lanes that no stage has.
const (
	laneYou   = "you"   // a button or a valve was used
	laneStory = "story" // a story speaks, or types a command
)

// Handler returns the lane of a handler.
func Handler(name string) string { return "handler:" + name }

// event makes an event whose text is short enough for a column.
func event(lane, kind, key, format string, args ...any) Event {
	text := fmt.Sprintf(format, args...)
	e := Event{Lane: lane, Kind: kind, Key: key, Text: text, Brief: text}
	e.Means = e.made()
	return e
}

// made is the kind of an event, with its lane. Handlers are all alike.
func (e *Event) made() string {
	lane, _, _ := strings.Cut(e.Lane, ":")
	return lane + " " + e.Kind
}

// said makes an event about no object, which no stage reports.
func said(lane, kind, format string, args ...any) Event {
	return event(lane, kind, "", format, args...)
}

// in gives an event a shorter text for a column.
func (e Event) in(format string, args ...any) Event {
	e.Brief = fmt.Sprintf(format, args...)
	return e
}

// as says which of the events of its kind it is, for the legend.
func (e Event) as(which string) Event {
	e.Means += " " + which
	return e
}

// failing makes it an event of something that went wrong, if it did.
func (e Event) failing(fault bool) Event {
	e.Fault = fault
	return e
}

// moving makes it the event of something that moves.
func (e Event) moving(from, to string) Event {
	e.From, e.To = from, to
	return e
}

// Where is the lane that an event is about: what is done to the server is shown where the server
// is.
func (e *Event) Where() string {
	lane, _, _ := strings.Cut(e.Lane, ":")
	if e.To == API && (lane == laneStory || lane == laneYou) {
		return API
	}
	return lane
}

// The words of all events: an object is name@version, a tombstone is "tombstone of" the last state
// that is known, and a change of the cache is +, ~ or -. So one report reads alike in a story, in
// the tour and on the live page.

// at shows an object as name@version.
func at(obj watchglass.Object) string {
	switch obj := obj.(type) {
	case deltafifo.DeletedFinalStateUnknown:
		if obj.Obj == nil {
			return "tombstone of " + obj.GetName()
		}
		return "tombstone of " + at(obj.Obj)
	case deltafifo.ReplacedAllInfo:
		return fmt.Sprintf("[%s] at version %s", list(obj.Objects, " ", at), obj.ResourceVersion)
	case deltafifo.SyncAllInfo:
		return ""
	}
	return obj.GetName() + "@" + obj.GetResourceVersion()
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

// because shortens an error to what the server said, else to its last part. It is "" for nil.
func because(err error) string {
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

// keyOf returns the key under which all stages know an object, "" if it has no name.
func keyOf(obj watchglass.Object) string {
	if obj == nil || obj.GetName() == "" {
		return ""
	}
	key, _ := watchglass.MetaNamespaceKeyFunc(obj) // an error for objects without a name
	return key
}

// join returns the key of a name in a namespace, which is "" for objects without one.
func join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// frame names a frame of a watch.
func frame(kind, name string, version any) string {
	return fmt.Sprintf("%s@%v", strings.TrimRight(kind+" "+name, " "), version)
}
