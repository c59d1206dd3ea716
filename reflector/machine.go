package reflector

// State is what a [Reflector] is busy with. Each state but Stopped is one request, or the reading
// of one stream.
type State int

// The states. The streaming ones occur only with [Options.StreamingList].
const (
	// Listing: list at the last known version, or at "0" if there is none. Cheap: caches answer.
	Listing State = iota
	// ListingLatest: list at "", because the last known version is of no use any more. Expensive:
	// the server reads it from its database. But it always knows the answer.
	ListingLatest
	// OpeningWatch: ask for a watch from the last known version.
	OpeningWatch
	// Watching: read events and hand them to the store.
	Watching
	// OpeningStream: ask for a watch that begins with the whole collection, at least as new as the
	// last known version.
	OpeningStream
	// OpeningLatestStream: the same without a version, for the reason of ListingLatest.
	OpeningLatestStream
	// Streaming: collect the initial events until a bookmark marks their end.
	Streaming
	// Stopped: the context has ended.
	Stopped
)

// Outcome is what came of a state: the many things that can happen, sorted by what they mean.
type Outcome int

// The outcomes.
const (
	// Listed: the whole collection was read and the store has taken it in.
	Listed Outcome = iota
	// Opened: the server agreed to the watch.
	Opened
	// Streamed: the initial events are complete and the store has taken them in.
	Streamed
	// Expired: the version is too old, history has been compacted.
	Expired
	// ExpiredAgain: the same, although that version is what a list at that version has just
	// returned. Another one like it would go round in a circle (k/k#133810).
	ExpiredAgain
	// TooLarge: the version is newer than anything the server knows.
	TooLarge
	// Busy: nobody listens there, or whoever does asks for patience.
	Busy
	// Internal: an in-stream "500 InternalError", within the time for which those are forgiven.
	Internal
	// Ended: the stream is over and has been of use.
	Ended
	// CutShort: the stream broke within a second, but has brought events.
	CutShort
	// VeryShort: the stream was over within a second and has brought nothing.
	VeryShort
	// Idle: the stream was silent for too long and was given up.
	Idle
	// Unfinished: the end of the initial events has not come in time.
	Unfinished
	// Failed: anything else that went wrong.
	Failed
	// Stop: the context has ended.
	Stop
)

// Action is what lies between two states.
type Action int

// The actions.
const (
	GoOn    Action = iota // enter the next state at once
	BackOff               // wait first, longer each time until something succeeds
)

// Transition is one row of the table: in state From, the outcome On leads to state To, by way of
// Do.
type Transition struct {
	From State
	On   Outcome
	Do   Action
	To   State
}

// Table returns all transitions of a reflector that fetches the collection by a list, or, with
// streaming, by a streaming list. It is the whole of what the reflector decides: there is no other
// place that says what follows upon what. A state and an outcome that have no row cannot meet.
func Table(streaming bool) []Transition {
	table := append([]Transition(nil), listAndWatch...)
	if !streaming {
		return table
	}
	// A reflector that streams does so whenever it would begin anew with a list. What leads from
	// one list to the next stays: it belongs to the cycle that has fallen back to listing.
	for i, row := range table {
		switch {
		case row.From != OpeningWatch && row.From != Watching:
		case row.To == Listing:
			table[i].To = OpeningStream
		case row.To == ListingLatest:
			table[i].To = OpeningLatestStream
		}
	}
	return append(table, streamingList...)
}

var listAndWatch = []Transition{
	{Listing, Listed, GoOn, OpeningWatch},
	{Listing, Expired, GoOn, ListingLatest},
	{Listing, TooLarge, GoOn, ListingLatest},
	{Listing, Failed, BackOff, Listing},
	{Listing, Stop, GoOn, Stopped},

	// It is the last resort, so whatever fails, it is tried again.
	{ListingLatest, Listed, GoOn, OpeningWatch},
	{ListingLatest, Expired, BackOff, ListingLatest},
	{ListingLatest, TooLarge, BackOff, ListingLatest},
	{ListingLatest, Failed, BackOff, ListingLatest},
	{ListingLatest, Stop, GoOn, Stopped},

	{OpeningWatch, Opened, GoOn, Watching},
	{OpeningWatch, Busy, BackOff, OpeningWatch}, // a list would only add to the load
	{OpeningWatch, Idle, BackOff, OpeningWatch},
	{OpeningWatch, Expired, BackOff, Listing},
	{OpeningWatch, ExpiredAgain, BackOff, ListingLatest},
	{OpeningWatch, Failed, BackOff, Listing},
	{OpeningWatch, Stop, GoOn, Stopped},

	// Streams end all the time, by timeout at the latest. Nothing is lost: the next one begins
	// where this one ended.
	{Watching, Ended, GoOn, OpeningWatch},
	{Watching, Idle, GoOn, OpeningWatch},
	{Watching, Internal, GoOn, OpeningWatch},
	{Watching, CutShort, BackOff, OpeningWatch},
	{Watching, Busy, BackOff, OpeningWatch},
	{Watching, VeryShort, BackOff, Listing},
	{Watching, Expired, BackOff, Listing},
	{Watching, ExpiredAgain, BackOff, ListingLatest},
	{Watching, Failed, BackOff, Listing},
	{Watching, Stop, GoOn, Stopped},
}

var streamingList = []Transition{
	{OpeningStream, Opened, GoOn, Streaming},
	{OpeningStream, Busy, BackOff, OpeningStream},
	{OpeningStream, Expired, GoOn, OpeningLatestStream},
	{OpeningStream, TooLarge, GoOn, OpeningLatestStream},
	{OpeningStream, Idle, GoOn, Listing},
	{OpeningStream, Failed, GoOn, Listing}, // a server that cannot stream says so here
	{OpeningStream, Stop, GoOn, Stopped},

	{OpeningLatestStream, Opened, GoOn, Streaming},
	{OpeningLatestStream, Busy, BackOff, OpeningLatestStream},
	{OpeningLatestStream, Expired, GoOn, ListingLatest},
	{OpeningLatestStream, TooLarge, GoOn, ListingLatest},
	{OpeningLatestStream, Idle, GoOn, ListingLatest},
	{OpeningLatestStream, Failed, GoOn, ListingLatest},
	{OpeningLatestStream, Stop, GoOn, Stopped},

	{Streaming, Streamed, GoOn, Watching}, // the same stream goes on as a plain watch
	// A stream that ends before its initial events do has taught nothing: what came is thrown
	// away. All ways back into a stream wait first, or a server that can't end one is stormed.
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
}

// next finds the row for an outcome. ok is false where there is none.
func next(table []Transition, from State, on Outcome) (row Transition, ok bool) {
	for _, row := range table {
		if row.From == from && row.On == on {
			return row, true
		}
	}
	return Transition{}, false
}
