package tape

// Legend explains the events of the stages, by what they mean.
var Legend = map[string]string{
	"api request list any": "A request for all objects. @0: any state will do, however old.",
	"api request list":     "A request for all objects, in a state that is not older than this.",
	"api request watch":    "A request for all changes after this version, as they happen.",
	"api commit ADDED":     "The object is stored, and this is its version.",
	"api commit MODIFIED":  "The object has a new state, and this is its version.",
	"api commit DELETED":   "The object is deleted. A deletion has a version, too.",
	"api sent":             "One event was sent on the open watch, in a frame of its own.",
	"api sent ERROR": "An error, 410 Gone: changes after that version are forgotten. Status 200 is " +
		"already sent, so only an event can say it.",
	"api ended":         "The server ends the watch.",
	"api ended client":  "The other side has closed the watch.",
	"api ended expired": "The server ends the watch after its error.",
	"api compact":       "The server no longer knows any past change (compaction).",
	"api fails":         "From now on the server fails in this way.",
	"api heal":          "The server does not fail any more.",
	"api fault":         "A fault that was asked for takes effect now.",

	"wire answer list":    "The list is here, as one answer.",
	"wire answer refused": "The server has refused the request.",
	"wire open":           "The server has answered 200. Events may follow on this stream.",
	"wire failed":         "There is no answer: the connection has failed.",
	"wire end":            "Nothing more comes on this stream. That is routine.",
	"wire end broken":     "The stream has broken off.",
	"wire end closed":     "The reflector has closed the stream.",
	"wire frame":          "One frame has come. The reflector may read it.",
	"wire frame ERROR":    "No object, but an error of the server.",
	"wire frame part":     "A frame that has broken off. It must not become an event.",
	"wire waits":          "A frame has come, and a valve holds it up.",
	"wire passes":         "The valve lets the frame pass.",
	"wire gives up":       "The stream has ended before the valve let it pass.",

	"reflector list": "The reflector asks for a list, in a state not older than this.",
	"reflector listed": "The list has come, with the version of the whole list. The queue gets " +
		"it.",
	"reflector watch":             "The reflector asks for the changes after this version.",
	"reflector transition":        "The attempt has failed. The next state says what follows.",
	"reflector transition opened": "The server has answered 200. Events may follow.",
	"reflector transition ended":  "Nothing more will come on this watch, so there is a new one.",
	"reflector transition listed": "The queue has the list. A watch goes on from there.",
	"reflector transition expired": "The server no longer has the changes after that version, so " +
		"the reflector lists.",
	"reflector transition stop": "The reflector will ask for nothing more.",
	"reflector back off":        "A pause, so that a server in trouble is not asked again and again.",
	"reflector event":           "The event was read. The queue gets it.",
	"reflector event BOOKMARK":  "Only a version has come: everything before it has been seen.",

	"queue synced":             "All objects of the first list have left the queue.",
	"queue replaced":           "The whole list is queued.",
	"queue merged":             "Of two deletions in a row, one is left.",
	"queue queued ReplacedAll": "Noted: a whole list, as one event in its place.",
	"queue queued Replaced":    "Noted for this key: a list contains the object, at this version.",
	"queue queued Added":       "Noted for this key: the object was created.",
	"queue queued Updated":     "Noted for this key: the object has a new version.",
	"queue queued Deleted":     "Noted for this key: the object was deleted.",
	"queue queued tombstone": "Noted for this key: deleted, at an unknown version. The tombstone " +
		"holds the last state that the cache has.",
	"queue queued Sync":     "Noted: what the cache has, once more. The server is not asked.",
	"queue queued SyncAll":  "Noted: all that the cache has, once more. The server is not asked.",
	"queue queued Bookmark": "Noted: a version, and no object.",

	"process pop":      "The process loop takes this out of the queue, with all that is noted for it.",
	"process waits":    "Something is queued, and a valve holds the process loop up.",
	"process passes":   "The valve lets the process loop go on.",
	"process gives up": "The queue was closed before the valve let the process loop go on.",

	"cache add":     "The object is in the cache now.",
	"cache update":  "The new object is in the cache, and the old one is not.",
	"cache delete":  "The object is not in the cache any more.",
	"cache replace": "The list is what the cache has now.",
	"cache synced":  "The cache has the whole first list.",
	"cache mutate":  "A reader has written into the object of the cache. None may do that.",

	"processor sync": "An update in which old and new have the same version: nothing changed. Only " +
		"handlers that want a resync, and are due, get it.",
	"processor joins": "The handler's own queue begins with an add for each object in the " +
		"cache.",
	"processor pending": "The number of notifications that wait in the queue of this " +
		"handler.",
	"processor synced":            "This handler has been called with the whole first list.",
	"processor removed":           "Nothing more is put into the queue of this handler.",
	"processor distribute add":    "Each handler's own queue gets an add.",
	"processor distribute update": "Each handler's own queue gets an update, with both objects.",
	"processor distribute delete": "Each handler's own queue gets a delete.",

	"handler waits":          "The handler was called, and a valve holds it up in its call.",
	"handler passes":         "The valve lets the handler go on.",
	"handler ended":          "The last call of this handler has returned.",
	"handler returned":       "The handler has returned from its call.",
	"handler panic":          "The handler panics in its call. Its goroutine goes on with the next.",
	"handler call tombstone": "OnDelete gets a DeletedFinalStateUnknown, not the object.",
	"handler call add":       "OnAdd of the handler of this name is called.",
	"handler call update":    "OnUpdate is called, with the old and the new object.",
	"handler call delete":    "OnDelete is called, with the last state of the object.",
}

// term is a word of the stage, and what it means.
type term struct {
	Word string `json:"word"`
	Says string `json:"says"`
	Help bool   `json:"help"` // explains a drawing, not one word of a place
}

// terms are the words of the stage. A word that stands in a place explains itself there.
var terms = []term{
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
