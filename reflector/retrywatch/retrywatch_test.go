package retrywatch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/cluster"
)

// A script is a [Watcher] that refuses watches and then grants one, which brings events, and then
// an error, or silence.
type script struct {
	refused []error
	events  []reflector.Event
	end     error // nil: silence

	asked  []reflector.ListOptions
	starts []time.Time
	closed int
}

func (s *script) Watch(ctx context.Context, o reflector.ListOptions) (reflector.Watch, error) {
	s.asked, s.starts = append(s.asked, o), append(s.starts, time.Now())
	if len(s.refused) > 0 {
		err := s.refused[0]
		s.refused = s.refused[1:]
		return nil, err
	}
	return &scriptWatch{s, ctx}, nil
}

type scriptWatch struct {
	*script
	ctx context.Context
}

func (w *scriptWatch) Next() (e reflector.Event, err error) {
	if len(w.events) > 0 {
		e, w.events = w.events[0], w.events[1:]
		return e, nil
	}
	if w.end == nil {
		<-w.ctx.Done()
		return e, w.ctx.Err()
	}
	return e, w.end
}

func (w *scriptWatch) Close() error { w.closed++; return nil }

func added(version string) reflector.Event {
	object := &watchglass.Unstructured{Object: map[string]any{}}
	return reflector.Event{Type: reflector.Added, Object: object, ResourceVersion: version}
}

// follow runs a loop over From for d and returns the error that ended it.
func follow(t *testing.T, w Watcher, version string, d time.Duration) (end error) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	began := time.Now()
	defer func() { assert.LessOrEqual(t, time.Since(began), d, "the end of ctx ends a pause, too") }()
	for _, err := range From(ctx, w, version) {
		assert.NoError(t, end, "the loop ends after its first error")
		end = err
	}
	return end
}

func TestTheLoopEndsWhereEventsMayBeMissing(t *testing.T) {
	code := func(code int) *script { return &script{refused: []error{&reflector.StatusError{Code: code}}} }
	for law, c := range map[string]struct {
		*script
		want string
	}{
		"after an expired version without a code": {
			&script{end: &reflector.StatusError{Reason: "Expired"}}, "Expired"},
		"if the client may not watch": {code(403), "403"},
		"after an object that cannot be used": {
			&script{end: &reflector.ObjectError{Err: io.EOF}}, "skipped"},
		"after an object without a version": {
			&script{events: []reflector.Event{added("")}}, "skipped ADDED event: its object has no metadata"},
		"after what is no event": {&script{end: &reflector.DecodeError{Err: io.EOF}}, "cannot read"},
		"after a frame beyond the limit": {
			&script{end: &reflector.TooLargeError{What: "frame", Limit: 1}}, "larger than the limit"},
		"if the server is not trusted": {
			&script{refused: []error{&tls.CertificateVerificationError{Err: io.EOF}}}, "certificate"},
		"if the token cannot be read": {
			&script{refused: []error{&cluster.CredentialsError{Err: errors.New("token")}}}, "token"},
	} {
		story.Bubble(t, law, func(t *testing.T) {
			assert.ErrorContains(t, follow(t, c.script, "7", time.Hour), c.want)
			assert.Len(t, c.asked, 1, "there is no further request")
		})
	}
}

func TestTheLoopPausesBetweenWatches(t *testing.T) {
	for law, c := range map[string]struct {
		refused error
		want    time.Duration
	}{
		"for as long as the server asks": {
			&reflector.StatusError{Code: 429, RetryAfter: 7 * time.Second}, 7 * time.Second},
		"for 5 minutes at most": {
			&reflector.StatusError{Code: 503, RetryAfter: 365 * 24 * time.Hour}, 5 * time.Minute},
		"after a refusal without a code": {&reflector.StatusError{}, time.Second},
		"after a 408":                    {&reflector.StatusError{Code: 408}, time.Second},
	} {
		story.Bubble(t, law, func(t *testing.T) {
			s := &script{refused: []error{c.refused, c.refused}}
			assert.NoError(t, follow(t, s, "7", 11*time.Minute))
			require.GreaterOrEqual(t, len(s.starts), 3)
			assert.Equal(t, []time.Duration{c.want, c.want},
				[]time.Duration{s.starts[1].Sub(s.starts[0]), s.starts[2].Sub(s.starts[1])})
		})
	}
}

func TestTheLoop(t *testing.T) {
	story.Bubble(t, "asks for 5 to 10 minutes and bookmarks, and gives a watch up 30 s later", func(t *testing.T) {
		s := &script{}
		require.NoError(t, follow(t, s, "7", 3*time.Hour))
		require.Greater(t, len(s.asked), 15)
		for i := 1; i < len(s.asked); i++ {
			asked := time.Duration(s.asked[i-1].TimeoutSeconds) * time.Second
			assert.True(t, s.asked[i].AllowWatchBookmarks)
			assert.GreaterOrEqual(t, asked, 5*time.Minute)
			assert.Less(t, asked, 10*time.Minute)
			lasted := s.starts[i].Sub(s.starts[i-1])
			assert.InDelta(t, (asked + 30*time.Second).Seconds(), lasted.Seconds(), 1)
		}
	})
	story.Bubble(t, "goes on after the version of a bookmark", func(t *testing.T) {
		s := &script{events: []reflector.Event{{Type: reflector.Bookmark, ResourceVersion: "9"}}, end: io.EOF}
		require.NoError(t, follow(t, s, "7", 1500*time.Millisecond))
		require.Len(t, s.asked, 2)
		assert.Equal(t, "9", s.asked[1].ResourceVersion)
	})
	for _, version := range []string{"", "0"} {
		t.Run(fmt.Sprintf("refuses to begin at %q, which has no order", version), func(t *testing.T) {
			assert.ErrorContains(t, follow(t, nil, version, time.Hour), fmt.Sprintf("%q: want", version))
		})
	}
}

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
