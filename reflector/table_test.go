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

// rules are the rows of the table, each with the sentence that it stands for.
var rules = []struct {
	says string
	row  Transition
}{
	{"a stream that is granted is read", Transition{OpeningStream, Opened, GoOn, Streaming}},
	{"a stream that a busy server refuses is asked for again after a pause",
		Transition{OpeningStream, Busy, BackOff, OpeningStream}},
	{"a stream at a version that the server does not have is followed by one of the latest state",
		Transition{OpeningStream, Expired, AskLatest, OpeningStream}},
	{"a stream that the server refuses is followed by a list",
		Transition{OpeningStream, Failed, GoOn, Listing}},

	{"after its initial events the same stream goes on as a watch",
		Transition{Streaming, Streamed, GoOn, Watching}},
	{"a stream that ends before its initial events are complete begins again after a pause",
		Transition{Streaming, Ended, BackOff, OpeningStream}},
	{"a stream that broke early, or that a busy server ended, begins again after a pause",
		Transition{Streaming, Busy, BackOff, OpeningStream}},
	{"a stream whose version is gone is followed by one of the latest state after a pause",
		Transition{Streaming, Expired, BackOff | AskLatest, OpeningStream}},
	{"a stream that fails is followed by a list", Transition{Streaming, Failed, GoOn, Listing}},

	{"a list is followed by a watch", Transition{Listing, Listed, GoOn, OpeningWatch}},
	{"a list at a version that the server does not have is followed by one of the latest state",
		Transition{Listing, Expired, AskLatest, Listing}},
	{"a list that fails is followed by a stream: perhaps only watching is allowed",
		Transition{Listing, Failed, BackOff, OpeningStream}},

	{"a watch that is granted is read", Transition{OpeningWatch, Opened, GoOn, Watching}},
	{"a busy server, or one that does not answer, does not get a list as well",
		Transition{OpeningWatch, Busy, BackOff, OpeningWatch}},
	{"a version that the server does not have for a watch needs a fetch",
		Transition{OpeningWatch, Expired, BackOff, OpeningStream}},
	{"if a list at that version returned that version, the latest state is needed",
		Transition{OpeningWatch, ExpiredAgain, BackOff | AskLatest, OpeningStream}},
	{"a watch that is refused needs a fetch",
		Transition{OpeningWatch, Failed, BackOff, OpeningStream}},

	{"a stream that ends is continued at once by the next one",
		Transition{Watching, Ended, GoOn, OpeningWatch}},
	{"a stream that broke early or made no progress is continued after a pause",
		Transition{Watching, Busy, BackOff, OpeningWatch}},
	{"a watch whose version expires needs a fetch",
		Transition{Watching, Expired, BackOff, OpeningStream}},
	{"a watch whose version expires again needs the latest state",
		Transition{Watching, ExpiredAgain, BackOff | AskLatest, OpeningStream}},
	{"a watch that fails needs a fetch", Transition{Watching, Failed, BackOff, OpeningStream}},
}

func TestRows(t *testing.T) {
	rows := Table(false)
	for i, rule := range rules {
		t.Run(rule.says, func(t *testing.T) {
			if assert.Less(t, i, len(rows)) {
				assert.Equal(t, rule.row, rows[i])
			}
		})
	}
	assert.Len(t, rows, len(rules), "each row has a rule")
}

func TestTable(t *testing.T) {
	t.Run("a reflector that lists first lists wherever the other one begins a stream", func(t *testing.T) {
		var want []Transition
		for _, row := range Table(false) {
			if row.From == OpeningStream || row.From == Streaming {
				continue // it never enters these states
			}
			if row.To == OpeningStream {
				row.To = Listing
			}
			want = append(want, row)
		}
		assert.Equal(t, want, Table(true))
	})
	t.Run("a table belongs to the caller", func(t *testing.T) {
		Table(false)[0] = Transition{}
		assert.Equal(t, rules[0].row, Table(false)[0])
	})
	t.Run("a row is printed as a sentence", func(t *testing.T) {
		assert.Equal(t, "watching: ended → opening watch",
			Transition{Watching, Ended, GoOn, OpeningWatch}.String())
		assert.Equal(t, "streaming: expired, back off, ask for the latest → opening stream",
			Transition{Streaming, Expired, BackOff | AskLatest, OpeningStream}.String())
		assert.Equal(t, "listing: stop → stopped", Transition{Listing, Stop, GoOn, Stopped}.String())
	})
	t.Run("a row that is missing is a bug", func(t *testing.T) {
		assert.PanicsWithValue(t, `reflector: no transition from "watching" on "listed"`,
			func() { next(Table(false), Watching, Listed) })
	})
}

// world is every way in which a state can end: each kind of error that a ListerWatcher, a store or
// the reflector itself can cause, with all the circumstances that classify looks at.
func world() (all []facts) {
	for _, err := range []error{
		nil, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNREFUSED, syscall.ECONNRESET,
		errors.New("something new"), fmt.Errorf("it ended early: %w", io.EOF),
		ErrIdle, ErrListTimeout, ErrNoInitialEventsEnd, ErrResync,
		&DecodeError{}, &TooLargeError{}, &ObjectError{}, &StoreError{},
		&StoreError{Err: &StatusError{Code: 410}},
		&StatusError{Code: 410, Reason: "Expired"}, &StatusError{Code: 429},
		&StatusError{Code: 500, Reason: "InternalError"}, &StatusError{Code: 503},
		&StatusError{Code: 503, RetryAfter: time.Second}, &StatusError{Code: 403},
		&StatusError{Code: 504, Reason: "Timeout", Message: "Too large resource version"},
	} {
		for flags := range 64 {
			all = append(all, facts{
				err: err, events: flags & 1, elapsed: time.Duration(flags&2) * time.Second,
				progress: flags&4 > 0, stuck: flags&8 > 0, forgiven: flags&16 > 0, latest: flags&32 > 0,
			})
		}
	}
	return all
}

func TestEveryOutcomeHasOneRow(t *testing.T) {
	for _, listFirst := range []bool{false, true} {
		t.Run(fmt.Sprintf("whatever ends a state, the table knows what follows; list first: %v", listFirst),
			func(t *testing.T) {
				table, met := Table(listFirst), map[Transition]bool{}
				for state := table[0].From; state < Stopped; state++ {
					for _, f := range world() {
						if f.err == nil && state == Watching || f.forgiven && !isInternalError(f.err) {
							continue // a watch is read until something ends it; only a 500 is forgiven
						}
						on, err := classify(state, f)
						met[next(table, state, on)] = true // panics where there is none
						assert.Equal(t, f.err == nil || on == Ended && f.err == io.EOF, err == nil,
							"%v, %v: an error says why, except at an orderly end", state, f.err)
					}
				}
				assert.Len(t, met, len(table), "no row is for what cannot happen, and none is there twice")
			})
	}
}

// A server decides which outcomes occur. It must not be able to make the reflector send requests as
// fast as it can: every circle in the table has a pause, or Ended, which takes a second or a newer
// version, or a fetch of the latest state, which cannot be followed by another one without a pause.
func TestNoStorm(t *testing.T) {
	for _, listFirst := range []bool{false, true} {
		table := Table(listFirst)
		var visit func(s State, path []State)
		visit = func(s State, path []State) {
			if !assert.NotContains(t, path, s, "a circle without a pause") {
				return
			}
			for _, row := range table {
				if row.From == s && row.Do == GoOn && row.On != Ended {
					visit(row.To, append(slices.Clone(path), s))
				}
			}
		}
		for s := OpeningStream; s < Stopped; s++ {
			visit(s, nil)
		}
	}
	t.Run("the latest state is not asked for again without a pause", func(t *testing.T) {
		for _, f := range world() {
			for state := OpeningStream; f.latest && state <= Listing; state++ {
				on, _ := classify(state, f)
				assert.Zero(t, next(Table(false), state, on).Do&AskLatest, "%v: %v", state, f.err)
			}
		}
	})
}
