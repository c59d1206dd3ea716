package reflector

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

var streamingScripts = []struct {
	says    string
	replies []reply
	lists   string
	watches string
	pauses  string
	errs    []string
	store   string
	version string
}{
	{
		says: "initial events up to the bookmark are the list; the stream goes on as the watch",
		replies: []reply{hanging(event(Added, "web-1@5"), event(Added, "web-2@3"), initialEnd("7"),
			event(Added, "db-1@8"))},
		watches: `stream:""`, store: "db-1@8 web-1@5 web-2@3", version: "8",
	},
	{
		says:    "an empty collection has an end as well",
		replies: []reply{hanging(initialEnd("7"))},
		watches: `stream:""`, version: "7",
	},
	{
		says: "initial events without an end do not reach the store",
		replies: []reply{hanging(event(Added, "web-1@5"), bookmark("6")),
			list("9", "web-1@9"),
			hanging()},
		lists: "0/500", watches: `stream:"" 9`, store: "web-1@9", version: "9",
		errs: []string{"no bookmark has marked the end of the initial events in time"},
	},
	{
		says: "changes among the initial events are part of the list",
		replies: []reply{hanging(event(Added, "web-1@5"), event(Added, "web-2@3"),
			event(Added, "db-1@4"),
			event(Modified, "web-1@8"), event(Deleted, "web-2@9"), event(Deleted, "web-9@9"),
			event(Added, "web-2@10"), event(Deleted, "db-1@11"), initialEnd("12"))},
		watches: `stream:""`, store: "web-1@8 web-2@10", version: "12",
	},
	{
		says: "after the stream has ended, a plain watch goes on",
		replies: []reply{stream(event(Added, "web-1@5"), initialEnd("7"), event(Added, "web-2@8")),
			hanging(bookmark("9"))},
		watches: `stream:"" 8`, store: "web-1@5 web-2@8", version: "9",
	},
	{
		says: "the bookmark's version is recorded, and then that of each event",
		replies: []reply{stream(event(Added, "web-1@9"), initialEnd("7"), event(Added, "web-2@8")),
			hanging()},
		watches: `stream:"" 8`, store: "web-1@9 web-2@8", version: "8",
	},
	{
		says: "a stream that ends before its initial events are complete begins again",
		replies: []reply{stream(event(Added, "web-1@5")),
			hanging(event(Added, "web-2@6"), initialEnd("7"))},
		watches: `stream:"" stream:""`, pauses: "800ms", store: "web-2@6", version: "7",
		errs: []string{
			"reflector: streaming: the stream ended before its initial events were complete: EOF"},
	},
	{
		says: "while streams end before their initial events are complete, the pauses grow",
		replies: []reply{stream(event(Added, "web-1@5")), stream(event(Added, "web-1@5")),
			broken(event(Added, "web-1@5")), hanging(initialEnd("7"))},
		watches: `stream:"" stream:"" stream:"" stream:""`, pauses: "800ms 1.6s 3.2s", version: "7",
		errs: []string{"EOF", "EOF", "EOF"},
	},
	{
		says: "a stream that breaks before its initial events are complete begins again",
		replies: []reply{broken(event(Added, "web-1@5")),
			hanging(event(Added, "web-2@6"), initialEnd("7"))},
		watches: `stream:"" stream:""`, pauses: "800ms", store: "web-2@6", version: "7",
		errs: []string{"reflector: streaming: unexpected EOF"},
	},
	{
		says:    "a stream that brings nothing leads to a list, at once",
		replies: []reply{stream(), list("7", "web-1@5"), hanging()},
		lists:   "0/500", watches: `stream:"" 7`, store: "web-1@5", version: "7",
		errs: []string{"very short watch"},
	},
	{
		says: "422 from a server that cannot stream leads to a list; the next time it is asked again",
		replies: []reply{refusal(422, "Invalid", "sendInitialEvents: Forbidden"), list("7"),
			stream(), hanging(event(Added, "web-1@8"), initialEnd("9"))},
		lists: "0/500", watches: `stream:"" 7 stream:7`, pauses: "800ms", store: "web-1@8",
		version: "9",
		errs:    []string{"422 Invalid: sendInitialEvents: Forbidden", "very short watch"},
	},
	{
		says: "garbage leads to a list",
		replies: []reply{stream(event(Added, "web-1@5"), garbage), list("7"),
			hanging()},
		lists: "0/500", watches: `stream:"" 7`, version: "7", errs: []string{`unknown type "WHAT"`},
	},
	{
		says: "429 before or in the stream leads to another stream, after a pause",
		replies: []reply{refusal(429, "TooManyRequests", "no"),
			stream(event(Added, "web-1@5"), status(429, "TooManyRequests", "no")),
			hanging(initialEnd("7"))},
		watches: `stream:"" stream:"" stream:""`, pauses: "800ms 1.6s", version: "7",
		errs: []string{"429", "429"},
	},
	{
		says: "410 leads to a stream at the last version; if that is refused, to one of the latest state",
		replies: []reply{stream(initialEnd("7"), status(410, "Expired", "old")),
			refusal(410, "Expired", "old"), hanging(event(Added, "web-1@20"), initialEnd("30"))},
		watches: `stream:"" stream:7 stream:""`, pauses: "800ms", store: "web-1@20", version: "30",
		errs: []string{"410 Expired", "410 Expired"},
	},
	{
		says: "a version from the future that is refused in the stream leads to one of the latest state",
		replies: []reply{stream(initialEnd("7")), stream(status(403, "Forbidden", "no")),
			stream(status(504, "Timeout", "Too large resource version: 7, current: 5")),
			hanging(initialEnd("5"))},
		watches: `stream:"" 7 stream:7 stream:""`, pauses: "800ms 1.6s", version: "5",
		errs: []string{"403 Forbidden", "504 Timeout"},
	},
	{
		says: "an event that cannot be used is skipped",
		replies: []reply{hanging(unusable(Added), event(Added, "web-1@5"),
			initialEnd("7"))},
		watches: `stream:""`, store: "web-1@5", version: "7", errs: []string{"skipped ADDED"},
	},
}

func TestStreamingScripts(t *testing.T) {
	for _, c := range streamingScripts {
		t.Run(c.says, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t, func(o *Options) { o.ListFirst = false })
				g.play(t, c.replies...)
				assert.Equal(t, c.lists, g.lists(), "the lists that were asked for")
				assert.Equal(t, c.watches, g.watches(), "the watches that were asked for")
				assert.Equal(t, c.pauses, g.pausesString(), "the pauses")
				assert.Equal(t, c.store, g.store.String(), "the store")
				assert.Equal(t, c.version, g.r.LastSyncResourceVersion(), "the version")
				checkErrors(t, g, c.errs)
			})
		})
	}
}

func TestStreamingRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, hanging(initialEnd("7")))
		asked := g.requestsOf(true)[0].ListOptions
		asked.TimeoutSeconds = 0
		assert.Equal(t, ListOptions{ResourceVersionMatch: "NotOlderThan", AllowWatchBookmarks: true,
			SendInitialEvents: true}, asked, "a streaming list is asked for as client-go does")
	})
}

func TestStreamIsClosedWhenTheStoreRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.store.refuse["replace"] = errors.New("the store is full")
		g.replies <- hanging(initialEnd("7"))
		g.start(t)
		synctest.Wait()
		assert.Zero(t, g.server.open, "a stream whose list the store refused is closed")
		assert.Equal(t, "0/500", g.lists(), "a streaming list that the store refused leads to a list")
		assert.Empty(t, g.r.LastSyncResourceVersion())
		checkErrors(t, g, []string{`reflector: streaming: store refused the list at resourceVersion "7"`})
	})
}

func TestStopWhileStreaming(t *testing.T) {
	for says, replies := range map[string][]reply{
		"in a pause before the stream":            {refusal(429, "", "")},
		"while a request for a stream waits":      nil,
		"while initial events have still to come": {hanging(event(Added, "web-1@5"))},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, func(o *Options) { o.ListFirst = false })
			for _, r := range replies {
				g.replies <- r
			}
			g.start(t)
			pass(100 * ms)
			before := time.Now()
			g.stop()
			assert.Zero(t, time.Since(before), "Run returns at once when stopped %s", says)
		})
	}
}

func TestTheLatestIsNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, stream(initialEnd("7"), status(410, "Expired", "old")),
			refusal(410, "Expired", "old"), stream(event(Added, "web-1@20")),
			hanging(initialEnd("30")))
		assert.Equal(t, `stream:"" stream:7 stream:"" stream:""`, g.watches(),
			"a version that was refused is not asked for again after the next stream breaks")
	})
}

// A client that is allowed to watch but not to list must stream again after one stream has failed.
func TestAListThatFailsLeadsBackToAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, refusal(500, "InternalError", "etcd leader changed"),
			refusal(403, "Forbidden", "cannot list"), hanging(initialEnd("7")))
		assert.Equal(t, `stream:"" stream:""`, g.watches())
		assert.Equal(t, "0/500", g.lists())
		assert.Equal(t, "7", g.r.LastSyncResourceVersion())
		assert.Equal(t, "800ms", g.pausesString(), "a list that fails is followed by a pause")
	})
}

// noStreams is a ListerWatcher that declares whether it can stream lists.
type noStreams struct {
	*server
	unsupported bool
}

func (s noStreams) IsWatchListSemanticsUnSupported() bool { return s.unsupported }

func TestWhetherToStream(t *testing.T) {
	for _, c := range []struct {
		says      string
		lw        ListerWatcher
		listFirst bool
		want      State
	}{
		{"lists are streamed by default", &server{}, false, OpeningStream},
		{"with ListFirst lists are not streamed", &server{}, true, Listing},
		{"a ListerWatcher that declares it cannot stream is listed", noStreams{nil, true}, false,
			Listing},
		{"with ListFirst too, a ListerWatcher that cannot stream is listed", noStreams{nil, true}, true,
			Listing},
		{"a ListerWatcher that declares it can stream is streamed", noStreams{nil, false}, false,
			OpeningStream},
		{"with ListFirst a ListerWatcher that can stream is listed", noStreams{nil, false}, true,
			Listing},
	} {
		r, err := New(Options{ListerWatcher: c.lw, Store: nullStore{}, ListFirst: c.listFirst})
		assert.NoError(t, err)
		assert.Equal(t, c.want, r.table[0].From, c.says)
	}
}

// The store gets each object once and unchanged. (client-go transforms it twice.)
func TestStreamedObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newSlowStore()
		g := newRig(t, func(o *Options) { o.ListFirst, o.Store = false, store })
		g.play(t, hanging(event(Added, "web-2@3"), event(Added, "web-1@5"), initialEnd("7")))
		assert.Equal(t, 1, store.lists, "the store gets the collection once")
		assert.Zero(t, store.events, "and none of its objects as an event")
	})
}
