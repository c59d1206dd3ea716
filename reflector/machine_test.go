package reflector

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A rule is a row of a table with the sentence that it stands for.
type rule struct {
	says string
	row  Transition
}

// Both tables share these rules.
var commonRules = []rule{
	{"a list is followed by a watch", Transition{Listing, Listed, GoOn, OpeningWatch}},
	{"a list at a version that is gone is followed at once by one of the latest state",
		Transition{Listing, Expired, GoOn, ListingLatest}},
	{"a list at a version from the future is followed at once by one of the latest state",
		Transition{Listing, TooLarge, GoOn, ListingLatest}},
	{"a list of the latest state is followed by a watch",
		Transition{ListingLatest, Listed, GoOn, OpeningWatch}},

	{"a watch that is granted is read", Transition{OpeningWatch, Opened, GoOn, Watching}},
	{"a busy server does not get a list as well",
		Transition{OpeningWatch, Busy, BackOff, OpeningWatch}},
	{"a server that does not answer does not get a list as well",
		Transition{OpeningWatch, Idle, BackOff, OpeningWatch}},

	{"a stream that ends is continued at once by the next one",
		Transition{Watching, Ended, GoOn, OpeningWatch}},
	{"a watch on a dead connection is continued at once on another",
		Transition{Watching, Idle, GoOn, OpeningWatch}},
	{"an internal error is forgiven for a while",
		Transition{Watching, Internal, GoOn, OpeningWatch}},
	{"a stream that broke early or made no progress is continued after a pause",
		Transition{Watching, CutShort, BackOff, OpeningWatch}},
	{"a stream that a busy server ended is continued after a pause",
		Transition{Watching, Busy, BackOff, OpeningWatch}},
}

var listRules = []rule{
	{"a list that fails is repeated after a pause",
		Transition{Listing, Failed, BackOff, Listing}},
	{"a list of the latest state that is refused as too old is repeated after a pause",
		Transition{ListingLatest, Expired, BackOff, ListingLatest}},
	{"a list of the latest state that is refused as too new is repeated after a pause",
		Transition{ListingLatest, TooLarge, BackOff, ListingLatest}},
	{"a list of the latest state that fails is repeated without the version that was refused",
		Transition{ListingLatest, Failed, BackOff, ListingLatest}},
	{"a version that is too old for a watch needs a list",
		Transition{OpeningWatch, Expired, BackOff, Listing}},
	{"if a list at that version returned that version, a list of the latest state is needed",
		Transition{OpeningWatch, ExpiredAgain, BackOff, ListingLatest}},
	{"a version from the future needs a list, whose answer decides what follows",
		Transition{OpeningWatch, TooLarge, BackOff, Listing}},
	{"a watch that is refused needs a list", Transition{OpeningWatch, Failed, BackOff, Listing}},
	{"a stream that ends early without an event needs a list",
		Transition{Watching, VeryShort, BackOff, Listing}},
	{"a watch whose version expires needs a list",
		Transition{Watching, Expired, BackOff, Listing}},
	{"a watch whose version expires again needs a list of the latest state",
		Transition{Watching, ExpiredAgain, BackOff, ListingLatest}},
	{"a watch of a server that was set back needs a list",
		Transition{Watching, TooLarge, BackOff, Listing}},
	{"a watch that ends with any other error needs a list",
		Transition{Watching, Failed, BackOff, Listing}},
}

var streamRules = []rule{
	{"a stream that is granted is read", Transition{OpeningStream, Opened, GoOn, Streaming}},
	{"a stream that a busy server refuses is asked for again after a pause",
		Transition{OpeningStream, Busy, BackOff, OpeningStream}},
	{"a stream at a version that is gone is followed by one of the latest state",
		Transition{OpeningStream, Expired, GoOn, OpeningLatestStream}},
	{"a stream at a version from the future is followed by one of the latest state",
		Transition{OpeningStream, TooLarge, GoOn, OpeningLatestStream}},
	{"a stream that is not answered is followed by a list",
		Transition{OpeningStream, Idle, GoOn, Listing}},
	{"when the time for streaming is over, a list follows",
		Transition{OpeningStream, Unfinished, GoOn, Listing}},
	{"a stream that the server refuses is followed by a list",
		Transition{OpeningStream, Failed, GoOn, Listing}},

	{"a stream of the latest state that is granted is read, and is still known to be one",
		Transition{OpeningLatestStream, Opened, GoOn, StreamingLatest}},
	{"a stream of the latest state that a busy server refuses is asked for again after a pause",
		Transition{OpeningLatestStream, Busy, BackOff, OpeningLatestStream}},
	{"a stream of the latest state that is refused as too old is followed by a list of it",
		Transition{OpeningLatestStream, Expired, GoOn, ListingLatest}},
	{"a stream of the latest state that is refused as too new is followed by a list of it",
		Transition{OpeningLatestStream, TooLarge, GoOn, ListingLatest}},
	{"a stream of the latest state that is not answered is followed by a list of it",
		Transition{OpeningLatestStream, Idle, GoOn, ListingLatest}},
	{"when the time for streaming the latest state is over, a list of it follows",
		Transition{OpeningLatestStream, Unfinished, GoOn, ListingLatest}},
	{"a stream of the latest state that the server refuses is followed by a list of it",
		Transition{OpeningLatestStream, Failed, GoOn, ListingLatest}},

	{"after its initial events the same stream goes on as a watch",
		Transition{Streaming, Streamed, GoOn, Watching}},
	{"a stream that ends before its initial events are complete begins again after a pause",
		Transition{Streaming, Ended, BackOff, OpeningStream}},
	{"a stream that breaks early begins again after a pause",
		Transition{Streaming, CutShort, BackOff, OpeningStream}},
	{"a stream that a busy server ended begins again after a pause",
		Transition{Streaming, Busy, BackOff, OpeningStream}},
	{"a stream whose version is gone is followed by one of the latest state",
		Transition{Streaming, Expired, BackOff, OpeningLatestStream}},
	{"a stream whose version is from the future is followed by one of the latest state",
		Transition{Streaming, TooLarge, BackOff, OpeningLatestStream}},
	{"a stream that ends early without an event is followed by a list",
		Transition{Streaming, VeryShort, GoOn, Listing}},
	{"a stream whose initial events have no end is followed by a list",
		Transition{Streaming, Unfinished, GoOn, Listing}},
	{"a stream that falls silent is followed by a list",
		Transition{Streaming, Idle, GoOn, Listing}},
	{"a stream that ends with any other error is followed by a list",
		Transition{Streaming, Failed, GoOn, Listing}},

	{"after its initial events a stream of the latest state goes on as a watch",
		Transition{StreamingLatest, Streamed, GoOn, Watching}},
	{"a stream of the latest state that ends before it is complete is followed by another one",
		Transition{StreamingLatest, Ended, BackOff, OpeningLatestStream}},
	{"a stream of the latest state that breaks early is followed by another one",
		Transition{StreamingLatest, CutShort, BackOff, OpeningLatestStream}},
	{"a stream of the latest state that a busy server ended is followed by another one",
		Transition{StreamingLatest, Busy, BackOff, OpeningLatestStream}},
	{"a stream of the latest state whose version is too old is followed by a list of it",
		Transition{StreamingLatest, Expired, GoOn, ListingLatest}},
	{"a stream of the latest state whose version is too new is followed by a list of it",
		Transition{StreamingLatest, TooLarge, GoOn, ListingLatest}},
	{"a stream of the latest state that ends early without an event is followed by a list of it",
		Transition{StreamingLatest, VeryShort, GoOn, ListingLatest}},
	{"a stream of the latest state whose initial events have no end is followed by a list of it",
		Transition{StreamingLatest, Unfinished, GoOn, ListingLatest}},
	{"a stream of the latest state that falls silent is followed by a list of it",
		Transition{StreamingLatest, Idle, GoOn, ListingLatest}},
	{"a stream of the latest state that ends with any other error is followed by a list of it",
		Transition{StreamingLatest, Failed, GoOn, ListingLatest}},

	{"a list that fails is followed by a stream: perhaps only watching is allowed",
		Transition{Listing, Failed, BackOff, OpeningStream}},
	{"a list of the latest state that fails is followed by a stream of it",
		Transition{ListingLatest, Failed, BackOff, OpeningLatestStream}},
	{"a list of the latest state that is refused as too old is followed by a stream of it",
		Transition{ListingLatest, Expired, BackOff, OpeningLatestStream}},
	{"a list of the latest state that is refused as too new is followed by a stream of it",
		Transition{ListingLatest, TooLarge, BackOff, OpeningLatestStream}},

	// Where the other table leads from a watch to a list, this one leads to a stream.
	{"a version that is too old for a watch needs a stream",
		Transition{OpeningWatch, Expired, BackOff, OpeningStream}},
	{"if a list at that version returned that version, a stream of the latest state is needed",
		Transition{OpeningWatch, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"a version from the future needs a stream, whose answer decides what follows",
		Transition{OpeningWatch, TooLarge, BackOff, OpeningStream}},
	{"a watch that is refused needs a stream",
		Transition{OpeningWatch, Failed, BackOff, OpeningStream}},
	{"a watch that ends early without an event needs a stream",
		Transition{Watching, VeryShort, BackOff, OpeningStream}},
	{"a watch whose version expires needs a stream",
		Transition{Watching, Expired, BackOff, OpeningStream}},
	{"a watch whose version expires again needs a stream of the latest state",
		Transition{Watching, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"a watch of a server that was set back needs a stream",
		Transition{Watching, TooLarge, BackOff, OpeningStream}},
	{"a watch that ends with any other error needs a stream",
		Transition{Watching, Failed, BackOff, OpeningStream}},
}

// Each row has a rule and each rule a row.
func TestRules(t *testing.T) {
	compareTable(t, listTable, slices.Concat(commonRules, listRules))
	compareTable(t, streamTable, slices.Concat(commonRules, streamRules))
}

func compareTable(t *testing.T, table []Transition, rules []rule) {
	want := map[Transition]string{}
	for _, rule := range rules {
		want[rule.row] = rule.says
		assert.Contains(t, table, rule.row, "%s: but the table has no row %v", rule.says, rule.row)
	}
	for _, row := range table {
		if row.On == Stop {
			assert.Equal(t, Transition{row.From, Stop, GoOn, Stopped}, row,
				"every state is left at once when the context ends")
			continue
		}
		assert.Contains(t, want, row, "a row without a rule: %v", row)
	}
}

// world is every way in which a state can end: each kind of error that a ListerWatcher, a store or
// the reflector itself can cause, with all the circumstances that classify looks at.
func world() (all []facts) {
	for _, err := range []error{
		nil, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNREFUSED, syscall.ECONNRESET,
		errors.New("something new"), fmt.Errorf("it ended early: %w", io.EOF),
		ErrIdle, ErrListTimeout, ErrNoInitialEventsEnd,
		&DecodeError{}, &TooLargeError{}, &ObjectError{}, &StoreError{}, &ResyncError{},
		&StoreError{Err: &StatusError{Code: 410}},
		&StatusError{Code: 410, Reason: "Expired"}, &StatusError{Code: 429},
		&StatusError{Code: 500, Reason: "InternalError"}, &StatusError{Code: 503},
		&StatusError{Code: 503, RetryAfter: time.Second}, &StatusError{Code: 403},
		&StatusError{Code: 504, Reason: "Timeout", Message: "Too large resource version"},
	} {
		for flags := range 32 {
			all = append(all, facts{
				err: err, events: flags & 1, elapsed: time.Duration(flags&2) * time.Second,
				progress: flags&4 > 0, stuck: flags&8 > 0, forgiven: flags&16 > 0,
			})
		}
	}
	return all
}

// The test enters each table at its first state and follows every outcome in the world. For each
// there is a row, and no row is left over.
func TestEveryPairThatCanMeetHasARow(t *testing.T) {
	for _, table := range [][]Transition{listTable, streamTable} {
		met := map[Transition]bool{}
		known := map[State]bool{Stopped: true}
		for walk := []State{table[0].From}; len(walk) > 0; walk = walk[1:] {
			state := walk[0]
			if known[state] {
				continue
			}
			known[state] = true
			outcomes := []Outcome{Stop}
			for _, f := range world() {
				if f.err == nil && state == Watching {
					continue // a watch is read until something ends it
				}
				outcomes = append(outcomes, classify(state, f))
			}
			for _, on := range outcomes {
				row := next(table, state, on) // panics where there is none
				met[row] = true
				walk = append(walk, row.To)
			}
		}
		for _, row := range table {
			assert.True(t, met[row], "a row for what cannot happen: %v", row)
		}
	}
}

func TestARowThatIsMissingIsABug(t *testing.T) {
	assert.PanicsWithValue(t, `reflector: no transition from "watching" on "listed"`,
		func() { next(streamTable, Watching, Listed) })
}

func TestOneOutcomeHasOneConsequence(t *testing.T) {
	for _, table := range [][]Transition{listTable, streamTable} {
		seen := map[[2]int]bool{}
		for _, row := range table {
			pair := [2]int{int(row.From), int(row.On)}
			assert.False(t, seen[pair], "a state and an outcome have two rows; the second is %v", row)
			seen[pair] = true
		}
	}
}

// A server decides which outcomes occur. It must not be able to make the reflector send requests as
// fast as it can: every circle in a table has a pause, or an outcome that takes time or useful
// events. Ended and Internal take a second or a newer version, Idle takes the idle timeout.
func TestNoStorm(t *testing.T) {
	slow := []Outcome{Ended, Internal, Idle}
	for _, table := range [][]Transition{listTable, streamTable} {
		var visit func(s State, path []State)
		visit = func(s State, path []State) {
			if !assert.NotContains(t, path, s, "a circle without a pause") {
				return
			}
			for _, row := range table {
				if row.From == s && row.Do == GoOn && !slices.Contains(slow, row.On) {
					visit(row.To, append(path, s))
				}
			}
		}
		for s := Listing; s < Stopped; s++ {
			visit(s, nil)
		}
	}
}

func TestTableBelongsToTheCaller(t *testing.T) {
	for _, listFirst := range []bool{true, false} {
		Table(listFirst)[0] = Transition{}
		assert.Equal(t, tableFor(listFirst), Table(listFirst),
			"a caller that writes to its table does not change the reflector's")
	}
	assert.Equal(t, Listing, Table(true)[0].From, "the first row says where a reflector begins")
	assert.Equal(t, OpeningStream, Table(false)[0].From,
		"by default a reflector begins with a streaming list")
}

func TestNames(t *testing.T) {
	names := map[string]bool{}
	for s := Listing; s <= Stopped; s++ {
		names[s.String()] = true
	}
	for o := Listed; o <= Stop; o++ {
		names[o.String()] = true
	}
	for a := GoOn; a <= BackOff; a++ {
		names[a.String()] = true
	}
	assert.Len(t, names, int(Stopped)+1+int(Stop)+1+int(BackOff)+1, "every name is used once")
	assert.Equal(t, "streaming latest", StreamingLatest.String())
	assert.Equal(t, "version too large", TooLarge.String())
	assert.Equal(t, "state(9)", (Stopped + 1).String())
	assert.Equal(t, "outcome(-1)", Outcome(-1).String())
	row := Transition{Watching, Expired, BackOff, Listing}
	assert.Equal(t, "watching: expired, back off → listing", row.String())
	row = Transition{Watching, Ended, GoOn, OpeningWatch}
	assert.Equal(t, "watching: ended → opening watch", row.String())
}
