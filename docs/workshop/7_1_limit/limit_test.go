package limit

import (
	_ "embed"
	"fmt"
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

// Keys come and go for as long as the program runs.
func TestNothingIsLeftOfAKey(t *testing.T) {
	exercise.Start(t, "limit.go", source)
	q := New()
	for i := range 1000 {
		key := fmt.Sprint("job-", i)
		q.Add(key)
		q.Get()
		q.Add(key) // again, while a worker has it
		q.Done(key)
		q.Get()
		q.Done(key)
	}
	for name, set := range map[string]map[string]bool{"Dirty": q.Dirty, "Processing": q.Processing} {
		t.Run("in "+name, func(t *testing.T) {
			if len(set) > 0 {
				t.Errorf("a key that is done has no entry, not even false: jobs come and go for months, and the map would "+
					"hold all of them.\nafter 1,000 keys that are done, %s has %d entries, for example job-0: %t",
					name, len(set), set["job-0"])
			}
		})
	}
}

func TestDelays(t *testing.T) {
	exercise.Start(t, "limit.go", source)
	t.Run("they double", func(t *testing.T) {
		q := New()
		var got []string
		for range 4 {
			got = append(got, q.Failed("a").String())
		}
		if want := "[5ms 10ms 20ms 40ms]"; fmt.Sprint(got) != want {
			t.Errorf("what fails again soon after is likely to fail for a while.\ngot %v, want %s", got, want)
		}
	})
	t.Run("they have a limit", func(t *testing.T) {
		q := New()
		var last time.Duration
		for range 200 {
			last = q.Failed("a")
		}
		if last != 1000*time.Second {
			t.Errorf("after 200 failures the key waits a quarter of an hour, and neither a year nor a negative time.\n"+
				"got %v, want 16m40s", last)
		}
	})
	t.Run("each key has its own", func(t *testing.T) {
		q := New()
		q.Failed("a")
		q.Failed("a")
		if got := q.Failed("b"); got != 5*time.Millisecond {
			t.Errorf("one broken object must not slow the others down.\nb fails for the first time: got %v, want 5ms", got)
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
			t.Errorf("every worker calls Done, also when it has failed; only Forget says that a has succeeded.\n"+
				"a fails for the second time: got %v, want 10ms", got)
		}
	})
	t.Run("a forgotten key takes no memory", func(t *testing.T) {
		q := New()
		for i := range 1000 {
			key := fmt.Sprint("job-", i)
			q.Failed(key)
			q.Forget(key)
		}
		if len(q.Failures) > 0 {
			t.Errorf("jobs come and go for months, and an entry with a count of 0 takes as much memory as any other.\n"+
				"after 1,000 that were forgotten: %d entries", len(q.Failures))
		}
	})
}
