package main

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

// The right answer to what a story asks is what its recording shows from the command on.
func TestTheRightAnswerIsWhatHappens(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // as the stories are played in told_test.go
	files, err := filepath.Glob("../../../informer/testdata/*.story")
	require.NoError(t, err)
	silent := []string{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var tape *Tape
			synctest.Test(t, func(t *testing.T) {
				tape, err = record(options{story: file, queue: deltaFIFO})
				require.NoError(t, err)
			})
			asked := 0
			for i, e := range tape.Events {
				if e.Ask == nil {
					continue
				}
				asked++
				assert.Equal(t, "story do", made(*e))
				a := e.Ask.Answers
				assert.GreaterOrEqual(t, len(a), 2, e.Text)
				assert.LessOrEqual(t, len(a), 3, e.Text)
				assert.Len(t, slices.Compact(slices.Clone(a)), len(a), "%s: two answers are the same", e.Text)
				assert.Equal(t, callsIn(tape.Events[i+1:]), a[e.Ask.Right], e.Text)
			}
			if asked == 0 {
				silent = append(silent, filepath.Base(file))
			}
		})
	}
	assert.Equal(t, []string{"18_the_cache_is_behind_a_write.story"}, silent,
		"stories that ask nothing: this one has no handler")
}

// callsIn words what the handlers are told until the next command, as an answer does.
func callsIn(events []*Event) string {
	calls := map[string][]string{}
	for _, e := range events {
		if e.Lane == laneStory && e.Kind == "do" {
			break
		}
		if name, ok := strings.CutPrefix(e.Lane, "handler:"); ok && e.Kind == "call" {
			calls[name] = append(calls[name], e.Text)
		}
	}
	var all []string
	for _, name := range sortedKeys(calls) {
		all = append(all, name+": "+some(calls[name]))
	}
	if all == nil {
		return toldNothing
	}
	return strings.Join(all, "\n")
}

func TestAStoryAsksOnlyWhatItsFileShows(t *testing.T) {
	steps, err := story.Parse(`
create web-1
run
----
queue           0s  web-1: Replaced web-1@2
greeter         0s  added web-1@2, in the initial list
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

stop

wait 1s
----
cache [web-1@2], synced: yes

create a b c d e f
----
greeter      1m30s  added a@3
                2s  added b@4
                2s  added c@5
                2s  added d@6
                2s  added e@7
shaky           2s  added a@3
                2s  panics: no a
`)
	require.NoError(t, err)
	asked := asks(steps)
	require.Len(t, asked, 5)
	assert.Nil(t, asked[0], "a quiet step shows nothing")
	assert.Nil(t, asked[2], "a quiet step shows nothing")
	many := "greeter: added a@3 · added b@4 · added c@5 · and 2 more\nshaky: added a@3"
	first := "greeter: added web-1@2, in the initial list"
	assert.Equal(t, []*Ask{
		{Answers: []string{toldNothing, many, first}, Right: 2},
		{Answers: []string{toldNothing, many, first}, Right: 0},
		{Answers: []string{toldNothing, many, first}, Right: 1},
	}, []*Ask{asked[1], asked[3], asked[4]})

	alone := asks([]story.Step{{Loud: true}})
	assert.Equal(t, []*Ask{nil}, alone, "one answer is no question")
}
