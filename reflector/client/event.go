package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// objectPointer says that P is the pointer to T, and an object.
type objectPointer[T any] interface {
	*T
	watchglass.Object
}

// eventDecoder makes events of frames {"type": …, "object": …}. Objects become a P: a pointer to a
// struct T, or to a [watchglass.Unstructured]. It has no state, so several goroutines may use one.
//
// An object that does not fit into T becomes a [*watchglass.Unusable]. An ERROR frame becomes a
// [*reflector.StatusError], an event that is to be skipped a [*reflector.ObjectError]; any other
// frame that is not an event of the Kubernetes API becomes a [*reflector.DecodeError]. Nothing in
// the event refers to the bytes of the frame.
type eventDecoder[T any, P objectPointer[T]] struct{ wanted }

// decode tries the form in which API servers write events first. Any other form is for decodeAny.
func (d eventDecoder[T, P]) decode(by *decoder, frame []byte) (reflector.Event, error) {
	if eventType, object, ok := cutEvent(frame); ok {
		if e, err := d.event(by, eventType, object); err == nil {
			return e, nil
		}
	}
	return d.decodeAny(by, frame)
}

// cutEvent takes {"type":"ADDED","object":{…}} apart without decoding it. It looks only at the
// beginning and the last byte. If the frame has another form, the object that cutEvent returns is
// not one JSON value, so decoding it fails. If decoding succeeds, the frame is exactly this event.
func cutEvent(frame []byte) (reflector.EventType, []byte, bool) {
	rest, isEvent := bytes.CutPrefix(frame, []byte(`{"type":"`))
	name, object, _ := bytes.Cut(rest, []byte(`","object":`))
	eventType, known := eventTypes[string(name)]
	object, closed := bytes.CutSuffix(object, []byte("}"))
	return eventType, object, isEvent && known && closed
}

var eventTypes = map[string]reflector.EventType{
	"ADDED": reflector.Added, "MODIFIED": reflector.Modified, "DELETED": reflector.Deleted,
	"BOOKMARK": reflector.Bookmark, "ERROR": "ERROR", // by which a server says that it has failed
}

// decodeAny decodes a frame of any form.
func (d eventDecoder[T, P]) decodeAny(by *decoder, frame []byte) (reflector.Event, error) {
	var e struct {
		Type   json.RawMessage `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(frame, &e); err != nil {
		return reflector.Event{}, badEvent(err)
	}
	var name string
	_ = json.Unmarshal(e.Type, &name) // a type that is not a string stays empty, which is unknown
	eventType := eventTypes[name]
	switch {
	case eventType == "":
		return reflector.Event{}, badEvent(fmt.Errorf("unknown type %s in a frame that begins %q",
			cmp.Or(quote(e.Type), "(none)"), quote(frame)))
	case name != "ERROR" && (len(e.Object) == 0 || string(e.Object) == "null"):
		return reflector.Event{}, badEvent(fmt.Errorf("%s event: it has no object", eventType))
	}
	return d.event(by, eventType, e.Object)
}

// event decodes the object and checks that it can be used. Only three of the five types have one
// that must fit into T. One without a name may be any object, so what has changed is unknown.
func (d eventDecoder[T, P]) event(
	by *decoder, eventType reflector.EventType, data []byte,
) (reflector.Event, error) {
	switch eventType {
	case "ERROR":
		return reflector.Event{}, statusEvent(data)
	case reflector.Bookmark:
		return d.bookmark(data)
	}
	object, kind, err := decodeObject[T, P](by, data)
	if err != nil {
		return reflector.Event{}, badEvent(fmt.Errorf("%s event: %w", eventType, err))
	}
	if err := d.check(kind); err != nil {
		return reflector.Event{}, skipped(eventType, err)
	}
	return reflector.Event{
		Type: eventType, Object: object, ResourceVersion: object.GetResourceVersion(),
	}, nil
}

// bookmark reads the object of a bookmark: it has the watched kind and a version, and need not fit
// into T.
func (d eventDecoder[T, P]) bookmark(object []byte) (reflector.Event, error) {
	var b head
	if err := json.Unmarshal(object, &b); err != nil {
		return reflector.Event{}, badEvent(fmt.Errorf("%s event: %w", reflector.Bookmark, err))
	}
	err := d.check(&b)
	if b.Metadata.ResourceVersion == "" {
		err = errors.New("its object has no metadata.resourceVersion")
	}
	if err != nil {
		return reflector.Event{}, skipped(reflector.Bookmark, err)
	}
	return reflector.Event{
		Type:             reflector.Bookmark,
		ResourceVersion:  b.Metadata.ResourceVersion,
		InitialEventsEnd: b.Metadata.Annotations["k8s.io/initial-events-end"] == "true",
	}, nil
}

// badEvent makes the error of a frame that is not an event, which ends the stream.
func badEvent(err error) error {
	return &reflector.DecodeError{What: "watch event", Err: shortened(err)}
}

// skipped makes the error of an event that says nothing about the collection; the stream goes on.
func skipped(eventType reflector.EventType, err error) error {
	return &reflector.ObjectError{Type: eventType, Err: err}
}

// wanted is what objects must be; "" is anything.
type wanted struct{ kind, apiVersion string }

// typed is an object that can say what it is. Most structs cannot; every object that fits into them
// is accepted.
type typed interface {
	GetKind() string
	GetAPIVersion() string
}

// check compares the kind and the apiVersion of an object with what was asked for. A missing one is
// accepted.
func (w wanted) check(object any) error {
	o, ok := object.(typed)
	switch {
	case !ok:
	case w.kind != "" && o.GetKind() != "" && w.kind != o.GetKind():
		return fmt.Errorf("its kind is %.50q, want %q", o.GetKind(), w.kind)
	case w.apiVersion != "" && o.GetAPIVersion() != "" && w.apiVersion != o.GetAPIVersion():
		return fmt.Errorf("its apiVersion is %.50q, want %q", o.GetAPIVersion(), w.apiVersion)
	}
	return nil
}
