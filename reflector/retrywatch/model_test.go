package retrywatch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A randomServer has a history of versions. It refuses watches, cuts streams, sends bookmarks and
// compacts its history, at random. Its choices follow from the seed.
type randomServer struct {
	chance    *rand.Rand
	head      int // versions up to this one exist; each is one event
	forgotten int // a watch from a version before this one is refused with 410
	starts    []time.Time
	open      int // watches that were not closed
	most      int // the highest value of open
}

// passing are errors after which the loop must go on.
var passing = []error{
	io.EOF, io.ErrUnexpectedEOF, errors.New("connection reset"),
	&reflector.StatusError{Code: 500, Reason: "InternalError"},
	&reflector.StatusError{Code: 503, RetryAfter: 2 * time.Second},
	&reflector.StatusError{Code: 429},
}

func (s *randomServer) pick() error { return passing[s.chance.IntN(len(passing))] }

// Watch implements Watcher.
func (s *randomServer) Watch(
	_ context.Context, opts reflector.ListOptions,
) (reflector.Watch, error) {
	s.starts = append(s.starts, time.Now())
	s.head += s.chance.IntN(4)
	if s.chance.IntN(40) == 0 {
		s.forgotten = s.head - s.chance.IntN(3)
	}
	from, _ := strconv.Atoi(opts.ResourceVersion)
	expired := &reflector.StatusError{Code: 410, Reason: "Expired"}
	switch {
	case from < s.forgotten && s.chance.IntN(2) == 0:
		return nil, expired
	case s.chance.IntN(4) == 0:
		return nil, s.pick()
	}
	w := &randomWatch{server: s, at: from, end: s.pick()}
	if from < s.forgotten {
		w.broken, w.end = true, expired
	}
	s.open++
	s.most = max(s.most, s.open)
	return w, nil
}

type randomWatch struct {
	server *randomServer
	at     int // the version of the last event sent
	broken bool
	end    error
}

// Next implements reflector.Watch.
func (w *randomWatch) Next() (reflector.Event, error) {
	s := w.server
	switch {
	case w.broken || s.chance.IntN(5) == 0:
		return reflector.Event{}, w.end
	case w.at >= s.head: // there is no event: time passes, and then a bookmark comes
		time.Sleep(time.Duration(s.chance.IntN(3000)) * time.Millisecond)
		return reflector.Event{
			Type: reflector.Bookmark, ResourceVersion: strconv.Itoa(w.at)}, nil
	}
	w.at++
	version := strconv.Itoa(w.at)
	return reflector.Event{Type: reflector.Modified, ResourceVersion: version,
		Object: &watchglass.Unstructured{},
	}, nil
}

// Close implements reflector.Watch.
func (w *randomWatch) Close() error {
	w.server.open--
	return nil
}

// Whatever the server does, the loop body gets every version once and in order, until an error says
// that events may be missing.
func TestTheLoopAgreesWithAModel(t *testing.T) {
	seeds, expired := 300, 0
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			s := &randomServer{chance: rand.New(rand.NewPCG(uint64(seed), 1)), head: 7}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			at := 7
			var end error
			for e, err := range From(ctx, s, "7") {
				if err != nil {
					end = err
					continue
				}
				at++
				require.Equal(t, strconv.Itoa(at), e.ResourceVersion,
					"seed %d: each version is seen once, in order", seed)
			}
			if end != nil {
				expired++
				assert.True(t, reflector.IsExpired(end), "seed %d: only a 410 ends the loop, not %v", seed, end)
				assert.Less(t, at, s.forgotten, "seed %d: the loop ends only if events are missing", seed)
			}
			assert.Zero(t, s.open, "seed %d: every watch is closed", seed)
			assert.LessOrEqual(t, s.most, 1, "seed %d: one watch at a time", seed)
			for i := 1; i < len(s.starts); i++ {
				assert.GreaterOrEqual(t, s.starts[i].Sub(s.starts[i-1]), restartPause,
					"seed %d: watches start at least a second apart", seed)
			}
		})
	}
	assert.Greater(t, expired, seeds/10, fmt.Sprint("too few seeds lead to a 410: ", expired))
	assert.Less(t, expired, seeds*9/10, fmt.Sprint("too many seeds lead to a 410: ", expired))
}
