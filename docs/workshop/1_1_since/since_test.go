package since

import (
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed since.go
var source string

func TestSince(t *testing.T) {
	exercise.Start(t, "since.go", source)
	history := []Event{{4, "web-1 ADDED"}, {7, "web-2 ADDED"}, {8, "web-1 MODIFIED"}}
	long := slices.Repeat([]Event{{8, "web-1 MODIFIED"}}, 5000)
	for i := range long {
		long[i].Version += i
	}
	for _, c := range []struct {
		law, why  string
		history   []Event
		compacted int
		n         int
		want      []Event
		expired   bool
	}{
		{
			law:     "a client gets what came after its version",
			why:     "it has seen version 4, so 7 and 8 are news",
			history: history, n: 4, want: history[1:],
		},
		{
			law:     "the version need not be one of the collection's",
			why:     "version 5 was made by another collection; what came after it is still 7 and 8",
			history: history, n: 5, want: history[1:],
		},
		{
			law:     "what it has seen is not sent again",
			why:     "the event at 7 made the version 7 that the client has",
			history: history, n: 7, want: history[2:],
		},
		{
			law:     "all of them are sent, however many",
			why:     "a watch has no pages: what is left out here is never sent",
			history: long, n: 8, want: long[1:],
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
			law: "the oldest event does not say what was forgotten",
			why: "only compacted says it, and that is 0: before version 4 there was nothing in this " +
				"collection",
			history: history, n: 1, want: history,
		},
		{
			law:     "a version beyond the last event is the present, too",
			why:     "another collection made version 9 after the last event of this one",
			history: history, n: 9,
		},
		{
			law:     "version 0 expires like any other",
			why:     "this client has seen nothing, so it has missed what was forgotten",
			history: history, compacted: 3, n: 0, expired: true,
		},
		{
			law: "with nothing left in the history, an old version has expired, too",
			why: "no events does not mean that there were none: the client would miss them and never know",
			n:   5, compacted: 8, expired: true,
		},
		{
			law: "with nothing left in the history, the present has not expired",
			why: "there is nothing that the client has missed",
			n:   8, compacted: 8,
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			given := slices.Clone(c.history)
			got, err := Since(given, c.compacted, c.n)
			if errors.Is(err, ErrExpired) != c.expired || err != nil && !c.expired ||
				!slices.Equal(got, c.want) {
				t.Errorf("%s.\nhistory %.99s, compacted %d, watch from %d\ngot  %d: %.99s, %v\n"+
					"want %d: %.99s, expired: %t", c.why,
					fmt.Sprint(c.history), c.compacted, c.n, len(got), fmt.Sprint(got), err, len(c.want),
					fmt.Sprint(c.want), c.expired)
			}
			if !slices.Equal(given, c.history) {
				t.Errorf("the history is the server's, and other clients are served from it, too.\n"+
					"history %v, watch from %d\nafter it, the history is %v", c.history, c.n, given)
			}
		})
	}
}

type step struct {
	what    string
	version int
}

// A server that makes versions, some of them for other collections, and forgets. The model keeps
// all events.
func TestAnyHistory(t *testing.T) {
	exercise.Start(t, "since.go", source)
	exercise.Compare(t, "a client is sent all events after its version, or has to list",
		func(dice *rand.Rand) step {
			return step{[]string{"event", "other", "compact", "watch"}[dice.IntN(4)], dice.IntN(9)}
		}, func(steps []step) (rows []exercise.Row) {
			var all, history []Event
			version, compacted := 0, 0
			for _, s := range steps {
				row := exercise.Row{Step: s.what}
				asked := min(s.version, version)
				switch s.what {
				case "event":
					version++
					all = append(all, Event{version, "MODIFIED"})
					history = append(history, Event{version, "MODIFIED"})
					row.Step += fmt.Sprint(" at ", version)
				case "other":
					version++
					row.Step = fmt.Sprintf("version %d is another collection's", version)
				case "compact":
					compacted = max(compacted, asked)
					history = slices.DeleteFunc(slices.Clone(history),
						func(e Event) bool { return e.Version <= compacted })
					row.Step += fmt.Sprint(" ", compacted)
				case "watch":
					sent, err := Since(slices.Clone(history), compacted, asked)
					want := slices.DeleteFunc(slices.Clone(all), func(e Event) bool { return e.Version <= asked })
					row = exercise.Row{Step: fmt.Sprint("watch from ", asked), Got: fmt.Sprint(sent, " ", err),
						Want: fmt.Sprint(want, " ", nil)}
					if errors.Is(err, ErrExpired) { // whatever is wrapped around it
						row.Got = fmt.Sprint(ErrExpired)
					}
					if asked < compacted {
						row.Want = fmt.Sprint(ErrExpired)
					}
				}
				rows = append(rows, row)
			}
			return rows
		})
}
