package synced

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed synced.go
var source string

func TestHasSynced(t *testing.T) {
	exercise.Start(t, "synced.go", source)
	for _, c := range []struct {
		law, why string
		steps    string // what happens, and after each step whether the queue has synced
	}{
		{"before anything has happened it has not synced",
			"an empty queue may also be one that nothing was put into yet", "no"},
		{"it syncs when the last key of the first list was processed",
			"a program that starts to work after one of two objects takes the other one for missing",
			"list:2 no, processed no, processed yes"},
		{"an empty list syncs immediately",
			"there is nothing to wait for; waiting for a first key would wait forever",
			"list:0 yes"},
		{"an event before the first list syncs immediately",
			"the producer does not begin with a list, so there is no list to wait for",
			"event yes, list:3 yes, processed yes"},
		{"keys that came later are not waited for",
			"the first list had one key; the two events came behind it",
			"list:1 no, event no, event no, processed yes, processed yes, processed yes"},
		{"a later list changes nothing",
			"a program that waits for the sync has started by now, and does not look again",
			"list:1 no, processed yes, list:5 yes, processed yes"},
	} {
		t.Run(c.law, func(t *testing.T) {
			var p Progress
			for step := range strings.SplitSeq(c.steps, ", ") {
				what, want, found := strings.Cut(step, " ")
				if !found {
					what, want = "", step
				}
				do(&p, what)
				if got := map[bool]string{true: "yes", false: "no"}[p.HasSynced()]; got != want {
					t.Fatalf("%s.\nin the steps %q, after %q: HasSynced says %s, want %s; the queue remembers %+v",
						c.why, c.steps, what, got, want, p)
				}
			}
		})
	}
}

func do(p *Progress, what string) {
	name, number, _ := strings.Cut(what, ":")
	switch name {
	case "event":
		p.Event()
	case "list":
		queued, _ := strconv.Atoi(number)
		p.ListEnded(queued)
	case "processed":
		p.Processed()
	}
}

// The model is the queue itself: for each key in it, whether it came with the first list.
func TestAnyQueue(t *testing.T) {
	exercise.Start(t, "synced.go", source)
	exercise.Compare(t, "a queue has synced when it holds no key of the first list any more",
		func(dice *rand.Rand) string {
			return []string{"event", "list", "processed", "processed"}[dice.IntN(4)]
		}, func(steps []string) (rows []exercise.Row) {
			var p Progress
			var queue []bool
			begun := false
			for i, what := range steps {
				switch {
				case what == "event":
					queue = append(queue, false)
				case what == "list":
					for range i % 3 {
						queue = append(queue, !begun)
					}
					what += fmt.Sprint(":", len(queue))
				case len(queue) == 0:
					rows = append(rows, exercise.Row{})
					continue
				default:
					queue = queue[1:]
				}
				begun = true
				do(&p, what)
				rows = append(rows, exercise.Row{Step: what, Got: fmt.Sprint(p.HasSynced()),
					Want: fmt.Sprint(!slices.Contains(queue, true))})
			}
			return rows
		})
}
