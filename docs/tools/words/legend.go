package words

import "strings"

// Entry explains the events of one lane whose brief text contains a text.
type Entry struct {
	Lane string `json:"lane"` // of the handlers, which are all alike: handler
	Text string `json:"text"`
	Says string `json:"says"`
}

// Explained returns the number of the entry in Legend for an event, or -1.
func Explained(e Event) int {
	lane, _, _ := strings.Cut(e.Lane, ":")
	for i, entry := range Legend {
		if entry.Lane == lane && strings.Contains(e.Brief, entry.Text) {
			return i
		}
	}
	return -1
}

// handlers is the lane of an entry about any handler.
const handlers = "handler"

// Legend explains every kind of event of the stages. The first entry that fits is the one.
var Legend = []Entry{
	{API, "GET list @0", "A request for all objects. @0: any state will do, however old."},
	{API, "GET list", "A request for all objects, in a state that is not older than this."},
	{API, "GET watch", "A request for all changes after this version, as they happen."},
	{API, "ADDED", "The object is stored, and this is its version."},
	{API, "MODIFIED", "The object has a new state, and this is its version."},
	{API, "DELETED", "The object is deleted. A deletion has a version, too."},
	{API, "sends ERROR", "An error, 410 Gone: changes after that version are forgotten. Status 200 " +
		"is already sent, so only an event can say it."},
	{API, "sends", "One event was sent on the open watch, in a frame of its own."},
	{API, "ended: client", "The other side has closed the watch."},
	{API, "ended: expired", "The server ends the watch after its error."},
	{API, "ended", "The server ends the watch."},
	{API, "history gone", "The server no longer knows any past change (compaction)."},
	{API, "fails: ", "From now on the server fails in this way."},
	{API, "healed", "The server does not fail any more."},
	{API, "fault", "A fault that was asked for takes effect now."},

	{Wire, "list: 200", "The list is here, as one answer."},
	{Wire, "open", "The server has answered 200. Events may follow on this stream."},
	{Wire, "failed", "There is no answer: the connection has failed."},
	{Wire, "ended", "Nothing more comes on this stream. That is routine."},
	{Wire, "broken", "The stream has broken off."},
	{Wire, "closed", "The reflector has closed the stream."},
	{Wire, "ERROR", "No object, but an error of the server."},
	{Wire, "part of a frame", "A frame that has broken off. It must not become an event."},
	{Wire, "waits at", "A frame has come, and a valve holds it up."},
	{Wire, "passes", "The valve lets the frame pass."},
	{Wire, "does not pass", "The stream has ended before the valve let it pass."},
	{Wire, ": ", "The server has refused the request."},
	{Wire, "@", "One frame has come. The reflector may read it."},

	{Reflector, "list @", "The reflector asks for a list, in a state not older than this."},
	{Reflector, "object", "The list has come, with the version of the whole list. The queue gets it."},
	{Reflector, "watch @", "The reflector asks for the changes after this version."},
	{Reflector, "opened →", "The server has answered 200. Events may follow."},
	{Reflector, "ended →", "Nothing more will come on this watch, so there is a new one."},
	{Reflector, "listed →", "The queue has the list. A watch goes on from there."},
	{Reflector, "expired →", "The server no longer has the changes after that version, so the " +
		"reflector lists."},
	{Reflector, "stop →", "The reflector will ask for nothing more."},
	{Reflector, "→", "The attempt has failed. The next state says what follows."},
	{Reflector, "back off", "A pause, so that a server in trouble is not asked again and again."},
	{Reflector, "BOOKMARK", "Only a version has come: everything before it has been seen."},
	{Reflector, "@", "The event was read. The queue gets it."},

	{Queue, "synced", "All objects of the first list have left the queue."},
	{Queue, "replaced", "The whole list is queued."},
	{Queue, "two deletions", "Of two deletions in a row, one is left."},
	{Queue, "ReplacedAll", "Noted: a whole list, as one event in its place."},
	{Queue, "Replaced", "Noted for this key: a list contains the object, at this version."},
	{Queue, "Added", "Noted for this key: the object was created."},
	{Queue, "Updated", "Noted for this key: the object has a new version."},
	{Queue, "Deleted tombstone", "Noted for this key: deleted, at an unknown version. The tombstone " +
		"holds the last state that the cache has."},
	{Queue, "Deleted", "Noted for this key: the object was deleted."},
	{Queue, "Sync", "Noted: what the cache has, once more. The server is not asked."},
	{Queue, "Bookmark", "Noted: a version, and no object."},

	{Process, "pop", "The process loop takes this out of the queue, with all that is noted for it."},
	{Process, "waits at", "Something is queued, and a valve holds the process loop up."},
	{Process, "passes", "The valve lets the process loop go on."},
	{Process, "does not pass", "The queue was closed before the valve let the process loop go on."},

	{Cache, "+", "The object is in the cache now."},
	{Cache, "~", "The new object is in the cache, and the old one is not."},
	{Cache, "-", "The object is not in the cache any more."},
	{Cache, "=", "The list is what the cache has now."},
	{Cache, "synced", "The cache has the whole first list."},

	{Processor, "due", "An update in which old and new have the same version: nothing changed. Only " +
		"handlers that want a resync, and are due, get it."},
	{Processor, "joins", "The handler's own queue begins with an add for each object in the cache."},
	{Processor, "wait", "The number of notifications that wait in the queue of this handler."},
	{Processor, "synced", "This handler has been called with the whole first list."},
	{Processor, "removed", "Nothing more is put into the queue of this handler."},
	{Processor, "add", "Each handler's own queue gets an add."},
	{Processor, "update", "Each handler's own queue gets an update, with both objects."},
	{Processor, "delete", "Each handler's own queue gets a delete."},

	{handlers, "waits at", "The handler was called, and a valve holds it up in its call."},
	{handlers, "passes", "The valve lets the handler go on."},
	{handlers, "ended", "The last call of this handler has returned."},
	{handlers, "ends", "The handler has returned from its call."},
	{handlers, "panics", "The handler panics in its call. Its goroutine goes on with the next."},
	{handlers, "deleted tombstone", "OnDelete gets a DeletedFinalStateUnknown, not the object."},
	{handlers, "added", "OnAdd of the handler of this name is called."},
	{handlers, "updated", "OnUpdate is called, with the old and the new object."},
	{handlers, "deleted", "OnDelete is called, with the last state of the object."},
}
