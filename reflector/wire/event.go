package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// DecodeEvent makes an event of a frame {"type": …, "object": …}. P is what the object becomes: a
// pointer to a struct T, or to a [watchglass.Unstructured].
//
// An ERROR frame becomes a [*reflector.StatusError]; an object that cannot be used becomes a
// [*reflector.ObjectError]; any other frame that is not an event of the Kubernetes API becomes a
// [*reflector.DecodeError]. Nothing in the event refers to the bytes of the frame.
func DecodeEvent[T any, P interface {
	*T
	watchglass.Object
}](frame []byte) (reflector.Event, error) {
	var d eventDecoder[T, P]
	return d.decode(frame)
}

// errorEvent is the type of the frame with which a server says that a stream has failed.
const errorEvent reflector.EventType = "ERROR"

// eventDecoder makes events of frames. It has no state, so several goroutines may use one.
type eventDecoder[T any, P objectPointer[T]] struct{ wanted }

// decode tries the form in which API servers write events first. Any other form is for decodeAny.
func (d *eventDecoder[T, P]) decode(frame []byte) (reflector.Event, error) {
	if eventType, object, ok := cutEvent(frame); ok {
		obj := P(new(T))
		if decodeObject(object, obj) == nil {
			return d.event(eventType, obj)
		}
	}
	return d.decodeAny(frame)
}

// eventHeads are how API servers begin the frames of events that carry an object.
var eventHeads = []struct {
	eventType reflector.EventType
	head      []byte
}{
	{reflector.Added, []byte(`{"type":"ADDED","object":`)},
	{reflector.Modified, []byte(`{"type":"MODIFIED","object":`)},
	{reflector.Deleted, []byte(`{"type":"DELETED","object":`)},
}

// cutEvent takes {"type":"ADDED","object":{…}} apart without decoding it. It looks only at the
// beginning and the last byte. If the frame has another form, the object that cutEvent returns is
// not one JSON value, so decoding it fails. If decoding succeeds, the frame is exactly this event.
func cutEvent(frame []byte) (eventType reflector.EventType, object []byte, ok bool) {
	for _, h := range eventHeads {
		if object, ok := bytes.CutPrefix(frame, h.head); ok {
			object, ok = bytes.CutSuffix(object, []byte("}"))
			return h.eventType, object, ok && bytes.HasPrefix(object, []byte("{"))
		}
	}
	return "", nil, false
}

// decodeAny decodes a frame of any form. The object is left undecoded until the type is known: only
// three of the five types have one that must fit into T.
func (d *eventDecoder[T, P]) decodeAny(frame []byte) (reflector.Event, error) {
	var e struct {
		Type   json.RawMessage `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(frame, &e); err != nil {
		return reflector.Event{}, badEvent(err)
	}
	var eventType reflector.EventType
	json.Unmarshal(e.Type, &eventType) // a type that is not a string stays empty, which is unknown
	none := len(e.Object) == 0 || string(e.Object) == "null"
	switch eventType {
	case errorEvent:
		return reflector.Event{}, statusEvent(e.Object)
	case reflector.Added, reflector.Modified, reflector.Deleted, reflector.Bookmark:
		if none {
			return reflector.Event{}, &reflector.ObjectError{Type: eventType, Err: errNoObject}
		}
	default:
		return reflector.Event{}, unknownType(frame, e.Type)
	}
	if eventType == reflector.Bookmark {
		return d.bookmark(e.Object)
	}
	obj := P(new(T))
	if err := json.Unmarshal(e.Object, obj); err != nil {
		return reflector.Event{}, badEvent(fmt.Errorf("%s event: %w", eventType, err))
	}
	return d.event(eventType, obj)
}

func badEvent(err error) error {
	return &reflector.DecodeError{What: "watch event", Err: shortened(err)}
}

// event checks that the object can be used.
func (d *eventDecoder[T, P]) event(
	eventType reflector.EventType, object P,
) (reflector.Event, error) {
	if object.GetName() == "" {
		return reflector.Event{}, &reflector.ObjectError{Type: eventType, Err: errNoName}
	}
	if err := d.checkObject(object); err != nil {
		return reflector.Event{}, &reflector.ObjectError{Type: eventType, Err: err}
	}
	return reflector.Event{
		Type: eventType, Object: object, ResourceVersion: object.GetResourceVersion(),
	}, nil
}

// wanted is what objects must be; "" is anything.
type wanted struct{ kind, apiVersion string }

// checkObject compares the kind and the apiVersion of an object with what was asked for. Most
// structs have neither; then every object that fits into the struct is accepted.
func (w wanted) checkObject(object any) error {
	typed, ok := object.(interface {
		GetKind() string
		GetAPIVersion() string
	})
	if !ok {
		return nil
	}
	return w.check(typed.GetKind(), typed.GetAPIVersion())
}

// check compares a kind and an apiVersion with what was asked for. A missing one is accepted.
func (w wanted) check(kind, apiVersion string) error {
	if differ(w.kind, kind) || differ(w.apiVersion, apiVersion) {
		return fmt.Errorf("object is a %s of %s, want a %s of %s",
			quoted(kind), quoted(apiVersion), quoted(w.kind), quoted(w.apiVersion))
	}
	return nil
}

// differ reports whether both are given and not the same.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// quoted formats a kind or an apiVersion for the error of check.
func quoted(s string) string {
	if s == "" {
		return "(any)"
	}
	return fmt.Sprintf("%q", prefix(s, 60))
}

// initialEventsEnd is the annotation that marks the bookmark after the initial events, if its value
// is "true".
const initialEventsEnd = "k8s.io/initial-events-end"

// bookmark reads the object of a bookmark: it has the watched kind and a version, and need not fit
// into T.
func (d *eventDecoder[T, P]) bookmark(object []byte) (reflector.Event, error) {
	var b struct {
		watchglass.TypeMeta
		Metadata struct {
			ResourceVersion string            `json:"resourceVersion"`
			Annotations     map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(object, &b); err != nil {
		return reflector.Event{}, badEvent(fmt.Errorf("%s event: %w", reflector.Bookmark, err))
	}
	err := d.check(b.Kind, b.APIVersion)
	if b.Metadata.ResourceVersion == "" {
		err = errNoVersion
	}
	if err != nil {
		return reflector.Event{}, &reflector.ObjectError{Type: reflector.Bookmark, Err: err}
	}
	return reflector.Event{
		Type:             reflector.Bookmark,
		ResourceVersion:  b.Metadata.ResourceVersion,
		InitialEventsEnd: b.Metadata.Annotations[initialEventsEnd] == "true",
	}, nil
}

var (
	errNoObject  = errors.New("it has no object")
	errNoName    = errors.New("its object has no metadata.name")
	errNoVersion = errors.New("its object has no metadata.resourceVersion")
)

// statusEvent reads the Status in an ERROR frame. Some proxies write such frames too, with objects
// of their own invention.
func statusEvent(object []byte) error {
	var s status
	if err := json.Unmarshal(object, &s); err != nil || s.Kind != "Status" {
		err := fmt.Errorf("its object is no Status: it begins %q", prefix(string(object), 60))
		return &reflector.DecodeError{What: "ERROR event", Err: err}
	}
	return s.err()
}

// unknownType is the error for a frame whose type is not ADDED, MODIFIED, DELETED, BOOKMARK or
// ERROR. It quotes what the frame has instead.
func unknownType(frame, eventType []byte) error {
	if len(eventType) == 0 {
		return badEvent(fmt.Errorf("it has no type: it begins %q", quote(frame)))
	}
	return badEvent(fmt.Errorf("unknown type %s", quote(eventType)))
}
