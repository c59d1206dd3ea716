package limit

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed limit.go
var source string

func TestAddGetDone(t *testing.T) {
	exercise.Start(t, "limit.go", source)
	for _, c := range []struct{ law, why, steps string }{
		{"keys come out in the order in which they went in",
			"a key that was changed first has waited longest",
			"add a, add b, get a, get b"},
		{"a key that waits is not added twice",
			"a worker reads the present state, so one look is enough for ten changes",
			"add a, add b, add a, get a, get b, get nothing"},
		{"a key that a worker has is not handed out",
			"two workers with one key would overwrite each other's work",
			"add a, get a, add a, get nothing"},
		{"it is handed out again when that worker is done",
			"the worker may have read the object before the change",
			"add a, get a, add a, done a, get a"},
		{"it comes back once, however often it was added",
			"one look is enough",
			"add a, get a, add a, add a, done a, get a, done a, get nothing"},
		{"it goes to the end",
			"a key that changes all the time must not keep the others waiting",
			"add a, get a, add a, add b, done a, get b, get a"},
		{"a key that was not added again is done with",
			"nothing has happened since",
			"add a, get a, done a, get nothing"},
		{"after that it can be added like any other",
			"the queue remembers nothing of a key that is done",
			"add a, get a, done a, add a, get a"},
	} {
		t.Run(c.law, func(t *testing.T) {
			q := New()
			for step := range strings.SplitSeq(c.steps, ", ") {
				what, key, _ := strings.Cut(step, " ")
				switch what {
				case "add":
					q.Add(key)
				case "done":
					q.Done(key)
				case "get":
					got, ok := q.Get()
					if !ok {
						got = "nothing"
					}
					if got != key {
						t.Fatalf("%s.\nin the steps %q, at %q: Get gave %s", c.why, c.steps, step, got)
					}
				}
			}
		})
	}
}

func TestDelays(t *testing.T) {
	exercise.Start(t, "limit.go", source)
	t.Run("they double up to the limit", func(t *testing.T) {
		q := New()
		for n := range 200 {
			if got, want := q.Failed("a"), min(firstDelay<<min(n, 20), longestDelay); got != want {
				t.Fatalf("what fails again soon after is likely to fail for a while; from failure 19 on it "+
					"is a quarter of an "+
					"hour, neither a year nor a negative time.\nfailure %d: got %v, want %v", n+1, got, want)
			}
		}
	})
	t.Run("each key has its own", func(t *testing.T) {
		q := New()
		q.Failed("a")
		q.Failed("a")
		if got := q.Failed("b"); got != 5*time.Millisecond {
			t.Errorf("one broken object must not slow the others down.\n"+
				"b fails for the first time: got %v, want 5ms", got)
		}
	})
	t.Run("success begins anew", func(t *testing.T) {
		q := New()
		q.Failed("a")
		q.Failed("a")
		q.Forget("a")
		if got := q.Failed("a"); got != 5*time.Millisecond {
			t.Errorf("a has succeeded in between.\ngot %v, want 5ms", got)
		}
	})
	t.Run("done is not success", func(t *testing.T) {
		q := New()
		q.Add("a")
		q.Get()
		q.Failed("a")
		q.Done("a")
		q.Add("a")
		q.Get()
		if got := q.Failed("a"); got != 10*time.Millisecond {
			t.Errorf("every worker calls Done, also when it has failed; only Forget says that a has "+
				"succeeded.\n"+
				"a fails for the second time: got %v, want 10ms", got)
		}
	})
}

type step struct{ what, key string }

// The model keeps two lists and counts: what waits, what a worker has, and what was added again.
func TestAnySteps(t *testing.T) {
	exercise.Start(t, "limit.go", source)
	exercise.Compare(t, "after each step the fields hold what their comments say, and no key is in "+
		"Order and in Processing",
		func(dice *rand.Rand) step {
			return step{[]string{"add", "add", "get", "done", "failed", "forget"}[dice.IntN(6)],
				[]string{"a", "b", "c"}[dice.IntN(3)]}
		}, func(steps []step) (rows []exercise.Row) {
			q, waits := New(), []string{}
			has, again, failures := map[string]bool{}, map[string]bool{}, map[string]int{}
			for _, s := range steps {
				row := exercise.Row{Step: s.what + " " + s.key}
				switch s.what {
				case "add":
					q.Add(s.key)
					if has[s.key] {
						again[s.key] = true
					} else if !slices.Contains(waits, s.key) {
						waits = append(waits, s.key)
					}
				case "get":
					key, ok := q.Get()
					row = exercise.Row{Step: "get", Got: fmt.Sprintf("%q %t ", key, ok), Want: `"" false `}
					if len(waits) > 0 {
						row.Want = fmt.Sprintf("%q true ", waits[0])
						has[waits[0]] = true
						waits = waits[1:]
					}
				case "done":
					if !has[s.key] { // only the worker that has a key calls Done
						rows = append(rows, exercise.Row{})
						continue
					}
					q.Done(s.key)
					delete(has, s.key)
					if again[s.key] {
						waits = append(waits, s.key)
					}
					delete(again, s.key)
				case "failed":
					q.Failed(s.key)
					failures[s.key]++
				case "forget":
					q.Forget(s.key)
					delete(failures, s.key)
				}
				dirty := map[string]bool{}
				for _, key := range waits {
					dirty[key] = true
				}
				for key := range again {
					dirty[key] = true
				}
				row.Got += show(q.Order, q.Dirty, q.Processing, q.Failures)
				row.Want += show(waits, dirty, has, failures)
				rows = append(rows, row)
			}
			return rows
		})
}

// show leaves out the fields that are empty.
func show(order []string, dirty, processing map[string]bool, failures map[string]int) string {
	line := fmt.Sprintf("Order %v", order)
	for _, set := range []struct {
		name string
		keys map[string]bool
	}{{"Dirty", dirty}, {"Processing", processing}} {
		if len(set.keys) > 0 {
			line += strings.NewReplacer(":true", "", "map",
				"").Replace(fmt.Sprintf(", %s %v", set.name, set.keys))
		}
	}
	if len(failures) > 0 {
		line += fmt.Sprintf(", Failures %v", failures)
	}
	return line
}
