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
	{"a version that is gone is given up for the latest, at once",
		Transition{Listing, Expired, GoOn, ListingLatest}},
	{"so is one from the future", Transition{Listing, TooLarge, GoOn, ListingLatest}},
	{"the latest list is as good as any", Transition{ListingLatest, Listed, GoOn, OpeningWatch}},

	{"a watch that is granted is read", Transition{OpeningWatch, Opened, GoOn, Watching}},
	{"a busy server gets no list on top", Transition{OpeningWatch, Busy, BackOff, OpeningWatch}},
	{"nor does a silent one", Transition{OpeningWatch, Idle, BackOff, OpeningWatch}},

	{"a stream that ends goes on in the next one, at once",
		Transition{Watching, Ended, GoOn, OpeningWatch}},
	{"a dead connection is replaced", Transition{Watching, Idle, GoOn, OpeningWatch}},
	{"an internal error is forgiven for a while",
		Transition{Watching, Internal, GoOn, OpeningWatch}},
	{"a stream that broke early or made no progress is continued, later",
		Transition{Watching, CutShort, BackOff, OpeningWatch}},
	{"a server that is too busy to go on is watched again, later",
		Transition{Watching, Busy, BackOff, OpeningWatch}},
}

var listRules = []rule{
	{"a list that fails is tried again, later", Transition{Listing, Failed, BackOff, Listing}},
	{"the latest cannot be too old; if the server says so, it is asked again, later",
		Transition{ListingLatest, Expired, BackOff, ListingLatest}},
	{"nor too new", Transition{ListingLatest, TooLarge, BackOff, ListingLatest}},
	{"and a failure does not bring the useless version back",
		Transition{ListingLatest, Failed, BackOff, ListingLatest}},
	{"a version too old to watch from needs a list",
		Transition{OpeningWatch, Expired, BackOff, Listing}},
	{"if a list has led right there, the latest",
		Transition{OpeningWatch, ExpiredAgain, BackOff, ListingLatest}},
	{"a version from the future needs a list, which says what to do about it",
		Transition{OpeningWatch, TooLarge, BackOff, Listing}},
	{"a watch that is refused needs a list", Transition{OpeningWatch, Failed, BackOff, Listing}},
	{"a stream that brings nothing is no use: list",
		Transition{Watching, VeryShort, BackOff, Listing}},
	{"history has overtaken the watch: list", Transition{Watching, Expired, BackOff, Listing}},
	{"no list twice round the same circle",
		Transition{Watching, ExpiredAgain, BackOff, ListingLatest}},
	{"the server was set back: list", Transition{Watching, TooLarge, BackOff, Listing}},
	{"whatever else ends a stream, a list mends it",
		Transition{Watching, Failed, BackOff, Listing}},
}

var streamRules = []rule{
	{"a stream that is granted is read", Transition{OpeningStream, Opened, GoOn, Streaming}},
	{"a busy server is asked again, later",
		Transition{OpeningStream, Busy, BackOff, OpeningStream}},
	{"a version that is gone is given up for the latest",
		Transition{OpeningStream, Expired, GoOn, OpeningLatestStream}},
	{"so is one from the future", Transition{OpeningStream, TooLarge, GoOn, OpeningLatestStream}},
	{"a server that says nothing gets a list", Transition{OpeningStream, Idle, GoOn, Listing}},
	{"when the time for streaming is over: list",
		Transition{OpeningStream, Unfinished, GoOn, Listing}},
	{"a server that cannot stream gets a list", Transition{OpeningStream, Failed, GoOn, Listing}},

	{"the latest stream is read, and stays the latest",
		Transition{OpeningLatestStream, Opened, GoOn, StreamingLatest}},
	{"a busy server is asked again, later",
		Transition{OpeningLatestStream, Busy, BackOff, OpeningLatestStream}},
	{"the latest cannot be too old: list",
		Transition{OpeningLatestStream, Expired, GoOn, ListingLatest}},
	{"nor too new", Transition{OpeningLatestStream, TooLarge, GoOn, ListingLatest}},
	{"silence gets a list", Transition{OpeningLatestStream, Idle, GoOn, ListingLatest}},
	{"when the time is over: list",
		Transition{OpeningLatestStream, Unfinished, GoOn, ListingLatest}},
	{"refusal gets a list", Transition{OpeningLatestStream, Failed, GoOn, ListingLatest}},

	{"behind the initial events the same stream goes on",
		Transition{Streaming, Streamed, GoOn, Watching}},
	{"half a collection is none: from the beginning",
		Transition{Streaming, Ended, BackOff, OpeningStream}},
	{"the same if it broke early", Transition{Streaming, CutShort, BackOff, OpeningStream}},
	{"the same if the server became busy", Transition{Streaming, Busy, BackOff, OpeningStream}},
	{"a version that is gone is given up for the latest",
		Transition{Streaming, Expired, BackOff, OpeningLatestStream}},
	{"so is one from the future", Transition{Streaming, TooLarge, BackOff, OpeningLatestStream}},
	{"a stream that brings nothing: list", Transition{Streaming, VeryShort, GoOn, Listing}},
	{"a stream whose initial events have no end: list",
		Transition{Streaming, Unfinished, GoOn, Listing}},
	{"a stream that falls silent: list", Transition{Streaming, Idle, GoOn, Listing}},
	{"whatever else ends it: list", Transition{Streaming, Failed, GoOn, Listing}},

	{"the latest stream is as good as any", Transition{StreamingLatest, Streamed, GoOn, Watching}},
	{"the latest is not forgotten when its stream ends early",
		Transition{StreamingLatest, Ended, BackOff, OpeningLatestStream}},
	{"nor when it breaks", Transition{StreamingLatest, CutShort, BackOff, OpeningLatestStream}},
	{"nor when the server is busy",
		Transition{StreamingLatest, Busy, BackOff, OpeningLatestStream}},
	{"nor for a list: too old", Transition{StreamingLatest, Expired, GoOn, ListingLatest}},
	{"too new", Transition{StreamingLatest, TooLarge, GoOn, ListingLatest}},
	{"nothing came", Transition{StreamingLatest, VeryShort, GoOn, ListingLatest}},
	{"no end came", Transition{StreamingLatest, Unfinished, GoOn, ListingLatest}},
	{"silence", Transition{StreamingLatest, Idle, GoOn, ListingLatest}},
	{"anything else", Transition{StreamingLatest, Failed, GoOn, ListingLatest}},

	{"a list that fails is followed by a stream: perhaps only watching is allowed",
		Transition{Listing, Failed, BackOff, OpeningStream}},
	{"the latest too", Transition{ListingLatest, Failed, BackOff, OpeningLatestStream}},
	{"whatever the server says of it",
		Transition{ListingLatest, Expired, BackOff, OpeningLatestStream}},
	{"too old or too new", Transition{ListingLatest, TooLarge, BackOff, OpeningLatestStream}},

	// Where a reflector that lists first would list again, one that streams streams again.
	{"a version too old to watch from needs a stream",
		Transition{OpeningWatch, Expired, BackOff, OpeningStream}},
	{"the latest, if a list has led there",
		Transition{OpeningWatch, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"a version from the future needs a stream, which says what to do about it",
		Transition{OpeningWatch, TooLarge, BackOff, OpeningStream}},
	{"a refused watch needs a stream", Transition{OpeningWatch, Failed, BackOff, OpeningStream}},
	{"a useless watch needs a stream", Transition{Watching, VeryShort, BackOff, OpeningStream}},
	{"history has overtaken the watch: stream",
		Transition{Watching, Expired, BackOff, OpeningStream}},
	{"not twice round the same circle",
		Transition{Watching, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"the server was set back: stream", Transition{Watching, TooLarge, BackOff, OpeningStream}},
	{"whatever else ends a watch, a stream mends it",
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
			assert.Equal(t, Transition{row.From, Stop, GoOn, Stopped}, row, "stop means stop")
			continue
		}
		assert.Contains(t, want, row, "a row without a rule: %v", row)
	}
}

// world is everything that can come of a state: each kind of error that a ListerWatcher, a store or
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

// A walk through the world, from the first state of each table on: whatever comes of a state, there
// is a row for it, and no row is left over.
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
			assert.False(t, seen[pair], "%v", row)
			seen[pair] = true
		}
	}
}

// A server decides which outcomes occur. Whatever it decides, it must not keep the reflector busy:
// going round without a pause is possible only by way of an outcome that has cost the server time
// or useful events.
func TestNoStorm(t *testing.T) {
	paid := []Outcome{Ended, Internal, Idle} // a second or news, both; the idle timeout
	for _, table := range [][]Transition{listTable, streamTable} {
		var visit func(s State, path []State)
		visit = func(s State, path []State) {
			if !assert.NotContains(t, path, s, "a circle without a pause") {
				return
			}
			for _, row := range table {
				if row.From == s && row.Do == GoOn && !slices.Contains(paid, row.On) {
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
		assert.Equal(t, tableFor(listFirst), Table(listFirst))
	}
	assert.Equal(t, Listing, Table(true)[0].From, "the first row says where a reflector begins")
	assert.Equal(t, OpeningStream, Table(false)[0].From, "by default with a streaming list")
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
