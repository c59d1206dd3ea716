package main

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/workshop/exercise"
)

// The pipe runs on whatever is solved. As long as that is not enough, the test says what is needed.
// Authors run it with all solutions in place: go run ./docs/workshop check.
func TestThePipe(t *testing.T) {
	exercise.Limit(t, "frames.go", "outcome.go", "backoff.go", "push.go", "missing.go", "synced.go",
		"keys.go", "diff.go", "pump.go", "process.go")
	absentNow := absentParts()
	if sentence := absentNow.missing(); sentence != "" {
		t.Skip("TODO  " + sentence)
	}
	for _, c := range []struct {
		what    string
		without absent
	}{
		{"with all exercises solved", absentNow},
		{"with the six that it needs", absent{"2.2 backoff": true, "3.3 synced": true, "4.1 keys": true, "4.2 diff": true}},
	} {
		t.Run(c.what, func(t *testing.T) {
			var out strings.Builder
			synctest.Test(t, func(t *testing.T) {
				show(&out, c.without, func() { time.Sleep(200 * time.Millisecond); synctest.Wait() })
			})
			assert.Contains(t, out.String(), "✔ ", "the pipe does what the real informer does:\n%s", &out)
		})
	}
}

func TestTheVerdictShowsWhereThePipeDiffers(t *testing.T) {
	run := realRun
	assert.Contains(t, verdict(run), "✔ ")
	run.did = maps.Clone(realRun.did)
	run.did["3 5.2 pump"] = nil
	assert.Regexp(t, `(?s)✎ .*OnAdd web-3@5\s+OnAdd web-3@5\n.*▸ OnUpdate web-1@4 web-1@8\s+OnDelete web-3@6\n`, verdict(run))
	run = realRun
	run.lists = 3
	assert.Contains(t, verdict(run), "listed 3 times, the real one 2 times")
	run = realRun
	run.cache = "[web-1@4]"
	assert.Contains(t, verdict(run), "holds [web-1@4], the real one's [web-1@8]")
}

func TestTheVerdictNamesTheExerciseThatIsToBlame(t *testing.T) {
	for _, c := range []struct{ promise, at, did, blamed string }{
		{"too few tombstones: all behind it told too little, too", "5 3.2 missing", "", "3.2 missing"},
		{"the first scene counts", "2 5.2 pump", "OnAdd web-3@5", "5.2 pump"},
		{"an event too few", "2 1.2 frames", "MODIFIED web-1@4", "1.2 frames"},
		{"a wrong decision comes before the event that it misses", "3 2.1 outcome", "list, after a pause", "2.1 outcome"},
	} {
		got := record{did: maps.Clone(realRun.did)}
		got.did["3 1.2 frames"], got.did["5 3.1 push"] = []string{"end"}, nil
		if c.did == "" {
			got.did[c.at], got.did["3 1.2 frames"] = nil, realRun.did["3 1.2 frames"]
		} else {
			got.did[c.at] = []string{c.did}
		}
		assert.Equal(t, c.blamed, blame(got, realRun), c.promise)
	}
	assert.Empty(t, blame(realRun, realRun))
}

func TestThePipeSaysWhatItNeeds(t *testing.T) {
	assert.Contains(t, absent{"3.1 push": true, "4.1 keys": true}.missing(), "needs 3.1 push.")
	assert.Empty(t, absent{"4.1 keys": true}.missing(), "what is not needed is not asked for")
	assert.True(t, isOpen(func() { panic("TODO") }))
	assert.False(t, isOpen(func() { panic("index out of range") }), "a solution that panics is not open")
	assert.False(t, isOpen(func() {}))
}
