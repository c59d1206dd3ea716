package main

import (
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
			assert.Equal(t, []string{
				"OnAdd web-1@2", "OnAdd web-2@3",
				"OnUpdate web-1@2 web-1@4", "OnAdd web-3@5",
				"OnDelete web-3@6",
				"OnUpdate web-1@4 web-1@8", "OnDelete web-2@3 (tombstone)",
			}, told(out.String(), "handler"), "the handler is told of each change once, in the order of the queue:\n%s", &out)
			caches := told(out.String(), "cache")
			assert.Contains(t, caches[len(caches)-1], "[web-1@8]",
				"in the end the cache is what the server has:\n%s", &out)
			lists := 0
			for _, line := range told(out.String(), "reflector") {
				if strings.HasPrefix(line, "listed") {
					lists++
				}
			}
			assert.Equal(t, 2, lists, "one list at the start and one after the 410, no other:\n%s", &out)
		})
	}
}

// told returns what one of the lanes has printed.
func told(out, who string) (lines []string) {
	for line := range strings.SplitSeq(out, "\n") {
		if fields := strings.Fields(line); len(fields) > 2 && fields[1] == who {
			lines = append(lines, strings.Join(fields[2:], " "))
		}
	}
	return lines
}

func TestThePipeSaysWhatItNeeds(t *testing.T) {
	assert.Contains(t, absent{"3.1 push": true, "4.1 keys": true}.missing(), "needs 3.1 push.")
	assert.Empty(t, absent{"4.1 keys": true}.missing(), "what is not needed is not asked for")
	assert.True(t, isOpen(func() { panic("TODO") }))
	assert.False(t, isOpen(func() { panic("index out of range") }), "a solution that panics is not open")
	assert.False(t, isOpen(func() {}))
}
