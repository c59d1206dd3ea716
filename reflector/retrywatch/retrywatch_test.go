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
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/cluster"
	"example.com/watchglass/reflector/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type widget struct {
	watchglass.ObjectMeta `json:"metadata"`
}

// follow runs a loop over From for d and returns the events that its body got and the error that
// ended it.
func follow(t *testing.T, w Watcher, version string, d time.Duration) (seen []string, end error) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for e, err := range From(ctx, w, version) {
		if err != nil {
			assert.NoError(t, end, "the loop ends after its first error")
			end = err
			continue
		}
		seen = append(seen, fmt.Sprintf("%s@%s", e.Object.GetName(), e.ResourceVersion))
	}
	return seen, end
}

// A script is a [Watcher] that plays a watch for each request, as long as there are any. Then it is
// silent.
type script struct {
	plays  []play
	asked  []reflector.ListOptions
	starts []time.Time
	limits []time.Duration // how long each watch may take
	closed int
}

// A play is what a watch brings: events, and then the error that ends it. If refused is given, the
// watch is not opened.
type play struct {
	refused error
	events  []reflector.Event
	end     error // nil: silence
}

func (s *script) Watch(ctx context.Context, opts reflector.ListOptions) (reflector.Watch, error) {
	deadline, _ := ctx.Deadline()
	s.asked, s.starts = append(s.asked, opts), append(s.starts, time.Now())
	s.limits = append(s.limits, time.Until(deadline))
	var p play
	if len(s.plays) > 0 {
		p, s.plays = s.plays[0], s.plays[1:]
	}
	if p.refused != nil {
		return nil, p.refused
	}
	return &scriptWatch{s, ctx, p}, nil
}

type scriptWatch struct {
	*script
	ctx context.Context
	play
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

func added(name, version string) reflector.Event {
	object := &widget{watchglass.ObjectMeta{Name: name, ResourceVersion: version}}
	return reflector.Event{Type: reflector.Added, Object: object, ResourceVersion: version}
}

func bookmark(version string) reflector.Event {
	return reflector.Event{Type: reflector.Bookmark, ResourceVersion: version}
}

func TestTheLoopGoesOnAfter(t *testing.T) {
	web, db := added("web-1", "8"), added("db-1", "9")
	both := []string{"web-1@8", "db-1@9"}
	for law, tt := range map[string]struct {
		first play
		asked []string // the version of each request
		pause time.Duration
	}{
		"an orderly end, from the last event that was seen": {
			play{events: []reflector.Event{web}, end: io.EOF}, []string{"7", "8", "9"}, time.Second},
		"a bookmark, from its version": {
			play{events: []reflector.Event{web, bookmark("20")}, end: io.EOF},
			[]string{"7", "20", "9"}, time.Second},
		"a broken connection": {play{events: []reflector.Event{web}, end: io.ErrUnexpectedEOF},
			[]string{"7", "8", "9"}, time.Second},
		"an ERROR event that may pass": {
			play{events: []reflector.Event{web}, end: &reflector.StatusError{Code: 500}},
			[]string{"7", "8", "9"}, time.Second},
		"silence, after the time that the watch was given": {
			play{events: []reflector.Event{web}}, []string{"7", "8", "9"}, 5 * time.Minute},
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{plays: []play{tt.first, {events: []reflector.Event{db}, end: io.EOF}}}
				seen, err := follow(t, s, "7", 12*time.Minute)
				assert.NoError(t, err)
				assert.Equal(t, both, seen)
				for i, version := range tt.asked {
					assert.Equal(t, version, s.asked[i].ResourceVersion)
				}
				assert.GreaterOrEqual(t, s.starts[1].Sub(s.starts[0]), tt.pause)
				assert.Equal(t, len(s.asked), s.closed, "every watch is closed")
			})
		})
	}
}

func TestTheLoopEndsWhereEventsMayBeMissing(t *testing.T) {
	unnamed := added("web-1", "")
	for law, p := range map[string]struct {
		play
		want string
	}{
		"a 410 in answer to the request": {
			play{refused: &reflector.StatusError{Code: 410, Reason: "Expired"}}, "410 Expired"},
		"a 410 in the stream": {
			play{end: &reflector.StatusError{Code: 410, Reason: "Expired"}}, "410 Expired"},
		"an expired version by its reason alone": {
			play{end: &reflector.StatusError{Reason: "Expired"}}, "Expired"},
		"a client that may not watch":        {play{refused: &reflector.StatusError{Code: 403}}, "403"},
		"a client that is not authenticated": {play{refused: &reflector.StatusError{Code: 401}}, "401"},
		"a redirect that leads nowhere":      {play{refused: &reflector.StatusError{Code: 302}}, "302"},
		"an object that cannot be used":      {play{end: &reflector.ObjectError{Err: io.EOF}}, "skipped"},
		"an object without a version": {
			play{events: []reflector.Event{unnamed}}, "skipped ADDED event: its object has no metadata"},
		"what is no event": {play{end: &reflector.DecodeError{Err: io.EOF}}, "cannot read"},
		"a frame beyond the limit": {
			play{end: &reflector.TooLargeError{What: "frame", Limit: 1}}, "larger than the limit"},
		"a certificate that is not trusted": {
			play{refused: &tls.CertificateVerificationError{Err: io.EOF}}, "certificate"},
		"a token that cannot be read": {
			play{refused: &cluster.CredentialsError{Err: errors.New("token")}}, "token"},
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{plays: []play{p.play}}
				_, err := follow(t, s, "7", time.Hour)
				require.ErrorContains(t, err, p.want)
				assert.Len(t, s.asked, 1, "there is no further request")
			})
		})
	}
}

func TestTheLoopPausesBetweenWatches(t *testing.T) {
	for law, tt := range map[string]struct {
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
				s := &script{plays: []play{{refused: tt.refused}, {refused: tt.refused}}}
				_, err := follow(t, s, "7", 11*time.Minute)
				assert.NoError(t, err)
				require.GreaterOrEqual(t, len(s.starts), 3)
				assert.Equal(t, tt.want, s.starts[1].Sub(s.starts[0]))
				assert.Equal(t, tt.want, s.starts[2].Sub(s.starts[1]))
			})
		})
	}
}

func TestTheLoop(t *testing.T) {
	t.Run("refuses a version without order", func(t *testing.T) {
		for _, version := range []string{"", "0"} {
			_, err := follow(t, nil, version, time.Second)
			assert.ErrorContains(t, err, fmt.Sprintf("%q", version))
		}
	})
	t.Run("ends without an error when its context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &script{plays: []play{{refused: &reflector.StatusError{Code: 403}}}}
		for _, err := range From(ctx, cancelling{s, cancel}, "7") {
			t.Errorf("the loop body ran, with error %v", err)
		}
	})
	t.Run("asks for a watch of 5 to 10 minutes, with bookmarks, and 30 s later gives it up",
		func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{}
				_, err := follow(t, s, "7", 3*time.Hour)
				require.NoError(t, err)
				for i, asked := range s.asked {
					assert.True(t, asked.AllowWatchBookmarks)
					length := time.Duration(asked.TimeoutSeconds) * time.Second
					assert.GreaterOrEqual(t, length, 5*time.Minute)
					assert.Less(t, length, 10*time.Minute)
					if i < len(s.asked)-1 { // the last one ends with the test
						assert.InDelta(t, (length + 30*time.Second).Seconds(), s.limits[i].Seconds(), 1)
					}
				}
			})
		})
	t.Run("closes the watch when its body leaves", func(t *testing.T) {
		s := &script{plays: []play{{events: []reflector.Event{added("web-1", "8")}}}}
		for e, err := range From(t.Context(), s, "7") {
			require.NoError(t, err)
			assert.Equal(t, "web-1", e.Object.GetName())
			break
		}
		assert.Equal(t, 1, s.closed)
		assert.Len(t, s.asked, 1)
	})
	t.Run("misses nothing while connections to a server are dropped", func(t *testing.T) {
		synctest.Test(t, missesNothing)
	})
}

// cancelling is a Watcher whose request ends the context.
type cancelling struct {
	Watcher
	cancel func()
}

func (c cancelling) Watch(ctx context.Context, o reflector.ListOptions) (reflector.Watch, error) {
	c.cancel()
	return c.Watcher.Watch(ctx, o)
}

func missesNothing(t *testing.T) {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	client, err := wire.NewClient[widget](wire.ClientOptions{HTTPClient: server.Client(),
		URL: fakeapi.URL + "/apis/workshop.example.dev/v1/widgets"})
	require.NoError(t, err)
	list, err := client.List(t.Context(), reflector.ListOptions{})
	require.NoError(t, err)
	const objects = 20
	go func() {
		for i := range objects {
			name := fmt.Sprintf("web-%02d", i)
			_, err := server.Create("widgets", `{"metadata":{"namespace":"shop","name":"`+name+`"}}`)
			assert.NoError(t, err)
			if i%3 == 0 {
				server.DropConnections()
			}
			time.Sleep(400 * time.Millisecond)
		}
	}()
	seen, err := follow(t, client, list.ResourceVersion, time.Minute)
	assert.NoError(t, err)
	assert.Len(t, seen, objects, "each event once: %v", seen)
}
