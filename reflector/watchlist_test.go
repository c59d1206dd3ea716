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
		says: "without the end nothing is known",
		replies: []reply{hanging(event(Added, "web-1@5"), bookmark("6")),
			list("9", "web-1@9"),
			hanging()},
		lists: "0/500", watches: `stream:"" 9`, store: "web-1@9", version: "9",
		errs: []string{"no bookmark has marked the end of the initial events in time"},
	},
	{
		says: "changes among the initial events are folded in",
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
		says: "the version is the bookmark's, and events count at once from there",
		replies: []reply{stream(event(Added, "web-1@9"), initialEnd("7"), event(Added, "web-2@8")),
			hanging()},
		watches: `stream:"" 8`, store: "web-1@9 web-2@8", version: "8",
	},
	{
		says: "a stream that ends early is of no use: again from the beginning",
		replies: []reply{stream(event(Added, "web-1@5")),
			hanging(event(Added, "web-2@6"), initialEnd("7"))},
		watches: `stream:"" stream:""`, pauses: "800ms", store: "web-2@6", version: "7",
		errs: []string{"reflector: streaming: it ended before its initial events did: EOF"},
	},
	{
		says: "if that goes on, pauses grow: half a collection is no success",
		replies: []reply{stream(event(Added, "web-1@5")), stream(event(Added, "web-1@5")),
			broken(event(Added, "web-1@5")), hanging(initialEnd("7"))},
		watches: `stream:"" stream:"" stream:"" stream:""`, pauses: "800ms 1.6s 3.2s", version: "7",
		errs: []string{"EOF", "EOF", "EOF"},
	},
	{
		says: "so does one that breaks",
		replies: []reply{broken(event(Added, "web-1@5")),
			hanging(event(Added, "web-2@6"), initialEnd("7"))},
		watches: `stream:"" stream:""`, pauses: "800ms", store: "web-2@6", version: "7",
		errs: []string{"reflector: streaming: unexpected EOF"},
	},
	{
		says:    "one that brings nothing leads to a list, at once",
		replies: []reply{stream(), list("7", "web-1@5"), hanging()},
		lists:   "0/500", watches: `stream:"" 7`, store: "web-1@5", version: "7",
		errs: []string{"very short watch"},
	},
	{
		says: "a server that cannot stream says 422 and is listed; the next time it is asked again",
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
		says: "a busy server is asked again, later, before and in the stream",
		replies: []reply{refusal(429, "TooManyRequests", "no"),
			stream(event(Added, "web-1@5"), status(429, "TooManyRequests", "no")),
			hanging(initialEnd("7"))},
		watches: `stream:"" stream:"" stream:""`, pauses: "800ms 1.6s", version: "7",
		errs: []string{"429", "429"},
	},
	{
		says: "a watch that has expired leads to a stream at the last version, else the latest",
		replies: []reply{stream(initialEnd("7"), status(410, "Expired", "old")),
			refusal(410, "Expired", "old"), hanging(event(Added, "web-1@20"), initialEnd("30"))},
		watches: `stream:"" stream:7 stream:""`, pauses: "800ms", store: "web-1@20", version: "30",
		errs: []string{"410 Expired", "410 Expired"},
	},
	{
		says: "a version from the future is refused in the stream, and given up for the latest",
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
			SendInitialEvents: true}, asked, "a streaming list is what client-go asks for")
	})
}

func TestStreamIsClosedWhenTheStoreRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.store.refuse["replace"] = errors.New("the store is full")
		g.replies <- hanging(initialEnd("7"))
		g.start(t)
		synctest.Wait()
		assert.Zero(t, g.server.open, "the stream is of no use any more, so it is not left open")
		assert.Equal(t, "0/500", g.lists(), "a list follows")
		assert.Empty(t, g.r.LastSyncResourceVersion())
		checkErrors(t, g, []string{`reflector: streaming: store refused the list at resourceVersion "7"`})
	})
}

func TestStopWhileStreaming(t *testing.T) {
	for says, replies := range map[string][]reply{
		"in a pause before the stream":  {refusal(429, "", "")},
		"while it waits for an answer":  nil,
		"while the initial events come": {hanging(event(Added, "web-1@5"))},
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
			assert.Zero(t, time.Since(before), "Run returns at once: %s", says)
		})
	}
}

// Objects are handed to the store once, as they came. (client-go transforms them twice.)
func TestStreamedObjectsReachTheStoreOnce(t *testing.T) {
	found := newCollection()
	for _, spec := range []string{"web-2@3", "web-1@5"} {
		assert.NoError(t, found.apply(event(Added, spec)))
	}
	all := found.list()
	assert.Len(t, all, 2)
	assert.Equal(t, "web-2", all[0].GetName(), "in the order in which they came")
}

func TestTheLatestIsNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, stream(initialEnd("7"), status(410, "Expired", "old")),
			refusal(410, "Expired", "old"), stream(event(Added, "web-1@20")),
			hanging(initialEnd("30")))
		assert.Equal(t, `stream:"" stream:7 stream:"" stream:""`, g.watches(),
			"a version that was given up is not asked for again because a stream broke")
	})
}

// A client that may watch but not list must not be left with lists because one stream has failed.
func TestAListThatFailsLeadsBackToAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, refusal(500, "InternalError", "etcd leader changed"),
			refusal(403, "Forbidden", "cannot list"), hanging(initialEnd("7")))
		assert.Equal(t, `stream:"" stream:""`, g.watches())
		assert.Equal(t, "0/500", g.lists())
		assert.Equal(t, "7", g.r.LastSyncResourceVersion())
		assert.Equal(t, "800ms", g.pausesString(), "with a pause in every round")
	})
}

// noStreams is a ListerWatcher that declares what it cannot do, or that it can.
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
		{"unless one chooses otherwise", &server{}, true, Listing},
		{"or the ListerWatcher cannot", noStreams{nil, true}, false, Listing},
		{"or neither", noStreams{nil, true}, true, Listing},
		{"one that says that it can is streamed", noStreams{nil, false}, false, OpeningStream},
		{"unless one chooses otherwise", noStreams{nil, false}, true, Listing},
	} {
		r, err := New(Options{ListerWatcher: c.lw, Store: nullStore{}, ListFirst: c.listFirst})
		assert.NoError(t, err)
		assert.Equal(t, c.want, r.table[0].From, c.says)
	}
}
