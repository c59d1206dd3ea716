package reflector

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// scripts are what a server may answer, and what a reflector does then. The request after the last
// reply is not answered.
var scripts = []struct {
	says    string
	change  func(*Options)
	replies []reply
	lists   string // versions that lists asked for, with /limit; "+" is a further page
	watches string // versions that watches asked for
	pauses  string
	errs    []string // what each error contains
	store   string   // the content at the end
	version string   // recorded at the end
}{
	{
		says:    "a list, then a watch from its version",
		replies: []reply{list("7", "web-1@5", "web-2@6"), hanging(event(Added, "db-1@8"))},
		lists:   "0/500", watches: "7",
		store: "db-1@8 web-1@5 web-2@6", version: "8",
	},
	{
		says: "events change the store one by one",
		replies: []reply{list("7", "web-1@5", "web-2@6"), hanging(
			event(Modified, "web-1@8"), event(Deleted, "web-2@9"), event(Added, "db-1@10"))},
		lists: "0/500", watches: "7", store: "db-1@10 web-1@8", version: "10",
	},
	{
		says: "a stream that ends goes on at the last event or bookmark, without a list or a pause",
		replies: []reply{list("7"), stream(event(Added, "web-1@8")),
			stream(bookmark("20")), hanging()},
		lists: "0/500", watches: "7 8 20", store: "web-1@8", version: "20",
	},
	{
		says: "a stream that breaks at once goes on without a list as well, but after a pause",
		replies: []reply{list("7"),
			broken(event(Added, "web-1@8")), hanging()},
		lists: "0/500", watches: "7 8", pauses: "800ms", store: "web-1@8", version: "8",
		errs: []string{"unexpected EOF"},
	},
	{
		says:    "an empty stream leads to a list at the last version, without limit",
		replies: []reply{list("7"), stream(), list("9", "web-1@9"), hanging()},
		lists:   "0/500 7", watches: "7 9", pauses: "800ms", store: "web-1@9", version: "9",
		errs: []string{"very short watch: ended after 0s without a single event: EOF"},
	},
	{
		says: "a version too old for a watch is still good enough for a list",
		replies: []reply{list("7"),
			stream(bookmark("8"), status(410, "Expired", "old")),
			list("30", "web-1@29"), hanging()},
		lists: "0/500 8", watches: "7 30", pauses: "800ms", store: "web-1@29", version: "30",
		errs: []string{"410 Expired: old"},
	},
	{
		says: "a version that the server refuses for a watch by HTTP is good enough for a list",
		replies: []reply{list("7"), refusal(410, "Expired", "old"), list("30"),
			hanging()},
		lists: "0/500 7", watches: "7 30", pauses: "800ms", version: "30",
		errs: []string{"410 Expired: old"},
	},
	{
		says: "a version too old even for a list leads to one list of the latest state",
		replies: []reply{list("10"), stream(), refusal(410, "Expired", "old"),
			list("20"), stream()},
		lists: `0/500 10 ""/500 20`, watches: "10 20", pauses: "800ms 1.6s", version: "20",
		errs: []string{"very short watch", "410 Expired", "very short watch"},
	},
	{
		says: "410 for a version that a list at it returned leads to a list of the latest state",
		replies: []reply{list("7"), stream(status(410, "Expired", "old")),
			list("7"), stream(status(410, "Expired", "old")), list("30"),
			hanging()},
		lists: `0/500 7 ""/500`, watches: "7 7 30", pauses: "800ms 1.6s", version: "30",
		errs: []string{"410 Expired", "410 Expired"},
	},
	{
		says: "410 after a newer version leads to a list at that version",
		replies: []reply{list("7"), stream(status(410, "Expired", "old")),
			list("7"), stream(bookmark("8"), status(410, "Expired", "old")),
			list("30"), hanging()},
		lists: `0/500 7 8`, watches: "7 7 30", pauses: "800ms 1.6s", version: "30",
		errs: []string{"410 Expired", "410 Expired"},
	},
	{
		says: "a version from the future leads to a list of the latest state",
		replies: []reply{list("20"), stream(),
			refusal(504, "Timeout", "Timeout: Too large resource version: 20, current: 15"),
			list("15", "web-1@15"), hanging()},
		lists: `0/500 20 ""/500`, watches: "20 15", pauses: "800ms", store: "web-1@15",
		version: "15",
		errs:    []string{"very short watch", "Too large resource version"},
	},
	{
		says: "a list that fails is repeated at the same version, after longer and longer pauses",
		replies: []reply{refusal(500, "InternalError", "no"), refusal(403, "Forbidden", "no"),
			refusal(404, "NotFound", "404 page not found"), list("7"), hanging()},
		lists: "0/500 0/500 0/500 0/500", watches: "7", pauses: "800ms 1.6s 3.2s", version: "7",
		errs: []string{"500 InternalError: no", "403 Forbidden: no",
			"404 NotFound: 404 page not found"},
	},
	{
		says: "the pause that the server asks for counts if it is longer",
		replies: []reply{
			later(429, 7*time.Second), list("7"), later(503, time.Second), hanging()},
		lists: "0/500 0/500", watches: "7 7", pauses: "7s 1.6s", version: "7",
		errs: []string{"server says 429", "server says 503"},
	},
	{
		says: "429 for a watch does not lead to a list, however often it comes",
		replies: []reply{list("7"), refusal(429, "TooManyRequests", "no"),
			refusal(429, "TooManyRequests", "no"),
			stream(bookmark("8"), status(429, "TooManyRequests", "no")),
			hanging()},
		lists: "0/500", watches: "7 7 7 8", pauses: "800ms 1.6s 3.2s", version: "8",
		errs: []string{"429", "429", "429"},
	},
	{
		says: "403 for a watch leads to a list",
		replies: []reply{list("7"), refusal(403, "Forbidden", "no"), list("8"),
			hanging()},
		lists: "0/500 7", watches: "7 8", pauses: "800ms", version: "8",
		errs: []string{"reflector: opening watch: server says 403 Forbidden: no"},
	},
	{
		says: "pages are put together; the version is the first one's",
		replies: []reply{page("7", "t1", "web-1@5"), page("7", "t2", "web-2@6"),
			page("7", "", "db-1@4"), hanging()},
		lists: "0/500 +500 +500", watches: "7", store: "db-1@4 web-1@5 web-2@6", version: "7",
	},
	{
		says:   "a page size is asked for as configured, and pages at 0 are remembered",
		change: func(o *Options) { o.PageSize = 2 },
		replies: []reply{page("7", "t", "web-1@5", "web-2@6"),
			page("7", "", "db-1@4"),
			stream(), list("9", "web-1@9"), hanging()},
		lists: "0/2 +2 7/2", watches: "7 9", pauses: "800ms", store: "web-1@9", version: "9",
		errs: []string{"very short watch"},
	},
	{
		says: "a server that pages at 0 has no cache: later lists come in pages too",
		replies: []reply{page("7", "t", "web-1@5"), page("7", "", "web-2@6"),
			stream(), list("9", "web-1@9"), hanging()},
		lists: "0/500 +500 7/500", watches: "7 9", pauses: "800ms", store: "web-1@9", version: "9",
		errs: []string{"very short watch"},
	},
	{
		says: "a token that expires leads to a whole list at the original version",
		replies: []reply{page("7", "t", "web-1@5"), refusal(410, "Expired", "token"),
			list("9", "web-1@5", "web-2@8"), hanging()},
		lists: "0/500 +500 0", watches: "9", store: "web-1@5 web-2@8", version: "9",
	},
	{
		says: "a token that leads back to its own page is an error",
		replies: []reply{page("7", "t", "web-1@5"), page("7", "t", "web-1@5"),
			list("9"), hanging()},
		lists: "0/500 +500 0/500", watches: "9", pauses: "800ms", version: "9",
		errs: []string{"cannot read list: a continue token leads back to a page that was read before"},
	},
	{
		says: "an event that cannot be used is skipped: it neither counts nor moves the version",
		replies: []reply{list("7"), hanging(
			unusable(Added), unusable(Modified), event(Added, "web-1@8"), unusable(Bookmark))},
		lists: "0/500", watches: "7", store: "web-1@8", version: "8",
		errs: []string{"skipped ADDED event: it has no object",
			"skipped MODIFIED event: it has no object", "skipped BOOKMARK event"},
	},
	{
		says: "a watch that brought only skipped events counts as one without events",
		replies: []reply{list("7"), stream(unusable(Added)),
			list("8"), hanging()},
		lists: "0/500 7", watches: "7 8", pauses: "800ms", version: "8",
		errs: []string{"skipped ADDED", "very short watch"},
	},
	{
		says:    "an event without a version changes the store but not the recorded version",
		replies: []reply{list("7"), stream(event(Added, "web-1@")), hanging()},
		lists:   "0/500", watches: "7 7", pauses: "800ms", store: "web-1@", version: "7",
		errs: []string{"reflector: watching: ended after 0s without a newer version: EOF"},
	},
	{
		says: "a version that goes back is recorded like any other",
		replies: []reply{list("7"),
			stream(event(Added, "web-1@9"), event(Added, "web-2@8")),
			hanging()},
		lists: "0/500", watches: "7 8", store: "web-1@9 web-2@8", version: "8",
	},
	{
		says: "a watch without a version begins with present objects, whose versions are not recorded",
		replies: []reply{list(""), stream(event(Added, "web-1@9"), event(Added, "web-2@5")),
			stream(event(Added, "web-1@9"), event(Modified, "web-2@10"), event(Added, "db-1@11")),
			hanging()},
		lists: "0/500", watches: `"" "" 11`, pauses: "800ms",
		errs: []string{"without a newer version"}, store: "db-1@11 web-1@9 web-2@10", version: "11",
	},
	{
		says: "500 in a stream needs a list",
		replies: []reply{list("7"),
			stream(bookmark("8"), status(500, "InternalError", "no")),
			list("9"), hanging()},
		lists: "0/500 8", watches: "7 9", pauses: "800ms", version: "9",
		errs: []string{"500 InternalError: no"},
	},
	{
		says:   "500 in a stream needs no list while it is forgiven",
		change: func(o *Options) { o.MaxInternalErrorRetry = time.Second },
		replies: []reply{list("7"),
			stream(bookmark("8"), status(500, "InternalError", "no")),
			stream(bookmark("9"), status(500, "InternalError", "no")), hanging()},
		lists: "0/500", watches: "7 8 9", version: "9",
		errs: []string{"500 InternalError: no", "500 InternalError: no"},
	},
	{
		says: "an object that the server itself cannot read needs a list, which leaves it out",
		replies: []reply{list("7", "web-1@5", "web-2@6"),
			stream(status(500, "StoreReadError", "corrupt")), list("9", "web-2@6"),
			hanging()},
		lists: "0/500 7", watches: "7 9", pauses: "800ms", store: "web-2@6", version: "9",
		errs: []string{"500 StoreReadError: corrupt"},
	},
}

func TestScripts(t *testing.T) {
	for _, c := range scripts {
		t.Run(c.says, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var change []func(*Options)
				if c.change != nil {
					change = append(change, c.change)
				}
				g := newRig(t, change...)
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

func checkErrors(t *testing.T, g *rig, want []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	assert.Equal(t, g.errs, g.traced, "the trace gets the errors that the handler gets")
	if assert.Len(t, g.errs, len(want), "%q", g.errs) {
		for i, w := range want {
			assert.Contains(t, g.errs[i], w)
		}
	}
}
