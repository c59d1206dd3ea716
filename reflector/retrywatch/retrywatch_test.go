package retrywatch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/cluster"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	for _, err := range From(ctx, w, version) {
		assert.NoError(t, end, "the loop ends after its first error")
		end = err
	}
	return end
}

func TestTheLoopEndsWhereEventsMayBeMissing(t *testing.T) {
	expired := &reflector.StatusError{Code: 410, Reason: "Expired"}
	code := func(code int) *script { return &script{refused: []error{&reflector.StatusError{Code: code}}} }
	for law, c := range map[string]struct {
		*script
		want string
	}{
		"after a 410 in answer to the request": {&script{refused: []error{expired}}, "410 Expired"},
		"after a 410 in the stream":            {&script{end: expired}, "410 Expired"},
		"after an expired version without a code": {
			&script{end: &reflector.StatusError{Reason: "Expired"}}, "Expired"},
		"if the client may not watch":        {code(403), "403"},
		"if the client is not authenticated": {code(401), "401"},
		"after a redirect":                   {code(302), "302"},
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
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				assert.ErrorContains(t, follow(t, c.script, "7", time.Hour), c.want)
				assert.Len(t, c.asked, 1, "there is no further request")
			})
		})
	}
}

func TestTheLoopPausesBetweenWatches(t *testing.T) {
	for law, c := range map[string]struct {
		refused error
		want    time.Duration
	}{
		"for a second if the server cannot be reached": {io.ErrUnexpectedEOF, time.Second},
		"for as long as the server asks": {
			&reflector.StatusError{Code: 429, RetryAfter: 7 * time.Second}, 7 * time.Second},
		"for 5 minutes at most": {
			&reflector.StatusError{Code: 503, RetryAfter: 365 * 24 * time.Hour}, 5 * time.Minute},
		"after a refusal without a code": {&reflector.StatusError{}, time.Second},
		"after a 408":                    {&reflector.StatusError{Code: 408}, time.Second},
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{refused: []error{c.refused, c.refused}}
				assert.NoError(t, follow(t, s, "7", 11*time.Minute))
				require.GreaterOrEqual(t, len(s.starts), 3)
				assert.Equal(t, []time.Duration{c.want, c.want},
					[]time.Duration{s.starts[1].Sub(s.starts[0]), s.starts[2].Sub(s.starts[1])})
			})
		})
	}
}

func TestTheLoop(t *testing.T) {
	t.Run("ends without an error when its context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := &script{end: &reflector.StatusError{Code: 403}, events: []reflector.Event{added("8")}}
		for _, err := range From(ctx, s, "7") {
			assert.NoError(t, err)
			cancel()
		}
	})
	t.Run("asks for 5 to 10 minutes and bookmarks, and gives a watch up 30 s later", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &script{}
			require.NoError(t, follow(t, s, "7", 3*time.Hour))
			for i := 1; i < len(s.asked); i++ {
				asked := time.Duration(s.asked[i-1].TimeoutSeconds) * time.Second
				assert.True(t, s.asked[i].AllowWatchBookmarks)
				assert.GreaterOrEqual(t, asked, 5*time.Minute)
				assert.Less(t, asked, 10*time.Minute)
				lasted := s.starts[i].Sub(s.starts[i-1])
				assert.InDelta(t, (asked + 30*time.Second).Seconds(), lasted.Seconds(), 1)
			}
		})
	})
	t.Run("closes the watch when its body leaves", func(t *testing.T) {
		s := &script{events: []reflector.Event{added("8")}}
		for range From(t.Context(), s, "7") {
			break
		}
		assert.Equal(t, 1, s.closed)
		assert.Len(t, s.asked, 1)
	})
	for _, version := range []string{"", "0"} {
		t.Run(fmt.Sprintf("refuses to begin at %q, which has no order", version), func(t *testing.T) {
			assert.ErrorContains(t, follow(t, nil, version, time.Hour), fmt.Sprintf("%q: want", version))
		})
	}
}
