package wire

import (
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
// [*reflector.ObjectError]; everything else that is no event of the Kubernetes API becomes a
// [*reflector.DecodeError].
func DecodeEvent[T any, P interface {
	*T
	watchglass.Object
}](frame []byte) (reflector.Event, error) {
	var d eventDecoder[T, P]
	return d.decode(frame)
}

// objectPointer says that P is the pointer to T, and an object.
type objectPointer[T any] interface {
	*T
	watchglass.Object
}

// errorEvent is the type of the frame with which a server says that a stream has failed.
const errorEvent reflector.EventType = "ERROR"

// eventDecoder is the memory between two calls of decode.
type eventDecoder[T any, P objectPointer[T]] struct {
	kind, apiVersion string // what objects must be; "" is anything

	// envelope is decoded into. It is here, rather than in decode, to be allocated only once.
	envelope struct {
		Type   reflector.EventType `json:"type"`
		Object P                   `json:"object"`
	}
}

// decode reads frame in a single pass, object and all, hoping that it is an event of an object. The
// hope is disappointed about once a minute, by a bookmark: then what it is, is looked at again.
func (d *eventDecoder[T, P]) decode(frame []byte) (reflector.Event, error) {
	d.envelope.Type = ""
	err := json.Unmarshal(frame, &d.envelope)
	object := d.envelope.Object
	d.envelope.Object = nil // it is the caller's now
	// A frame that is no JSON has no type either, whatever a decoder may have made of its beginning.
	if _, syntax := errors.AsType[*json.SyntaxError](err); syntax {
		return reflector.Event{}, &reflector.DecodeError{What: "watch event", Err: err}
	}
	switch d.envelope.Type {
	case errorEvent:
		return reflector.Event{}, decodeErrorEvent(frame)
	case reflector.Bookmark:
		return d.bookmark(frame)
	case reflector.Added, reflector.Modified, reflector.Deleted:
		if err != nil {
			err = fmt.Errorf("%s event: %w", d.envelope.Type, err)
			return reflector.Event{}, &reflector.DecodeError{What: "watch event", Err: err}
		}
		return d.event(object)
	}
	return reflector.Event{}, unknownType(frame)
}

// event checks that there is an object that somebody can use. The envelope holds its type.
func (d *eventDecoder[T, P]) event(object P) (reflector.Event, error) {
	e := reflector.Event{Type: d.envelope.Type}
	if object == nil {
		return e, &reflector.ObjectError{Type: e.Type, Err: errNoObject}
	}
	if object.GetName() == "" {
		return e, &reflector.ObjectError{Type: e.Type, Err: errNoName}
	}
	if k, ok := any(object).(kinder); ok {
		if err := d.checkKind(k.GetKind(), k.GetAPIVersion()); err != nil {
			return e, &reflector.ObjectError{Type: e.Type, Err: err}
		}
	}
	e.Object = object
	e.ResourceVersion = object.GetResourceVersion()
	return e, nil
}

// kinder is an object that knows what it is. Structs usually don't; for them, fitting into the
// struct has to be proof enough.
type kinder interface {
	GetKind() string
	GetAPIVersion() string
}

// checkKind compares what an object says it is with what was asked for.
func (d *eventDecoder[T, P]) checkKind(kind, apiVersion string) error {
	if d.kind != "" && kind != d.kind || d.apiVersion != "" && apiVersion != d.apiVersion {
		return fmt.Errorf("object is a %s of %s, want a %s of %s",
			quoted(kind), quoted(apiVersion), quoted(d.kind), quoted(d.apiVersion))
	}
	return nil
}

// quoted is for the sentence of checkKind.
func quoted(s string) string {
	if s == "" {
		return "(any)"
	}
	return fmt.Sprintf("%q", prefix(s, 60))
}

// initialEventsEnd is the annotation that marks the bookmark behind the initial events, by the
// value "true" and no other.
const initialEventsEnd = "k8s.io/initial-events-end"

// bookmark reads a bookmark for what it is: an object of the watched kind in name, and a version in
// truth. It may not fit into T at all.
func (d *eventDecoder[T, P]) bookmark(frame []byte) (reflector.Event, error) {
	var b struct {
		Object *struct {
			watchglass.TypeMeta
			Metadata struct {
				ResourceVersion string            `json:"resourceVersion"`
				Annotations     map[string]string `json:"annotations"`
			} `json:"metadata"`
		} `json:"object"`
	}
	if err := json.Unmarshal(frame, &b); err != nil {
		err = fmt.Errorf("%s event: %w", reflector.Bookmark, err)
		return reflector.Event{}, &reflector.DecodeError{What: "watch event", Err: err}
	}
	switch {
	case b.Object == nil:
		return reflector.Event{}, &reflector.ObjectError{Type: reflector.Bookmark, Err: errNoObject}
	case b.Object.Metadata.ResourceVersion == "":
		return reflector.Event{}, &reflector.ObjectError{Type: reflector.Bookmark, Err: errNoVersion}
	}
	if err := d.checkKind(b.Object.Kind, b.Object.APIVersion); err != nil {
		return reflector.Event{}, &reflector.ObjectError{Type: reflector.Bookmark, Err: err}
	}
	return reflector.Event{
		Type:             reflector.Bookmark,
		ResourceVersion:  b.Object.Metadata.ResourceVersion,
		InitialEventsEnd: b.Object.Metadata.Annotations[initialEventsEnd] == "true",
	}, nil
}

var (
	errNoObject  = errors.New("it has no object")
	errNoName    = errors.New("its object has no metadata.name")
	errNoVersion = errors.New("its object has no metadata.resourceVersion")
)

// decodeErrorEvent reads the Status in an ERROR frame. Some proxies write such frames too, with
// objects of their own invention.
func decodeErrorEvent(frame []byte) error {
	var e struct {
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(frame, &e); err != nil {
		return &reflector.DecodeError{What: "ERROR event", Err: err}
	}
	var s status
	if err := json.Unmarshal(e.Object, &s); err != nil || s.Kind != "Status" {
		err := fmt.Errorf("its object is no Status: it begins %q", prefix(string(e.Object), 60))
		return &reflector.DecodeError{What: "ERROR event", Err: err}
	}
	return s.err()
}

// unknownType says what stands where ADDED, MODIFIED, DELETED, BOOKMARK or ERROR should.
func unknownType(frame []byte) error {
	var e struct {
		Type json.RawMessage `json:"type"`
	}
	err := fmt.Errorf("it has no type: it begins %q", prefix(string(frame), 60))
	if json.Unmarshal(frame, &e) == nil && len(e.Type) > 0 {
		err = fmt.Errorf("unknown type %s", prefix(string(e.Type), 60))
	}
	return &reflector.DecodeError{What: "watch event", Err: err}
}
