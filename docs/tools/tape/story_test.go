package tape

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/docs/tools/words"
)

// storyFiles are the files of all stories that a tape can be made of.
func storyFiles(t *testing.T) (files []string) {
	t.Helper()
	for _, folder := range []string{ofInformer, ofPage} {
		more, err := fs.Glob(source.root, folder+"*.story")
		require.NoError(t, err)
		require.NotEmpty(t, more)
		files = append(files, more...)
	}
	return files
}

// What a tape has is what its story prints: every line of every lane, at its time, and below them
// what the cache has and what waits for handlers.
func TestATapeHasWhatItsStoryPrints(t *testing.T) {
	yes := map[bool]string{true: "yes", false: "no"}
	isCommand := func(e *Event) bool { return e.Kind == "do" }
	for _, file := range storyFiles(t) {
		played, err := source.Story(path.Base(file))
		require.NoError(t, err)
		tape, err := Record(played, source)
		require.NoError(t, err)
		again, err := Record(played, source)
		require.NoError(t, err)
		require.True(t, bytes.Equal(encoded(tape), encoded(again)), "%s: whatever the scheduler does, a tape has the same bytes", file)
		steps, err := story.Parse(played.Text)
		require.NoError(t, err)
		rest := tape.Events[slices.IndexFunc(tape.Events, isCommand):]
		for _, step := range steps {
			events := rest
			if next := slices.IndexFunc(rest[1:], isCommand); next >= 0 {
				events = rest[:next+1]
			}
			if rest = rest[len(events):]; !step.Loud {
				continue
			}
			what := fmt.Sprintf("%s:%d, after %q", file, step.Line, step.Command.Text)
			require.Equal(t, printedLanes(step.State), toldLanes(events), what)
			s := events[len(events)-1].State
			shows := []string{fmt.Sprintf("cache %v, synced: %s", stands(s.Cache.Objects), yes[s.Cache.Synced])}
			for _, l := range s.Listeners {
				shows = append(shows, fmt.Sprintf("handler %s: synced: %s, waiting: %d", l.Name, yes[l.Synced], l.Pending))
			}
			for _, line := range shows {
				require.Contains(t, strings.Join(step.State, "\n"), line, what)
			}
		}
	}
}

// stands shows objects as stories do.
func stands(objects []ObjectState) (shown []string) {
	for _, o := range objects {
		shown = append(shown, words.Short(o.Key)+"@"+o.RV)
	}
	return shown
}

var timedLine = regexp.MustCompile(`^(\S*) +(\d\S*)  (.*)$`)

// printedLanes are the lines that a story has, by lane. The first line of a lane has its name.
func printedLanes(state []string) map[string][]string {
	lanes, lane := map[string][]string{}, ""
	for _, line := range state {
		if m := timedLine.FindStringSubmatch(line); m != nil {
			lane = cmp.Or(m[1], lane)
			lanes[lane] = append(lanes[lane], m[2]+" "+m[3])
		}
	}
	return lanes
}

// toldLanes are the same lines, made of events.
func toldLanes(events []*Event) map[string][]string {
	shown := map[string]string{
		"api commit": "server", "queue queued": "queue", "process pop": "process",
		"cache add": "process", "cache update": "process", "cache delete": "process",
		"reflector list": "reflector", "reflector watch": "reflector", "story writer": "writer",
		"reflector transition": "reflector", "reflector event": "reflector",
	}
	lanes := map[string][]string{}
	for _, e := range events {
		lane := shown[e.Lane+" "+e.Kind]
		if name, ok := strings.CutPrefix(e.Lane, "handler:"); ok && (e.Kind == "call" || e.Kind == "panic") {
			lane = name
		}
		if at := time.Duration(e.At) * time.Millisecond; lane != "" {
			lanes[lane] = append(lanes[lane], fmt.Sprintf("%v %s", at, e.Text))
		}
	}
	return lanes
}

// The page and the tour ask before the proof, and one of four answers is right.
func TestEachLessonAsksAQuestion(t *testing.T) {
	for _, l := range Lessons {
		l, _, err := l.Play(source)
		require.NoError(t, err)
		proof := slices.IndexFunc(l.Beats, func(b Beat) bool { return b.Seq == l.ProofAt })
		assert.Positive(t, proof, "%s: the proof is a beat, and the question comes before it", l.Name)
		wrong := slices.DeleteFunc(slices.Clone(l.Answers), func(a Answer) bool { return a.Reply == "" })
		assert.Equal(t, []int{4, 3}, []int{len(l.Answers), len(wrong)}, "%s: answers, wrong ones", l.Name)
	}
}

func TestWhatCannotBePlayedIsSaidInOneSentence(t *testing.T) {
	for text, says := range map[string]string{
		"":                         "x.story has no command, so there is nothing to play",
		"# It flies.\nfly web-1\n": "x.story:2: fly web-1: no such command",
		"----\n":                   `x.story: line 1: "----" belongs to no command`,
	} {
		_, err := Record(Story{Name: "x.story", Text: text}, nil)
		assert.EqualError(t, err, says)
	}
}
