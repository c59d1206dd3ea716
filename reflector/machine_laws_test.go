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
