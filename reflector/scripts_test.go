package reflector

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

var gone = status(410, "Expired", "old")

// scripts are what a server may answer, and what a reflector does then. The request after the last
// reply is not answered.
var scripts = []struct {
	law     string
	change  func(*Config)
	replies []reply
	asked   string // all requests, see [server.asked]
	pauses  string
	errs    []string // what each error contains
	store   string   // the content at the end
	version string   // recorded at the end
}{
	{
		law: "410 for a version that a list at it returned leads to a list of the latest state",
		replies: []reply{list("7"), stream(gone), list("7"), stream(bookmark("8"), gone), // a newer one
			list("8"), stream(gone), refusal(500, "InternalError", "no"), list("30"), hanging()},
		asked:  `list 0/500, watch 7, list 7, watch 7, list 8, watch 8, list ""/500, list ""/500, watch 30`,
		pauses: "800ms 1.6s 3.2s 6.4s", errs: []string{"410", "410", "410", "500"}, version: "30",
	},
	{
		law: "pages of the latest state say nothing about a cache: the next list is in one piece",
		replies: []reply{{err: gone}, page("7", "t1", "web-1@5"), page("7", ""), stream(), list("8"),
			hanging()},
		asked:  `list 0/500, list ""/500, page t1/500, watch 7, list 7, watch 8`,
		pauses: "800ms", errs: []string{"410", "very short"}, version: "8",
	},
	{
		law:     "410 for the latest state leads to a pause: there is no other version to ask for",
		replies: []reply{{err: gone}, {err: gone}, list("7"), hanging()},
		asked:   `list 0/500, list ""/500, list ""/500, watch 7`, pauses: "800ms",
		errs: []string{"410", "410"}, version: "7",
	},
	{
		law: "a pause is as long as the server asks for, and does not make the next one longer",
		replies: []reply{{err: &StatusError{Code: 429, RetryAfter: 7 * time.Second}}, list("7"),
			{err: &StatusError{Code: 503, RetryAfter: time.Second}}, refusal(429, "", "no"), hanging()},
		asked: "list 0/500, list 0/500, watch 7, watch 7, watch 7", pauses: "7s 1s 800ms", version: "7",
		errs: []string{
			"reflector: listing: server says 429", "reflector: opening watch: server says 503", "429",
		},
	},
	{
		law: "a server that sends pages at 0 has no cache, so later lists come in pages, too",
		replies: []reply{page("7", "t1", "web-1@5"), page("8", "t2", "web-2@6"), page("8", "", "db-1@4"),
			stream(), list("9", "web-1@9"), hanging()},
		asked:  "list 0/500, page t1/500, page t2/500, watch 7, list 7/500, watch 9",
		pauses: "800ms", errs: []string{"very short"}, store: "web-1@9", version: "9",
	},
	{
		law: "a token that has expired leads to one request for everything, of which all pages are read",
		replies: []reply{page("5", "a", "web-1@3"), {err: gone}, page("8", "b", "web-2@2"),
			list("9", "db-1@4"), hanging()},
		asked: "list 0/500, page a/500, list 0, page b, watch 8", store: "db-1@4 web-2@2", version: "8",
	},
	{
		law:     "a page of another kind is an error",
		replies: []reply{page("7", "a"), {list: &List{Kind: "SecretList"}}, list("8"), hanging()},
		asked:   "list 0/500, page a/500, list 0/500, watch 8", pauses: "800ms", version: "8",
		errs: []string{`cannot read list: a page is a "SecretList", the first was a "WidgetList"`},
	},
	{
		law:     "tokens that lead round in a circle are an error",
		replies: []reply{page("7", "a"), page("7", "b"), page("7", "a"), list("8"), hanging()},
		asked:   "list 0/500, page a/500, page b/500, list 0/500, watch 8", pauses: "800ms", version: "8",
		errs: []string{"leads back to a page that was read before"},
	},
	{
		law: "an event that cannot be used is skipped, and counts neither as an event nor as a version",
		replies: []reply{list("7"), stream(event(Added, "web-1@8"), unusable, bookmark("9")),
			stream(unusable), list("10"), hanging()},
		asked:  "list 0/500, watch 7, watch 9, list 9, watch 10",
		pauses: "800ms", errs: []string{"skipped ADDED event", "skipped", "very short"}, version: "10",
	},
	{
		law: "an object that cannot be used keeps no other from the store, and its versions are recorded",
		replies: []reply{list("7", "web-1@5", "web-2@6!", "db-1@3"), stream(event(Modified, "db-1@8!"),
			event(Modified, "web-1@9"), gone), list("10", "db-1@10!", "web-2@6!", "web-3@4"),
			hanging(event(Added, "web-2@11"), event(Deleted, "db-1@12!"), event(Modified, "web-3@13!"))},
		asked:  "list 0/500, watch 7, list 9, watch 10",
		pauses: "800ms", store: "web-2@11 web-3@4", version: "13",
		errs: []string{`reflector: "shop/web-2" at version "6" cannot be used: odd`, `"shop/db-1"`, "410",
			`"shop/db-1" at version "10" cannot be used: odd` + "\n" + `"shop/web-2"`, `"shop/web-3"`},
	},
	{
		law: "an event of an unknown type leads to a list: what it has changed is unknown",
		replies: []reply{list("7"), hanging(bookmark("8"), event("WHAT", "web-9@9")),
			list("10", "web-1@9"), hanging()},
		asked: "list 0/500, watch 7, list 8, watch 10", pauses: "800ms", store: "web-1@9", version: "10",
		errs: []string{`reflector: watching: cannot read watch event: unknown type "WHAT"`},
	},
	{
		law: "a watch without a version begins with present objects, whose versions are not recorded",
		replies: []reply{list(""), stream(event(Added, "web-1@9"), event(Added, "web-2@5")),
			stream(event(Added, "web-1@9"), event(Modified, "web-2@10"), event(Added, "db-1@11")),
			hanging()},
		asked: `list 0/500, watch "", watch "", watch 11`, pauses: "800ms",
		errs: []string{"ended after"}, store: "db-1@11 web-1@9 web-2@10", version: "11",
	},

	{
		law: "changes among the initial events are part of a streaming list", change: streamFirst,
		replies: []reply{hanging(event(Added, "web-1@5"), event(Added, "web-2@3"), event(Added, "db-1@4"),
			event(Modified, "web-1@8"), event(Deleted, "web-2@9"), event(Deleted, "web-9@9"),
			event(Added, "web-2@10"), event(Deleted, "db-1@11"), initialEnd("12"), unusable)},
		asked: `stream ""`, store: "web-1@8 web-2@10", version: "12", errs: []string{"skipped"},
	},
	{
		law: "an object that cannot be used is part of a streaming list, too", change: streamFirst,
		replies: []reply{stream(
			event(Added, "web-1@5!"), event(Added, "web-2@6"), event(Modified, "web-1@7"),
			event(Modified, "web-2@8!"), initialEnd("8"), gone),
			hanging(event(Added, "web-1@9!"), initialEnd("9"))},
		asked: `stream "", stream 8`, pauses: "800ms", store: "web-1@7", version: "9",
		errs: []string{`"shop/web-2" at version "8" cannot be used`, "410", `"shop/web-1" at version "9"`},
	},
	{
		law: "an initial event of another kind leads to a list: half a collection would delete",
		replies: []reply{stream(event(Added, "web-1@5"), unusable, initialEnd("7")),
			list("8", "web-1@5"), hanging()}, change: streamFirst,
		asked: `stream "", list 0/500, watch 8`, store: "web-1@5", version: "8",
		errs: []string{"cannot read initial ADDED event: its kind is another"},
	},
	{
		law:    "a server that cannot stream is listed; the next time it is asked again",
		change: streamFirst,
		replies: []reply{refusal(422, "Invalid", "sendInitialEvents: Forbidden"), list("7"), stream(),
			hanging(event("WHAT", "web-9@8"), initialEnd("9")), list("10")},
		asked:  `stream "", list 0/500, watch 7, stream 7, list 7, watch 10`,
		pauses: "800ms", version: "10", errs: []string{"422 Invalid", "very short", "unknown type"},
	},
	{
		law: "a version that was refused is not asked for again, whatever happens to the next streams",
		replies: []reply{stream(initialEnd("7"), gone), refusal(410, "Expired", "old"),
			stream(event(Added, "web-1@20"), bookmark("20")),
			refusal(403, "Forbidden", "no"), refusal(500, "", "no"),
			stream(initialEnd("30"), gone), hanging(initialEnd("31"))}, change: streamFirst,
		asked:  `stream "", stream 7, stream "", stream "", list ""/500, stream "", stream 30`,
		pauses: "800ms 1.6s 3.2s", version: "31",
		errs: []string{"410", "410", "EOF", "403", "500", "410"},
	},
	{
		law: "a version from the future that is refused in a stream leads to the latest, without a pause",
		replies: []reply{stream(initialEnd("7")), stream(status(403, "Forbidden", "no")),
			stream(status(504, "Timeout", "Too large resource version: 7, current: 5")),
			hanging(initialEnd("5"))}, change: streamFirst,
		asked: `stream "", watch 7, stream 7, stream ""`, pauses: "800ms", version: "5",
		errs: []string{"403 Forbidden", "504 Timeout"},
	},
}

func TestScripts(t *testing.T) {
	for _, c := range scripts {
		inBubble(t, c.law, func(t *testing.T) {
			g := played(t, time.Minute, c.change, c.replies...)
			assert.Equal(t, c.asked, g.asked(), "the requests")
			assert.Equal(t, c.pauses, g.paused(), "the pauses")
			assert.Equal(t, c.store, g.store.String(), "the store")
			assert.Equal(t, c.version, g.r.LastSyncResourceVersion(), "the version")
			g.check(t, c.errs...)
		})
	}
}

func TestAListWithoutAnEnd(t *testing.T) {
	asked := 0
	_, _, err := listAll(t.Context(), func(context.Context, ListOptions) (*List, error) {
		if asked++; asked > 1000 {
			return nil, errors.New("the list would never end")
		}
		items := []string{"web-1@5", "web-2@6"}[min(2, 2*asked-2):]
		return page("7", fmt.Sprint(asked), items...).list, nil
	}, ListOptions{Limit: 1})
	assert.ErrorContains(t, err, "103 pages with 2 items, and no end", "100 more than items")
	assert.Equal(t, 103, asked)
}

// A server chooses how long a token is, and how many pages a list has.
func TestOfAContinueTokenOnlyAHashIsKept(t *testing.T) {
	var before, after runtime.MemStats
	asked := 0
	_, _, err := listAll(t.Context(), func(context.Context, ListOptions) (*List, error) {
		runtime.GC()
		runtime.ReadMemStats(&after)
		if asked++; asked == 1 {
			before = after
		}
		if asked > 50 {
			return page("7", "").list, nil
		}
		return page("7", strings.Repeat("t", 1<<20)+fmt.Sprint(asked)).list, nil
	}, ListOptions{Limit: 1})
	assert.NoError(t, err)
	assert.Less(t, int(after.HeapAlloc)-int(before.HeapAlloc), 10<<20, "of 50 MiB of tokens")
}

func TestAPageBelongsToTheListerWatcher(t *testing.T) {
	s, first := newServer(t), page("7", "", "web-1@5")
	kept := first.list.Items[0]
	s.replies <- first
	whole, _, err := listAll(t.Context(), s.List, ListOptions{})
	assert.NoError(t, err)
	whole.Items[0] = nil // the store owns what it gets
	assert.Same(t, kept, first.list.Items[0])
}
