package reflector

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The rows of the table are in testdata/10_the_table.story.
func TestARowThatIsMissingIsABug(t *testing.T) {
	assert.PanicsWithValue(t, `reflector: no transition from "watching" on "listed"`,
		func() { next(Table(false), watching, listed) })
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
				progress: flags&4 > 0, stuck: flags&8 > 0, latest: flags&16 > 0, again: flags&32 > 0,
			})
		}
	}
	return all
}

func TestEveryOutcomeHasOneRow(t *testing.T) {
	for _, listFirst := range []bool{false, true} {
		t.Run(fmt.Sprintf("the table has a row for whatever ends a state; list first: %v", listFirst),
			func(t *testing.T) {
				table, met := Table(listFirst), map[Transition]bool{}
				for state := table[0].From; state < stopped; state++ {
					for _, f := range world() {
						if f.err == nil && state == watching {
							continue // a watch is read until something ends it
						}
						on, err := classify(state, f)
						met[next(table, state, on)] = true // panics where there is none
						assert.Equal(t, f.err == nil || on == ended && f.err == io.EOF, err == nil,
							"%v, %v: an error says why, except at an orderly end", state, f.err)
					}
				}
				assert.Len(t, met, len(table), "no row is for what cannot happen, and none is there twice")
			})
	}
}

// A server decides which outcomes occur. It must not be able to make the reflector send requests as
// fast as it can: every circle in the table has a pause, or ended, or a fetch of the latest state.
// Neither of these two can be followed by another one without a pause.
func TestNoStorm(t *testing.T) {
	for _, listFirst := range []bool{false, true} {
		table := Table(listFirst)
		var visit func(s State, path []State)
		visit = func(s State, path []State) {
			if !assert.NotContains(t, path, s, "a circle without a pause") {
				return
			}
			for _, row := range table {
				if row.From == s && row.Do == goOn && row.On != ended {
					visit(row.To, append(slices.Clone(path), s))
				}
			}
		}
		for s := openingStream; s < stopped; s++ {
			visit(s, nil)
		}
	}
	t.Run("a second streaming list that breaks off leads to a pause or a list", func(t *testing.T) {
		for _, f := range world() {
			if f.again && f.err != nil {
				on, _ := classify(streaming, f)
				assert.NotEqual(t, ended, on, "%v", f.err)
			}
		}
	})
	inBubble(t, "a few short watches with news follow at once, and then one in each second",
		func(t *testing.T) {
			replies := []reply{list("1")}
			for version := range 99 {
				news := bookmark(fmt.Sprint(version + 2))
				replies = append(replies, reply{frames: []any{news}, each: 200 * ms}) // and before its end
			}
			g := played(t, 9900*ms, nil, replies...)
			assert.Len(t, g.requests, 1+fewShort+8, "with the list: %s", g.asked())
			assert.Equal(t, strings.Repeat("600ms ", 8), g.paused()+" ", "they never grow")
			g.check(t)
		})
	inBubble(t, "after a watch that lasts a second a few may be short again", func(t *testing.T) {
		short := func(version string) reply { return stream(bookmark(version)) }
		long := reply{frames: []any{bookmark("9")}, lasts: time.Second}
		g := played(t, time.Minute, nil,
			list("1"), short("2"), short("3"), short("4"), short("5"), short("6"),
			long, short("10"), short("11"), short("12"), short("13"), short("14"), hanging())
		assert.Len(t, g.requests, 13)
		assert.Empty(t, g.paused())
	})
	t.Run("the latest state is not asked for again without a pause", func(t *testing.T) {
		for _, f := range world() {
			for state := openingStream; f.latest && state <= listing; state++ {
				on, _ := classify(state, f)
				assert.Zero(t, next(Table(false), state, on).Do&askLatest, "%v: %v", state, f.err)
			}
		}
	})
}

// The usual outcomes are in the stories and scripts. These are at the edges of the rules.
func TestOutcomes(t *testing.T) {
	const almost = time.Second - 1
	reset := fmt.Errorf("read: %w", syscall.ECONNRESET)
	tooLarge := &StatusError{Code: 504, Reason: "Timeout", RetryAfter: time.Second,
		Details: StatusDetails{Causes: []StatusCause{{Reason: "ResourceVersionTooLarge"}}}}

	for _, c := range []struct {
		law   string
		state State
		f     facts
		want  Outcome
	}{
		{"410 of a streaming list after a list at that version has returned that version", openingStream,
			facts{err: gone, stuck: true}, expired},
		{"504 with its cause is no busy server, even with Retry-After", openingStream,
			facts{err: tooLarge}, expired},
		{"the same for the latest state", openingStream, facts{err: tooLarge, latest: true}, failed},
		{"500 with Retry-After", openingWatch, facts{err: &StatusError{Code: 500, RetryAfter: 1}}, busy},
		{"503 without Retry-After", openingWatch, facts{err: &StatusError{Code: 503}}, failed},
		{"403, even with Retry-After", openingWatch,
			facts{err: &StatusError{Code: 403, RetryAfter: 1}}, failed},
		{"a connection that is closed without an answer", openingWatch, facts{err: io.EOF}, busy},
		{"a connection that is reset without an answer", openingStream, facts{err: reset}, busy},
		{"a connection that cannot be made in time", openingWatch, facts{err: os.ErrDeadlineExceeded}, busy},
		{"an answer that is no stream", openingWatch, facts{err: garbage}, failed},
		{"503 in a stream, even with Retry-After", watching,
			facts{err: &StatusError{Code: 503, RetryAfter: time.Second}}, failed},

		{"429 in a stream", watching, facts{err: &StatusError{Code: 429}}, busy},
		{"429 without its number", watching, facts{err: &StatusError{Reason: "TooManyRequests"}}, busy},
		{"an error without its number", watching, facts{err: &StatusError{Reason: "Unknown"}}, failed},
		{"another number with the reason of 429", watching,
			facts{err: &StatusError{Code: 500, Reason: "TooManyRequests"}}, failed},
		{"410 that another server has given to the store", watching, facts{err: &StoreError{Err: gone}}, failed},
		{"an orderly end after a second", watching, facts{err: io.EOF, elapsed: time.Second}, ended},
		{"an orderly end within a second, after events but no newer version", watching,
			facts{err: io.EOF, events: 1, elapsed: almost}, busy},
		{"a reset within a second, after a newer version", watching,
			facts{err: reset, events: 1, progress: true}, busy},
		{"an early end of the initial events", streaming,
			facts{err: fmt.Errorf("early: %w", io.EOF), events: 1, progress: true}, ended},
		{"a reset within a second among the initial events", streaming, facts{err: reset, events: 1}, ended},
		{"a second one, whenever it comes", streaming,
			facts{err: reset, events: 1, elapsed: time.Hour, again: true}, busy},
		{"silence before the answer to a streaming list", openingStream, facts{err: ErrIdle}, failed},
		{"silence among the initial events", streaming, facts{err: ErrIdle, elapsed: time.Hour}, failed},
	} {
		t.Run(fmt.Sprintf("%v: %s is %v", c.state, c.law, c.want), func(t *testing.T) {
			on, _ := classify(c.state, c.f)
			assert.Equal(t, c.want, on)
		})
	}
}

func TestCauses(t *testing.T) {
	const sentence = "Too large resource version"
	causes := func(c ...StatusCause) StatusDetails { return StatusDetails{Causes: c} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{status(410, "Expired", ""), "expired"},
		{&StatusError{Code: 410}, "expired"},
		{&StatusError{Reason: "Gone"}, "expired"},
		{&StatusError{Reason: "TooManyRequests"}, "too many requests"},
		{status(500, "InternalError", ""), "internal error"},
		{&StatusError{Code: 500}, "internal error"},
		{status(500, "StoreReadError", ""), "refused"},

		// A version that is too large has three forms: since 1.20, before, and in the oldest servers.
		{&StatusError{Code: 504, Details: causes(StatusCause{Reason: "ResourceVersionTooLarge"})},
			"version too large"},
		{&StatusError{Reason: "Timeout", Details: causes(StatusCause{Message: sentence})}, "version too large"},
		{status(504, "Timeout", "Timeout: "+sentence+": 9, current: 8"), "version too large"},
		{status(400, "BadRequest", sentence), "refused"},
		{&StatusError{Code: 400, Details: causes(StatusCause{Message: sentence})}, "refused"},

		{garbage, "not understood"},
		{&TooLargeError{}, "too large"},
		{unusable, "skipped"},
		{item("web-1@5!").(error), "unusable"},
		{&StoreError{Err: status(410, "Expired", "")}, "store refused"},
		{fmt.Errorf("%w: %w", ErrResync, io.EOF), "resync failed"},
		{ErrVeryShort, "very short"},
		{ErrIdle, "idle"},
		{ErrNoInitialEventsEnd, "unfinished"},
		{errors.New("something new"), "connection lost"},
	} {
		t.Run(fmt.Sprintf("%s: %+v", c.want, c.err), func(t *testing.T) {
			assert.Equal(t, c.want, causeOf(c.err))
			assert.Equal(t, c.want, causeOf(fmt.Errorf("watching: %w", c.err)), "wrapped")
		})
	}
}

func TestSuggestsClientDelay(t *testing.T) {
	t.Run("a server can delay its clients by 5 minutes at most", func(t *testing.T) {
		assert.Equal(t, time.Second, SuggestsClientDelay(&StatusError{RetryAfter: time.Second}))
		assert.Equal(t, 5*time.Minute, SuggestsClientDelay(&StatusError{RetryAfter: 24 * time.Hour}))
		assert.Zero(t, SuggestsClientDelay(io.EOF))
	})
	t.Run("what another server has said to the store delays nothing", func(t *testing.T) {
		assert.Zero(t, SuggestsClientDelay(&StoreError{Err: &StatusError{RetryAfter: time.Second}}))
	})
}
