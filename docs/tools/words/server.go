package words

import (
	"cmp"
	"fmt"
	"net/url"

	"example.com/watchglass/fakeapi"
)

// Requested tells of a request that the server has got.
func Requested(q fakeapi.Request) Event {
	query, _ := url.ParseQuery(q.Query)
	switch version := query.Get("resourceVersion"); {
	case q.Verb == "watch" || q.Verb == "list" && version != "":
		return event(API, "request", "", "GET %s, version %q", q.Verb, version).
			in("GET %s @%s", q.Verb, version)
	case q.Name != "":
		return event(API, "request", "", "%s %s", q.Verb, q.Name)
	}
	return event(API, "request", "", "GET %s", q.Verb)
}

// Committed tells of a write that the server has made.
func Committed(c fakeapi.Change) Event {
	key := Join(c.Namespace, c.Name)
	return event(API, "commit", key, "%s %s, version %d", c.Type, c.Name, c.Version).
		in("%s %s@%d", c.Type, c.Name, c.Version)
}

// Compacted tells of the end of the history that the server remembers. No trace reports it.
func Compacted() Event { return event(API, "compact", "", "history gone") }

// Sent tells of a frame that the server has written to a watch. An ERROR has neither name nor
// version.
func Sent(q fakeapi.Request, f fakeapi.FrameInfo) Event {
	e := event(API, "sent", "", "sends %s", Frame(f.Type, f.Name, f.Version))
	if f.Type == "ERROR" {
		e = event(API, "sent", "", "sends ERROR")
		e.Fault = true
	}
	if f.Name != "" { // a watch of all namespaces names none
		e.Key = Join(cmp.Or(q.Namespace, "default"), f.Name)
		e.Brief = fmt.Sprintf("sends %s@%d", f.Name, f.Version)
	}
	return e
}

// Frame names a frame of a watch.
func Frame(kind, name string, version any) string {
	if name == "" {
		return fmt.Sprintf("%s@%v", kind, version)
	}
	return fmt.Sprintf("%s %s@%v", kind, name, version)
}

// WatchEnded tells of the end of a watch on the server's side.
func WatchEnded(why fakeapi.EndReason) Event {
	e := event(API, "ended", "", "watch ended: %s", why)
	e.Fault = why == fakeapi.EndExpired || why == fakeapi.EndSlow || why == fakeapi.EndFault
	return e
}

// Struck tells of a fault that has taken effect.
func Struck(f fakeapi.Fault) Event {
	e := event(API, "fault", "", "fault: %s", Fault(f))
	e.Fault = true
	return e
}

// Fault names a fault.
func Fault(f fakeapi.Fault) string {
	switch f.Kind {
	case fakeapi.FaultStatus:
		return fmt.Sprintf("status %d", f.Code)
	case fakeapi.FaultRefuse:
		return "connections refused"
	}
	return string(f.Kind)
}

// Join returns the key of a name in a namespace, which is "" for objects without one.
func Join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}
