package since

import (
	_ "embed"
	"errors"
	"slices"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed since.go
var source string

func TestSince(t *testing.T) {
	exercise.Start(t, "since.go", source)
	history := []Event{{4, "web-1 ADDED"}, {7, "web-2 ADDED"}, {8, "web-1 MODIFIED"}}
	for _, c := range []struct {
		law, why  string
		history   []Event
		compacted int
		n         int
		want      []Event
		expired   bool
	}{
		{
			law: "a client gets what came after its version", why: "it has seen version 4, so 7 and 8 are news",
			history: history, n: 4, want: history[1:],
		},
		{
			law:     "the version need not be one of the collection's",
			why:     "version 5 was made by another collection; what came after it is still 7 and 8",
			history: history, n: 5, want: history[1:],
		},
		{
			law: "a client at the present gets nothing yet", why: "it has seen everything; the watch stays open and waits",
			history: history, n: 8,
		},
		{
			law: "what it has seen is not sent again", why: "the event at 7 made the version 7 that the client has",
			history: history, n: 7, want: history[2:],
		},
		{
			law:     "a version before the compaction has expired",
			why:     "what happened at versions 2 and 3 is forgotten, and this client has not seen it",
			history: history, compacted: 3, n: 1, expired: true,
		},
		{
			law:     "the compacted version itself has not expired",
			why:     "everything that was forgotten, the client has seen",
			history: history, compacted: 3, n: 3, want: history,
		},
		{
			law: "with nothing left in the history, an old version has expired, too",
			why: "no events does not mean that there were none: the client would miss them and never know",
			n:   5, compacted: 8, expired: true,
		},
		{
			law: "with nothing left in the history, the present has not expired", why: "there is nothing that the client has missed",
			n: 8, compacted: 8,
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			given := slices.Clone(c.history)
			got, err := Since(given, c.compacted, c.n)
			if errors.Is(err, ErrExpired) != c.expired || err != nil && !c.expired || !slices.Equal(got, c.want) {
				t.Errorf("%s.\nhistory %v, compacted %d, watch from %d\ngot  %v, %v\nwant %v, expired: %t",
					c.why, c.history, c.compacted, c.n, got, err, c.want, c.expired)
			}
			if !slices.Equal(given, c.history) {
				t.Errorf("the history is the server's, and other clients are served from it, too.\n"+
					"history %v, watch from %d\nafter it, the history is %v", c.history, c.n, given)
			}
		})
	}
}
