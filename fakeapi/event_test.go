package fakeapi

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/selector"
)

// doc is a widget at a version, with one label.
func doc(t *testing.T, version uint64, app string) *document {
	t.Helper()
	r := &Resource{Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"}
	d, err := newDocument(r, tree{"metadata": tree{"namespace": "default", "name": "web-1",
		"labels": tree{"app": app}}}, version, added)
	require.NoError(t, err)
	return d
}

// What an event means to somebody who selects app=web.
func TestWhatAnEventMeansToASelection(t *testing.T) {
	labels, err := selector.ParseLabels("app=web")
	require.NoError(t, err)
	r := &Resource{Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"}
	const nothing = eventType("")
	for _, c := range []struct {
		law           string
		kind          eventType
		before, after string // the label; "" is no object
		want          eventType
		version       uint64
		shown         string // the label of the object sent
	}{
		{"created within", added, "", "web", added, 9, "web"},
		{"created outside", added, "", "db", nothing, 0, ""},
		{"changed within", modified, "web", "web", modified, 9, "web"},
		{"changed outside", modified, "db", "cache", nothing, 0, ""},
		{"it enters: new to this watcher", modified, "db", "web", added, 9, "web"},
		{"it leaves: shown as it was, at the version that took it away",
			modified, "web", "db", removed, 9, "web"},
		{"deleted within", removed, "web", "web", removed, 9, "web"},
		{"deleted outside", removed, "db", "db", nothing, 0, ""},
	} {
		var prev *document
		if c.before != "" {
			prev = doc(t, 5, c.before)
		}
		e := newEvent(c.kind, doc(t, 9, c.after), prev)
		kind, d, ok := e.view(r, &selection{labels: labels})
		assert.Equal(t, c.want, kind, c.law)
		assert.Equal(t, c.want != nothing, ok, c.law)
		if ok {
			assert.Equal(t, c.version, d.version, c.law)
			assert.Equal(t, c.shown, d.labels["app"], c.law)
		}
		_, _, ok = e.view(r, &selection{namespace: "other"})
		assert.False(t, ok, "%s: and elsewhere nobody hears of it", c.law)
		kind, _, ok = e.view(r, &selection{})
		assert.True(t, ok && kind == c.kind, "%s: and who selects all hears it as it is", c.law)
	}
}

// The farewell is made once: all watchers that the object leaves share it.
func TestAFarewellIsShared(t *testing.T) {
	r := &Resource{Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"}
	e := newEvent(modified, doc(t, 9, "db"), doc(t, 5, "web"))
	assert.Same(t, e.left(r), e.left(r))
	assert.Contains(t, string(e.left(r).raw), `"resourceVersion":"9"`)
	assert.Contains(t, string(e.prev.raw), `"resourceVersion":"5"`, "the state before stays")
}

// history.after is where a watch from a version starts to read.
func TestWhereAWatchStarts(t *testing.T) {
	h := newHistory(3)
	for _, v := range []uint64{5, 6, 9} {
		h.append(newEvent(modified, doc(t, v, "web"), doc(t, v-1, "web")))
	}
	next := func(v uint64) uint64 {
		e := h.after(v)
		select {
		case <-e.ready:
			return e.next.version
		default:
			return 0
		}
	}
	for v, want := range map[uint64]uint64{3: 5, 4: 5, 5: 6, 6: 9, 7: 9, 8: 9, 9: 0, 10: 0} {
		assert.Equal(t, want, next(v), "the first event after %d", v)
	}
	h.drop(1)
	assert.Equal(t, uint64(5), h.forgotten)
	assert.Equal(t, uint64(6), next(5), "what is after the last forgotten one is still there")
	assert.Equal(t, h.window[0].seq-1, h.after(5).seq, "and it counts as its neighbour does")
	h.drop(2)
	assert.Same(t, h.tail, h.after(9), "with nothing remembered one still waits for what comes")
}

func TestWhatIsOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHistory(1)
		for v := range uint64(6) {
			e := newEvent(modified, doc(t, v+2, "web"), nil)
			e.at = time.Now()
			h.append(e)
			time.Sleep(time.Minute)
		}
		now := time.Now() // the events are 6, 5, 4, 3, 2 and 1 minutes old
		assert.Equal(t, 0, h.overdue(6, time.Hour, now), "all are few enough, and young enough")
		assert.Equal(t, 2, h.overdue(4, time.Hour, now), "two too many")
		assert.Equal(t, 3, h.overdue(6, 3*time.Minute, now), "three older than three minutes")
		assert.Equal(t, 4, h.overdue(2, 3*time.Minute, now), "the stricter limit counts")
		assert.Equal(t, 6, h.overdue(6, 0, now), "all can be overdue")
	})
}

// A watch's clock: bookmarks at intervals, one shortly before the end, the end.
func TestTheClockOfAWatch(t *testing.T) {
	for _, c := range []struct {
		law       string
		timeout   time.Duration
		bookmarks bool
		want      []time.Duration
	}{
		{"who wants no bookmarks is left alone to the end", 5 * time.Minute, false,
			[]time.Duration{5 * time.Minute}},
		{"one a minute, one before the end, the end", 150 * time.Second, true,
			[]time.Duration{60 * time.Second, 120 * time.Second, 148 * time.Second, 150 * time.Second}},
		{"the last two seconds have no bookmark of their own", time.Second, true,
			[]time.Duration{time.Second}},
		{"an interval that ends with the watch", time.Minute, true,
			[]time.Duration{58 * time.Second, time.Minute}},
	} {
		synctest.Test(t, func(t *testing.T) {
			started := time.Now()
			k := newClock(c.timeout, c.bookmarks, time.Minute)
			defer k.timer.Stop()
			var ticks []time.Duration
			for now := started; now.Before(k.end); {
				now = <-k.timer.C
				ticks = append(ticks, now.Sub(started))
				k.advance(now)
			}
			assert.Equal(t, c.want, ticks, c.law)
		})
	}
}
