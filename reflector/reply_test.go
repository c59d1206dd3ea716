package reflector

import (
	"errors"
	"strings"
	"time"

	"example.com/watchglass"
)

// A reply is what the server does with one request: a list, a refusal or a stream.
type reply struct {
	list   *List
	err    error
	wait   time.Duration // before the answer, even if the client has closed the connection
	parts  int           // of a list: each takes 59 s; then, if open, the list stays without its end
	frames []any         // of a stream: Event or error; they come even if its context has ended
	each   time.Duration // of a stream: before each frame
	live   <-chan any    // more frames; its closing is an orderly end
	open   bool          // after its frames the stream stays open until the client closes it
	lasts  time.Duration // of any other stream: from the answer to its orderly end
}

// stream answers a watch with these events and errors, and then ends it in an orderly way.
func stream(frames ...any) reply { return reply{frames: frames} }

// hanging is stream without the end: it stays open until the client closes it.
func hanging(frames ...any) reply { return reply{frames: frames, open: true} }

// refusal is a refusal, in answer to a request.
func refusal(code int, reason, message string) reply {
	return reply{err: status(code, reason, message)}
}

// list is a collection at a version.
func list(version string, specs ...string) reply { return page(version, "", specs...) }

func page(version, token string, specs ...string) reply {
	l := &List{Kind: "WidgetList", ResourceVersion: version, Continue: token}
	for _, spec := range specs {
		l.Items = append(l.Items, item(spec))
	}
	return reply{list: l}
}

// A widget is what the tests list and watch.
type widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta
}

// item is a widget: "web-1@5" is web-1 at version 5.
func item(spec string) *widget {
	name, version, _ := strings.Cut(spec, "@")
	w := &widget{}
	w.Name, w.Namespace, w.ResourceVersion = name, "shop", version
	return w
}

// event is an event: event(Added, "web-1@5").
func event(eventType EventType, spec string) Event {
	obj := item(spec)
	return Event{Type: eventType, Object: obj, ResourceVersion: obj.ResourceVersion}
}

func bookmark(version string) Event { return Event{Type: Bookmark, ResourceVersion: version} }

func initialEnd(version string) Event {
	return Event{Type: Bookmark, ResourceVersion: version, InitialEventsEnd: true}
}

// unusable is the error for an event without an object that can be used.
var unusable = &ObjectError{Type: Added, Err: errors.New("it has no object")}

// garbage is the error for a frame that is no event.
var garbage = &DecodeError{What: "watch event", Err: errors.New(`unknown type "WHAT"`)}

// status is a refusal, in HTTP or in a stream.
func status(code int, reason, message string) *StatusError {
	return &StatusError{Code: code, Reason: reason, Message: message}
}
