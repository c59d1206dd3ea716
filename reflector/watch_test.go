package reflector

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
)

// A slowStore takes a while for each list and each event.
type slowStore struct {
	*memStore
	list, event time.Duration
	lists       int
	events      int
}

func (s *slowStore) Replace(list []watchglass.Object, version string) error {
	time.Sleep(s.list)
	s.lists++
	return s.memStore.Replace(list, version)
}

func (s *slowStore) Add(obj watchglass.Object) error {
	time.Sleep(s.event)
	s.events++
	return s.memStore.Add(obj)
}

func newSlowStore() *slowStore {
	return &slowStore{memStore: &memStore{objects: map[string]string{}}}
}

// eager is a stream that has read all its events ahead, and returns them even after its context has
// ended.
type eager struct {
	events   int
	unusable bool
}

func (w *eager) Next() (Event, error) {
	w.events++
	switch {
	case w.events > 1000:
		return Event{}, io.EOF
	case w.unusable:
		return Event{}, unusable(Added)
	}
	return event(Added, "web-1@8"), nil
}

func (w *eager) Close() error { return nil }

// readAhead is a server whose watches are eager.
type readAhead struct {
	*server
	unusable bool
}

func (s readAhead) Watch(ctx context.Context, _ ListOptions) (Watch, error) {
	return &eager{unusable: s.unusable}, nil
}

func TestAfterTheContextNoEventIsDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newSlowStore()
		store.event = time.Second
		lw := readAhead{server: newServer(t)}
		g := newRig(t, func(o *Options) { o.Store, o.ListerWatcher = store, lw })
		lw.replies <- list("7")
		g.start(t)
		pass(2500 * ms)
		before := time.Now()
		g.stop()
		assert.Equal(t, 500*ms, time.Since(before), "Run returns when the store has taken its event")
		assert.Equal(t, 3, store.events, "events that were read ahead do not reach the store any more")
	})
}

func TestAfterTheContextNoEventIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lw := readAhead{server: newServer(t), unusable: true}
		g := newRig(t, func(o *Options) {
			o.ListerWatcher = lw
			o.WatchErrorHandler = func(error) { time.Sleep(time.Second) }
		})
		lw.replies <- list("7")
		g.start(t)
		pass(2500 * ms)
		g.stop()
		assert.Equal(t, 3, g.r.Stats().Errors["skipped"],
			"unusable events that were read ahead are not skipped one by one after Run was stopped")
	})
}

func TestAFailedResyncEndsAWatchThatNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newSlowStore()
		store.event = time.Second
		store.refuse = map[string]error{"resync": errors.New("full")}
		lw := readAhead{server: newServer(t)}
		g := newRig(t, func(o *Options) {
			o.Store, o.ListerWatcher, o.ResyncPeriod = store, lw, 10*time.Second
		})
		lw.replies <- list("7")
		g.start(t)
		pass(12 * time.Second)
		assert.Len(t, lw.requestsOf(false), 2,
			"a failed resync ends a watch even while more events have arrived")
	})
}

// An error that the server sent is not replaced by the reason for which the reflector has closed
// the watch meanwhile.
func TestARefusalIsARefusalHoweverLate(t *testing.T) {
	for _, c := range []struct {
		says  string
		late  error
		lists string
	}{
		{"a refusal", status(410, "Expired", "old"), "0/500 7"},
		{"garbage", garbage, "0/500 7"},
		{"a frame too large", &TooLargeError{}, "0/500 7"},
		{"a connection that breaks after the idle timeout is idle", io.ErrUnexpectedEOF, "0/500"},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, func(o *Options) { o.IdleTimeout = time.Minute })
			g.replies <- list("7")
			g.replies <- reply{err: c.late, wait: 61 * time.Second}
			g.start(t)
			pass(61*time.Second + 900*ms)
			assert.Equal(t, c.lists, g.lists(), c.says)
		})
	}
}

// late is a server whose watches answer after two seconds, even if their context has ended.
type late struct {
	*server
	e   Event
	err error
}

func (l late) Watch(context.Context, ListOptions) (Watch, error) { return l, nil }

func (l late) Next() (Event, error) {
	time.Sleep(2 * time.Second)
	return l.e, l.err
}

func (l late) Close() error { return nil }

func TestWhatAStreamBringsTooLate(t *testing.T) {
	for _, c := range []struct {
		says  string
		late  late
		store string
		lists string
	}{
		{"an event is not delivered any more", late{e: event(Added, "web-1@8")}, "", "0/500"},
		{"a 410 still leads to a list", late{err: status(410, "Expired", "old")}, "", "0/500 7"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c.late.server = newServer(t)
			g := newRig(t, func(o *Options) { o.ListerWatcher, o.IdleTimeout = c.late, time.Second })
			c.late.replies <- list("7")
			g.start(t)
			pass(3 * time.Second)
			assert.Equal(t, c.store, g.store.String(), c.says)
			lists := (&rig{server: c.late.server}).lists()
			assert.Equal(t, c.lists, lists, c.says)
		})
	}
}

func TestAListThatIsRefusedTooLateIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListTimeout = time.Minute })
		g.replies <- reply{err: status(410, "Expired", "old"), wait: 61 * time.Second}
		g.start(t)
		pass(62 * time.Second)
		assert.Equal(t, `0/500 ""/500`, g.lists(), "410 leads to the latest list, at once")
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListTimeout = time.Minute })
		g.start(t)
		pass(60 * time.Second)
		checkErrors(t, g, []string{ErrListTimeout.Error()})
	})
}

func TestAnEventOfAnUnknownTypeEndsAStream(t *testing.T) {
	for _, listFirst := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, func(o *Options) { o.ListFirst = listFirst })
			what := hanging(event("WHAT", "web-9@8"))
			if listFirst {
				g.replies <- list("7")
			}
			g.play(t, what, list("9", "web-1@9"), hanging())
			checkErrors(t, g, []string{`cannot read watch event: unknown type "WHAT"`})
			assert.Equal(t, "web-1@9", g.store.String(),
				"an event of an unknown type leads to a list, because what it has changed is unknown")
		})
	}
}

// A versionStore is a ResourceVersionUpdater. It notes each version with its content at that time.
type versionStore struct {
	*memStore
	told []string
}

func (s *versionStore) UpdateResourceVersion(version string) {
	s.told = append(s.told, version+": "+s.String())
}

func TestAStoreIsToldOfEachVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &versionStore{memStore: &memStore{objects: map[string]string{}}}
		g := newRig(t, func(o *Options) { o.Store = store })
		g.play(t, list("7", "web-1@5"), stream(event(Added, "web-2@8"), event(Added, "db-1@"),
			bookmark("9")), hanging(event(Deleted, "web-1@10")))
		assert.Equal(t, []string{
			"7: web-1@5", "8: web-1@5 web-2@8", "9: db-1@ web-1@5 web-2@8", "10: db-1@ web-2@8",
		}, store.told, "the store is notified of each version when it has everything up to it")
	})
	synctest.Test(t, func(t *testing.T) {
		store := &versionStore{memStore: &memStore{objects: map[string]string{}}}
		g := newRig(t, func(o *Options) { o.Store, o.ListFirst = store, false })
		g.play(t, hanging(event(Added, "web-1@5"), bookmark("6"), initialEnd("7"), bookmark("8")))
		assert.Equal(t, []string{"7: web-1@5", "8: web-1@5"}, store.told,
			"the store is not notified in the middle of a streaming list, when it has nothing yet")
	})
}
