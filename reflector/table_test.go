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

// The rows of the table are in testdata/10_the_table.story, and in [ExampleTable].
func TestARowThatIsMissingIsABug(t *testing.T) {
	assert.PanicsWithValue(t, `reflector: no transition from "watching" on "listed"`,
		func() { next(Table(false), Watching, Listed) })
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
