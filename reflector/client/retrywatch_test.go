package client_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
	"example.com/watchglass/reflector/cluster"
)

// A script is a client.Watcher that answers each watch with its next answer. When there are no
// more, a watch is granted, and silent.
type script struct {
	answers []answer

	asked  []reflector.ListOptions
	starts []time.Time
	open   int // watches that were not closed
}

// An answer is a refusal or, if that is nil, events and then an end.
type answer struct {
	refusal error
	events  []reflector.Event
	end     error // nil: silence
	none    bool  // nil and no error in place of a watch
}

func (s *script) Watch(ctx context.Context, o reflector.ListOptions) (reflector.Watch, error) {
	s.asked, s.starts = append(s.asked, o), append(s.starts, time.Now())
	var next answer
	if len(s.answers) > 0 {
		next, s.answers = s.answers[0], s.answers[1:]
	}
	if next.refusal != nil {
		return nil, next.refusal
	}
	if next.none {
		return nil, nil
	}
	s.open++
	return &scriptWatch{next, s, ctx}, nil
}

type scriptWatch struct {
	answer
	script *script
	ctx    context.Context
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

func (w *scriptWatch) Close() error { w.script.open--; return nil }

// added is one event for each version.
func added(versions ...string) (events []reflector.Event) {
	for _, version := range versions {
		events = append(events, reflector.Event{
			Type: reflector.Added, Object: &watchglass.Unstructured{}, ResourceVersion: version})
	}
	return events
}

// follow runs a loop over RetryWatch for d and returns the versions of its events, and the error
// that ended it.
func follow(
	t *testing.T, w client.Watcher, version string, d time.Duration,
) (seen []string, end error) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	began := time.Now()
	for e, err := range client.RetryWatch(ctx, w, version) {
		assert.NoError(t, end, "the loop ends after its first error")
		if end = err; err == nil {
			seen = append(seen, e.ResourceVersion)
		}
	}
	assert.LessOrEqual(t, time.Since(began), d, "the end of ctx ends a pause, too")
	return seen, end
}

func refusal(code int) error { return &reflector.StatusError{Code: code} }

func TestTheLoopSeesEachEventOnce(t *testing.T) {
	story.Bubble(t, "in order, across watches, and after a bookmark's version", func(t *testing.T) {
		bookmark := reflector.Event{Type: reflector.Bookmark, ResourceVersion: "12"}
		s := &script{answers: []answer{
			{events: added("8", "9"), end: io.EOF}, {refusal: refusal(500)},
			{events: added("10"), end: io.ErrUnexpectedEOF}, {refusal: errors.New("connection reset")},
			{events: []reflector.Event{bookmark}, end: refusal(503)}, {refusal: refusal(429)},
			{events: added("13"), end: refusal(410)},
		}}
		seen, err := follow(t, s, "7", time.Hour)
		assert.Equal(t, []string{"8", "9", "10", "13"}, seen)
		assert.True(t, reflector.IsExpired(err), "until events may be missing: %v", err)
		var from []string
		for i, asked := range s.asked {
			from = append(from, asked.ResourceVersion)
			assert.True(t, i == 0 || s.starts[i].Sub(s.starts[i-1]) >= time.Second, "a second apart")
		}
		assert.Equal(t, []string{"7", "9", "9", "10", "10", "12", "12"}, from)
		assert.Zero(t, s.open, "every watch is closed")
	})
	story.Bubble(t, "and closes the watch when its body leaves it", func(t *testing.T) {
		s := &script{answers: []answer{{events: added("8", "9")}}}
		for range client.RetryWatch(t.Context(), s, "7") {
			break
		}
		assert.Zero(t, s.open)
	})
}

func TestTheLoopEndsWhereEventsMayBeMissing(t *testing.T) {
	for law, c := range map[string]struct {
		answer
		want string
	}{
		"after an expired version without a code": {
			answer{end: &reflector.StatusError{Reason: "Expired"}}, "Expired"},
		"if the client may not watch":    {answer{refusal: refusal(403)}, "403"},
		"after an event that is skipped": {answer{end: &reflector.ObjectError{Err: io.EOF}}, "skipped"},
		"after an object that cannot be used": {answer{events: []reflector.Event{
			{Type: reflector.Added, Object: &watchglass.Unusable{Name: "web-1", Err: io.EOF}, ResourceVersion: "9"}},
		}, `skipped ADDED event: "web-1" at version "" cannot be used: EOF`},
		"after an object without a version": {
			answer{events: added("")}, "skipped ADDED event: its object has no metadata"},
		"after nil in place of a watch": {answer{none: true}, "cannot read watch: the Watcher returned nil"},
		"after what is no event":        {answer{end: &reflector.DecodeError{Err: io.EOF}}, "cannot read"},
		"after a frame beyond the limit": {
			answer{end: &reflector.TooLargeError{What: "frame", Limit: 1}}, "larger than the limit"},
		"if the server is not trusted": {
			answer{refusal: &tls.CertificateVerificationError{Err: io.EOF}}, "certificate"},
		"if the token cannot be read": {
			answer{refusal: &cluster.CredentialsError{Err: errors.New("token")}}, "token"},
	} {
		story.Bubble(t, law, func(t *testing.T) {
			s := &script{answers: []answer{c.answer}}
			_, err := follow(t, s, "7", time.Hour)
			assert.ErrorContains(t, err, c.want)
			assert.Len(t, s.asked, 1, "there is no further request")
		})
	}
	for _, version := range []string{"", "0"} {
		t.Run(fmt.Sprintf("and does not begin at %q, which has no order", version), func(t *testing.T) {
			_, err := follow(t, nil, version, time.Hour)
			assert.ErrorContains(t, err, fmt.Sprintf("%q: want", version))
		})
	}
}

func TestTheLoopPausesBetweenWatches(t *testing.T) {
	for law, c := range map[string]struct {
		refusal error
		want    time.Duration
	}{
		"for as long as the server asks": {
			&reflector.StatusError{Code: 429, RetryAfter: 7 * time.Second}, 7 * time.Second},
		"for 5 minutes at most": {
			&reflector.StatusError{Code: 503, RetryAfter: 365 * 24 * time.Hour}, 5 * time.Minute},
		"after a refusal without a code": {&reflector.StatusError{}, time.Second},
		"after a 408":                    {refusal(408), time.Second},
	} {
		story.Bubble(t, law, func(t *testing.T) {
			s := &script{answers: slices.Repeat([]answer{{refusal: c.refusal}}, 2)}
			_, err := follow(t, s, "7", c.want*3/2)
			assert.NoError(t, err)
			require.Len(t, s.starts, 2)
			assert.Equal(t, c.want, s.starts[1].Sub(s.starts[0]))
		})
	}
	story.Bubble(t, "and asks once a second, for as long as ctx lasts, if it gets nothing but ends",
		func(t *testing.T) {
			s := &script{answers: slices.Repeat([]answer{{end: io.EOF}}, 500)}
			seen, err := follow(t, s, "7", 100*time.Second-1)
			assert.NoError(t, err)
			assert.Empty(t, seen)
			assert.Len(t, s.asked, 100)
		})
	story.Bubble(t, "asks for bookmarks and 5 minutes or more, and gives up later",
		func(t *testing.T) {
			s := &script{}
			_, err := follow(t, s, "7", 3*time.Hour)
			require.NoError(t, err)
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
}

// A program waits until an object that it knows has changed, whatever happens to its connections.
func Example_retryWatch() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	ctx := context.Background()
	pods, err := client.New[watchglass.Unstructured](client.Options{
		URL: fakeapi.URL + "/api/v1/pods", HTTPClient: server.Client(),
		FieldSelector: "metadata.name=web-1",
	})
	if err != nil {
		panic(err)
	}
	list, _ := pods.List(ctx, reflector.ListOptions{})
	go func() {
		server.DropConnections()
		_, _ = server.Create("pods", `{"metadata":{"name":"web-1"}}`)
	}()
	for event, err := range client.RetryWatch(ctx, pods, list.ResourceVersion) {
		if err != nil {
			fmt.Println(err) // events may be missing from here on: list again
			return
		}
		fmt.Println(event.Type, event.Object.GetName())
		break
	}
	// Output: ADDED web-1
}
