// Package watchglass is the Kubernetes informer machinery, rebuilt from scratch to be read, watched
// at work and rebuilt. This package holds the vocabulary that all stages share; the stages are the
// folders beside it. One object travels through them like this:
//
//	           ┌────────────────────────── informer ─────────────────────────┐
//	fakeapi ~~▶│ reflector ──▶ deltafifo ──▶ process loop ──▶ indexer        │
//	  HTTP     │ list, watch   key → deltas       │           key → object   │
//	           │                                  └─────────▶ processor ─────│──▶ your handlers
//	           └─────────────────────────────────────────────────────────────┘
//
// Each package does one thing:
//
//   - reflector lists a collection over HTTP and then watches it: bytes become objects and events.
//   - deltafifo queues keys, and collects under each key what happened to its object: events become
//     deltas.
//   - indexer is the cache that listers read: deltas become state.
//   - processor notifies every handler, each at its own speed: state changes become notifications.
//   - informer plugs the four together and runs the process loop between them.
//   - fakeapi is the API server at the other end of the wire. It shares only HTTP with the rest.
//
// The four stages do not know each other. Each declares, as a small interface of its own, what it
// needs of its neighbour, and all of them handle an [Object]: anything with a namespace, a name and
// a resourceVersion. Every Kubernetes API type is one already, and so is any struct of yours that
// embeds [ObjectMeta]; [Unstructured] is one for resources you have no struct for.
//
// # Errors and panics
//
// Constructors of all packages have one contract. What depends on input is an error: a URL, a file,
// the text of a selector. A programmer's mistake is a panic, in the caller's goroutine: a
// ListerWatcher, a func, a handler or a registration that is needed and nil, a kind of queue that
// does not exist, a struct whose objects would have no name, a selector for objects that cannot
// have labels. Nothing that a server sends leads to a panic.
//
// # What is promised
//
// An object is identified by its namespace and name, never by its UID. If an object is deleted and
// another is created under the same name, a handler may get that as one update. Objects are shared,
// by pointer, between the cache and all handlers: a program must not modify one that has come out
// of a stage. [DeepCopy] returns one that it may modify.
//
// # What is not promised
//
// A resourceVersion is a string to compare for equality and to hand back to the server. Queue and
// cache take the states of an object in the order in which they arrive, and never compare which of
// two versions is larger. [CompareResourceVersion] is for a program that waits until the cache has
// reached the version of a write of its own.
package watchglass
