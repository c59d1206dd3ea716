package main

import (
	"maps"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/workshop/exercise"
)

// The program of the workshop runs this, with the solution in the place of each exercise that is
// open.
func TestThePipe(t *testing.T) {
	if os.Getenv("PIPE") == "" {
		t.Skip("TODO  make pipe runs it on what you have written")
	}
	t.Cleanup(exercise.Limit(t.Name(), ""))
	var out strings.Builder
	var got record
	synctest.Test(t, func(t *testing.T) {
		got = show(&out, func() {
			time.Sleep(200 * time.Millisecond)
			synctest.Wait()
		})
	})
	assert.Contains(t, out.String(), "✔ ", "the pipe does what the real informer does:\n%s", &out)
	assert.Empty(t, blame(got, realRun), "and so does each exercise:\n%s", &out)
}

func TestTheVerdictShowsWhereThePipeDiffers(t *testing.T) {
	run := realRun
	assert.Contains(t, verdict(run), "✔ ")
	run.did = maps.Clone(realRun.did)
	run.did["3 5.2 pump"] = nil
	assert.Regexp(t, `(?s)✎ .*OnAdd web-3@5:web\s+OnAdd web-3@5:web\n.*▸ OnUpdate web-1@4:shop web-1@8:web\s+OnDelete web-3@6:web\n`, verdict(run))
	run = realRun
	run.lists = 3
	assert.Contains(t, verdict(run), "listed 3 times, the real one 2 times")
	run = realRun
	run.cache = "[web-1@4:shop]"
	assert.Contains(t, verdict(run), "holds [web-1@4:shop], the real one's [web-1@8:web]")
	run = realRun
	run.did = maps.Clone(realRun.did)
	delete(run.did, "1 3.3 synced")
	assert.Contains(t, verdict(run), "Look at 3.3 synced first")
}

func TestTheVerdictNamesTheExerciseThatIsToBlame(t *testing.T) {
	for _, c := range []struct{ promise, at, did, blamed string }{
		{"too few tombstones: all behind it told too little, too", "5 3.2 missing", "", "3.2 missing"},
		{"the first scene counts", "2 5.2 pump", "OnAdd web-3@5:web", "5.2 pump"},
		{"an event too few", "2 1.2 frames", "MODIFIED web-1@4:shop", "1.2 frames"},
		{"a wrong decision comes before the event that it misses", "3 2.1 outcome", "list, after a pause", "2.1 outcome"},
	} {
		got := record{did: maps.Clone(realRun.did)}
		got.did["3 1.2 frames"], got.did["5 3.1 push"] = []string{"the end"}, nil
		if c.did == "" {
			got.did[c.at], got.did["3 1.2 frames"] = nil, realRun.did["3 1.2 frames"]
		} else {
			got.did[c.at] = []string{c.did}
		}
		assert.Equal(t, c.blamed, blame(got, realRun), c.promise)
	}
	assert.Empty(t, blame(realRun, realRun))
}

func TestThePipeSaysWhichPartsAreYours(t *testing.T) {
	assert.Equal(t, "  1.2, 6.1 you wrote.\n  2.1, 2.2, 3.1, 3.2, 3.3, 4.1, 4.2, 5.2 you have not "+
		"written: in their place run the solutions.\n",
		whose([]string{"1.1", "1.2", "6.1"}))
	assert.NotContains(t, whose(parts), "solutions")
}
