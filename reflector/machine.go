package reflector

import "fmt"

// State is what a [Reflector] is doing: one request, or the reading of one stream. [Reflector.step]
// carries out a state, [classify] names the outcome, and [next] finds the row that says what to do
// then.
type State int

// The states. Those of a streaming list occur only without [Options.ListFirst].
const (
	// Listing: list at the last known version or newer, or at "0" if there is none. This is cheap:
	// the server answers from its cache. It works even if the version is too old for a watch,
	// because the answer is the present state, and only a watch needs the history since then.
	Listing State = iota
	// ListingLatest: list at "", because the server has refused the last known version. This is
	// expensive, because the server reads from its database, but it cannot fail for its version.
	ListingLatest
	// OpeningWatch: ask for a watch from the last known version.
	OpeningWatch
	// Watching: read events and hand them to the store.
	Watching
	// OpeningStream: ask for a watch that begins with the whole collection, at least as new as the
	// last known version.
	OpeningStream
	// OpeningLatestStream: the same without a version, for the same reason as ListingLatest.
	OpeningLatestStream
	// Streaming: collect the initial events until a bookmark marks their end.
	Streaming
	// StreamingLatest: the same, of a stream that was asked for without a version.
	StreamingLatest
	// Stopped: the context has ended.
	Stopped
)

// Outcome is the result of a state. [classify] decides which one it is.
type Outcome int

// The outcomes.
const (
	Listed       Outcome = iota // the store has taken the whole collection
	Opened                      // the server has granted the watch
	Streamed                    // the initial events are complete, and the store has taken them
	Expired                     // the version is too old: the server has compacted its history
	ExpiredAgain                // the same, although a list at that version has just returned it
	TooLarge                    // the version is newer than anything the server knows
	Busy                        // nothing listens there, or the server asks clients to wait
	Internal                    // a 500 in a stream, within [Options.MaxInternalErrorRetry]
	Ended                       // the stream ended or broke, and was neither of the next two
	CutShort                    // it lasted less than a second: it broke, or made no progress
	VeryShort                   // it lasted less than a second and brought no event
	Idle                        // the server was silent for too long
	Unfinished                  // the initial events were not complete in time
	Failed                      // anything else that went wrong
	Stop                        // the context has ended
)

// Action is what a reflector does before it enters the next state.
type Action int

// The actions.
const (
	GoOn    Action = iota // enter the next state at once
	BackOff               // wait first, longer each time until a watch succeeds
)

// Transition is one row of a table: in state From, the outcome On leads to state To, after Do.
type Transition struct {
	From State
	On   Outcome
	Do   Action
	To   State
}

// Table returns the table by which a reflector makes all its decisions: with listFirst that of a
// reflector that begins with a list, otherwise that of one that begins with a streaming list. It
// begins in the first row's From. A state and an outcome that have no row cannot occur together.
// The caller owns the slice.
func Table(listFirst bool) []Transition {
	return append([]Transition(nil), tableFor(listFirst)...)
}

func tableFor(listFirst bool) []Transition {
	if listFirst {
		return listTable
	}
	return streamTable
}

// listTable is for [Options.ListFirst]: list, watch, and list again when that is needed.
var listTable = []Transition{
	{Listing, Listed, GoOn, OpeningWatch},
	{Listing, Expired, GoOn, ListingLatest}, // a list in pages asks for exactly that version
	{Listing, TooLarge, GoOn, ListingLatest},
	{Listing, Failed, BackOff, Listing},
	{Listing, Stop, GoOn, Stopped},

	// There is nothing else to fall back to, so a list that fails is repeated.
	{ListingLatest, Listed, GoOn, OpeningWatch},
	{ListingLatest, Expired, BackOff, ListingLatest},
	{ListingLatest, TooLarge, BackOff, ListingLatest},
	{ListingLatest, Failed, BackOff, ListingLatest},
	{ListingLatest, Stop, GoOn, Stopped},

	// A version expires for all clients that were disconnected. They must not all list at the same
	// moment, so Expired backs off here. In Listing it does not: the pause came before the list.
	{OpeningWatch, Opened, GoOn, Watching},
	{OpeningWatch, Busy, BackOff, OpeningWatch}, // a list would only add to the load
	{OpeningWatch, Idle, BackOff, OpeningWatch},
	{OpeningWatch, Expired, BackOff, Listing},
	{OpeningWatch, ExpiredAgain, BackOff, ListingLatest}, // Listing would lead back here
	{OpeningWatch, TooLarge, BackOff, Listing},
	{OpeningWatch, Failed, BackOff, Listing},
	{OpeningWatch, Stop, GoOn, Stopped},

	// Every stream ends, if only by its timeout. Nothing is lost: the next one begins where this
	// one ended.
	{Watching, Ended, GoOn, OpeningWatch},
	{Watching, Idle, GoOn, OpeningWatch},
	{Watching, Internal, GoOn, OpeningWatch},
	{Watching, CutShort, BackOff, OpeningWatch},
	{Watching, Busy, BackOff, OpeningWatch},
	{Watching, VeryShort, BackOff, Listing},
	{Watching, Expired, BackOff, Listing},
	{Watching, ExpiredAgain, BackOff, ListingLatest},
	{Watching, TooLarge, BackOff, Listing},
	{Watching, Failed, BackOff, Listing},
	{Watching, Stop, GoOn, Stopped},
}

// streamTable is the default: it streams wherever listTable lists. When streaming fails, it lists
// this time, and streams again the next time.
var streamTable = []Transition{
	{OpeningStream, Opened, GoOn, Streaming},
	{OpeningStream, Busy, BackOff, OpeningStream},
	{OpeningStream, Expired, GoOn, OpeningLatestStream},
	{OpeningStream, TooLarge, GoOn, OpeningLatestStream},
	{OpeningStream, Idle, GoOn, Listing},
	{OpeningStream, Unfinished, GoOn, Listing},
	{OpeningStream, Failed, GoOn, Listing}, // a server that cannot stream says so here
	{OpeningStream, Stop, GoOn, Stopped},

	{OpeningLatestStream, Opened, GoOn, StreamingLatest},
	{OpeningLatestStream, Busy, BackOff, OpeningLatestStream},
	{OpeningLatestStream, Expired, GoOn, ListingLatest},
	{OpeningLatestStream, TooLarge, GoOn, ListingLatest},
	{OpeningLatestStream, Idle, GoOn, ListingLatest},
	{OpeningLatestStream, Unfinished, GoOn, ListingLatest},
	{OpeningLatestStream, Failed, GoOn, ListingLatest},
	{OpeningLatestStream, Stop, GoOn, Stopped},

	// If a stream ends before its initial events are complete, what has arrived is thrown away. Each
	// row that leads to another stream backs off first: otherwise a server that cannot complete one
	// would get request after request.
	{Streaming, Streamed, GoOn, Watching}, // the same stream goes on as a plain watch
	{Streaming, Ended, BackOff, OpeningStream},
	{Streaming, CutShort, BackOff, OpeningStream},
	{Streaming, Busy, BackOff, OpeningStream},
	{Streaming, Expired, BackOff, OpeningLatestStream},
	{Streaming, TooLarge, BackOff, OpeningLatestStream},
	{Streaming, VeryShort, GoOn, Listing},
	{Streaming, Unfinished, GoOn, Listing},
	{Streaming, Idle, GoOn, Listing},
	{Streaming, Failed, GoOn, Listing},
	{Streaming, Stop, GoOn, Stopped},

	{StreamingLatest, Streamed, GoOn, Watching},
	{StreamingLatest, Ended, BackOff, OpeningLatestStream},
	{StreamingLatest, CutShort, BackOff, OpeningLatestStream},
	{StreamingLatest, Busy, BackOff, OpeningLatestStream},
	{StreamingLatest, Expired, GoOn, ListingLatest},
	{StreamingLatest, TooLarge, GoOn, ListingLatest},
	{StreamingLatest, VeryShort, GoOn, ListingLatest},
	{StreamingLatest, Unfinished, GoOn, ListingLatest},
	{StreamingLatest, Idle, GoOn, ListingLatest},
	{StreamingLatest, Failed, GoOn, ListingLatest},
	{StreamingLatest, Stop, GoOn, Stopped},

	// A list that fails leads back to streaming: a client may be allowed to watch but not to list.
	{Listing, Listed, GoOn, OpeningWatch},
	{Listing, Expired, GoOn, ListingLatest},
	{Listing, TooLarge, GoOn, ListingLatest},
	{Listing, Failed, BackOff, OpeningStream},
	{Listing, Stop, GoOn, Stopped},

	{ListingLatest, Listed, GoOn, OpeningWatch},
	{ListingLatest, Expired, BackOff, OpeningLatestStream},
	{ListingLatest, TooLarge, BackOff, OpeningLatestStream},
	{ListingLatest, Failed, BackOff, OpeningLatestStream},
	{ListingLatest, Stop, GoOn, Stopped},

	{OpeningWatch, Opened, GoOn, Watching},
	{OpeningWatch, Busy, BackOff, OpeningWatch},
	{OpeningWatch, Idle, BackOff, OpeningWatch},
	{OpeningWatch, Expired, BackOff, OpeningStream},
	{OpeningWatch, ExpiredAgain, BackOff, OpeningLatestStream},
	{OpeningWatch, TooLarge, BackOff, OpeningStream},
	{OpeningWatch, Failed, BackOff, OpeningStream},
	{OpeningWatch, Stop, GoOn, Stopped},

	{Watching, Ended, GoOn, OpeningWatch},
	{Watching, Idle, GoOn, OpeningWatch},
	{Watching, Internal, GoOn, OpeningWatch},
	{Watching, CutShort, BackOff, OpeningWatch},
	{Watching, Busy, BackOff, OpeningWatch},
	{Watching, VeryShort, BackOff, OpeningStream},
	{Watching, Expired, BackOff, OpeningStream},
	{Watching, ExpiredAgain, BackOff, OpeningLatestStream},
	{Watching, TooLarge, BackOff, OpeningStream},
	{Watching, Failed, BackOff, OpeningStream},
	{Watching, Stop, GoOn, Stopped},
}

// next finds the row for an outcome. It panics if there is none. That would be a bug in this
// package; a test looks up a row for everything that [classify] can return.
func next(table []Transition, from State, on Outcome) Transition {
	for _, row := range table {
		if row.From == from && row.On == on {
			return row
		}
	}
	panic(fmt.Sprintf("reflector: no transition from %q on %q", from, on))
}

var (
	stateNames = [...]string{"listing", "listing latest", "opening watch", "watching",
		"opening stream", "opening latest stream", "streaming", "streaming latest", "stopped"}
	outcomeNames = [...]string{"listed", "opened", "streamed", "expired", "expired again",
		"version too large", "busy", "internal error", "ended", "cut short", "very short", "idle",
		"unfinished", "failed", "stop"}
	actionNames = [...]string{"go on", "back off"}
)

// String returns the name as words, for example "listing latest".
func (s State) String() string { return nameOf(stateNames[:], int(s), "state") }

// String returns the name as words, for example "expired again".
func (o Outcome) String() string { return nameOf(outcomeNames[:], int(o), "outcome") }

// String returns the name as words: "go on" or "back off".
func (a Action) String() string { return nameOf(actionNames[:], int(a), "action") }

// nameOf returns a name even for a number out of range: a log must be able to show a bug.
func nameOf(names []string, i int, what string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", what, i)
	}
	return names[i]
}

// String returns the row as a sentence: "watching: expired, back off → listing".
func (t Transition) String() string {
	if t.Do == GoOn {
		return fmt.Sprintf("%v: %v → %v", t.From, t.On, t.To)
	}
	return fmt.Sprintf("%v: %v, %v → %v", t.From, t.On, t.Do, t.To)
}
