package reflector

import "fmt"

// State is what a [Reflector] is doing: one request, or the reading of one stream. [Reflector.step]
// carries out a state, [classify] names its outcome, and the row for both says what to do then.
type State int

// The states. The first three fetch the whole collection, at the last known version or newer. This
// is cheap: the server answers from its cache. It works even if the version is too old for a watch,
// because the answer is the present state, and only a watch needs the history since then.
const (
	// openingStream: ask for a streaming list, that is for a watch that begins with the collection.
	openingStream State = iota
	// streaming: collect the initial events until a bookmark marks their end.
	streaming
	// listing: ask for a list, page by page.
	listing
	// openingWatch: ask for a watch from the last known version.
	openingWatch
	// watching: read events and hand them to the store.
	watching
	// stopped: the context has ended.
	stopped

	// fetch stands in the table for the state in which a fetch begins. [Table] replaces it by
	// openingStream or, for Options.ListFirst, by listing.
	fetch State = -1
)

// Outcome is the result of a state, by what follows from it. The cause is in the error that
// [Trace.Transition] gets.
type Outcome int

// The outcomes.
const (
	opened       Outcome = iota // the server has granted the watch
	streamed                    // the initial events are complete, and the store has taken them
	listed                      // the store has taken the whole collection
	busy                        // the same request may succeed after a pause
	expired                     // the server does not have this version: no longer, or not yet
	expiredAgain                // no longer, although a list at that version has just returned it
	ended                       // the stream is over, and another can go on where it ended
	failed                      // anything else that went wrong
	stop                        // the context has ended; it leads from every state to stopped
)

// Action is what a reflector does before it enters the next state. backOff and askLatest can come
// together: backOff|askLatest.
type Action int

// The actions.
const (
	goOn    Action = iota // enter the next state at once
	backOff               // wait first, longer each time until a watch succeeds
	// askLatest: until a fetch succeeds, fetch at "", the latest state, because the server has
	// refused the last known version. Such a fetch cannot fail for its version. It costs the server
	// more: it has to ask its database which version is the latest, and servers before 1.31 read all
	// objects from there as well.
	askLatest
)

// Transition is one row of the table: in state From, the outcome On leads to state To, after Do.
type Transition struct {
	From State
	On   Outcome
	Do   Action
	To   State
}

// table makes all decisions. A state and an outcome that have no row cannot occur together.
//
// A server must not be able to make a reflector send requests as fast as it can. So every way back
// to a state has a pause, or the action askLatest, or the outcome ended. That action is taken once:
// when the latest state is refused, the outcome is failed. A streaming list has ended once in a
// series of attempts. A watch that has ended has lasted a second, or it has brought a newer
// version: if that happens some times in a row, keepPace makes each of these watches a second long.
var table = []Transition{
	{openingStream, opened, goOn, streaming},
	{openingStream, busy, backOff, openingStream}, // a list would need an answer, too
	{openingStream, expired, askLatest, openingStream},
	{openingStream, failed, goOn, listing}, // a server that cannot stream says so

	// If a stream ends before its initial events are complete, what has arrived is thrown away.
	{streaming, streamed, goOn, watching},   // the same stream goes on as a plain watch
	{streaming, ended, goOn, openingStream}, // the first of a series; all others are busy
	{streaming, busy, backOff, openingStream},
	{streaming, expired, askLatest, openingStream},
	{streaming, failed, goOn, listing},

	{listing, listed, goOn, openingWatch},
	{listing, expired, askLatest, listing}, // with a limit, a version means exactly that one
	{listing, failed, backOff, fetch},      // a stream again: perhaps only watching is allowed

	// A version expires for all clients that were disconnected. They must not all fetch at the same
	// moment, so expired backs off in this state. A fetch that is refused does not: it came after
	// this pause.
	{openingWatch, opened, goOn, watching},
	{openingWatch, busy, backOff, openingWatch},
	{openingWatch, expired, backOff, fetch},
	{openingWatch, expiredAgain, backOff | askLatest, fetch}, // expired would lead back to this state
	{openingWatch, failed, backOff, fetch},

	// Every stream ends, if only by its timeout. Nothing is lost: the next one begins where it ended.
	{watching, ended, goOn, openingWatch},
	{watching, busy, backOff, openingWatch},
	{watching, expired, backOff, fetch},
	{watching, expiredAgain, backOff | askLatest, fetch},
	{watching, failed, backOff, fetch},
}

// Table returns the table by which a reflector makes all its decisions: with listFirst that of a
// reflector that fetches by listing, otherwise that of one that fetches by streaming lists. It
// begins in the first row's From. The caller owns the slice.
func Table(listFirst bool) (rows []Transition) {
	first := openingStream
	if listFirst {
		first = listing
	}
	for _, row := range table {
		if row.To == fetch {
			row.To = first
		}
		if row.From >= first { // the states before the first are never entered
			rows = append(rows, row)
		}
	}
	return rows
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
	stateNames = [...]string{"opening stream", "streaming", "listing", "opening watch", "watching",
		"stopped"}
	outcomeNames = [...]string{"opened", "streamed", "listed", "busy", "expired", "expired again",
		"ended", "failed", "stop"}
	actionNames = [...]string{"go on", "back off", "ask for the latest",
		"back off, ask for the latest"}
)

// String returns the name as words, for example "opening watch".
func (s State) String() string { return stateNames[s] }

// String returns the name as words, for example "expired again".
func (o Outcome) String() string { return outcomeNames[o] }

// String returns the name as words, for example "back off, ask for the latest".
func (a Action) String() string { return actionNames[a] }

// String returns the row as a sentence: "watching: expired, back off → listing".
func (t Transition) String() string {
	if t.Do == goOn {
		return fmt.Sprintf("%v: %v → %v", t.From, t.On, t.To)
	}
	return fmt.Sprintf("%v: %v, %v → %v", t.From, t.On, t.Do, t.To)
}
