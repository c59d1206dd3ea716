package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each answer that a lesson calls right is shown by an event of its scene, and the scene begins
// before anything has happened. The moments that the chapters link to exist.
func TestEachLessonShowsItsAnswer(t *testing.T) {
	names, moments := map[string]bool{}, momentsOfChapters(t)
	for _, l := range lessons {
		assert.False(t, names[l.Name], "two lessons are called %s", l.Name)
		names[l.Name] = true
		assert.Len(t, l.Answers, 4, l.Name)
		tape, err := record(t, options{story: filepath.Join("../../..", l.Story), queue: l.queue()})
		require.NoError(t, err, l.Name)
		assert.Empty(t, tape.Events[0].State.Cache.Objects)
		assert.Zero(t, tape.Events[0].State.Server.Total)
		shown, texts := false, []string{}
		for _, e := range tape.Events {
			shown = shown || e.Text == l.Proof
			texts = append(texts, e.Text)
			assert.NotEqual(t, laneYou, e.Lane, "%s: what a story types is not the reader's", e.Text)
		}
		assert.Equal(t, "say", tape.Events[len(tape.Events)-1].Kind, "prose comes after its act")
		assert.NotEqual(t, "say", tape.Events[1].Kind, "prose comes after its act")
		all := strings.Join(texts, "\n")
		assert.True(t, shown, "%s: %q is in none of\n%s", l.Name, l.Proof, all)
		for _, words := range moments[l.Name] {
			assert.True(t, words == "proof" || strings.Contains(all, words), "a chapter links to %q", words)
		}
		delete(moments, l.Name)
	}
	assert.Empty(t, moments, "there are no such scenes")
}

// Where a lesson or a picture calls a handler slow, its calls last, and those of the other do not.
func TestTheSlowHandlerIsSlow(t *testing.T) {
	l := lessons[slices.IndexFunc(lessons, func(l Lesson) bool { return l.Name == "slow-handler" })]
	tape, err := record(t, options{story: filepath.Join("../../..", l.Story), queue: l.queue()})
	require.NoError(t, err)
	began, lasted := map[string]int64{}, map[string][]int64{}
	for _, e := range tape.Events {
		switch e.Kind {
		case "call":
			began[e.Lane] = e.At
		case "returned":
			lasted[e.Lane] = append(lasted[e.Lane], e.At-began[e.Lane])
		}
	}
	minute := time.Minute.Milliseconds()
	assert.Equal(t, map[string][]int64{"handler:fast": {0, 0, 0}, "handler:slow": {minute, minute}}, lasted)
}

var addressed = regexp.MustCompile(`127\.0\.0\.1:8098/#([a-z-]+),([^)\s]+)`)

// momentsOfChapters are the words that the chapters' links to the live page name, by scene.
func momentsOfChapters(t *testing.T) map[string][]string {
	t.Helper()
	chapters, err := filepath.Glob("../../*.md")
	require.NoError(t, err)
	moments := map[string][]string{}
	for _, name := range chapters {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range addressed.FindAllStringSubmatch(string(text), -1) {
			words, err := url.PathUnescape(m[2])
			require.NoError(t, err)
			moments[m[1]] = append(moments[m[1]], words)
		}
	}
	require.NotEmpty(t, moments)
	return moments
}

// The program begins with the lessons or, with -story, with that story, which asks nothing. It ends
// when it is interrupted.
func TestTheProgramServesItsScenes(t *testing.T) {
	get := func(url string, answer any) int {
		resp, err := http.Get(url)
		require.NoError(t, err)
		defer resp.Body.Close()
		require.NoError(t, json.NewDecoder(resp.Body).Decode(answer))
		return resp.StatusCode
	}
	var told []Lesson
	var tape Tape
	url := startProgram(t)
	get(url+"scenes", &told)
	assert.Equal(t, len(lessons), len(told))
	assert.Equal(t, http.StatusOK, get(url+"scene/ordered-queue", &tape))
	assert.Equal(t, realFIFO, tape.Meta.Queue)
	assert.Equal(t, "Nothing has happened yet.", tape.Events[0].Text)
	assert.Equal(t, http.StatusNotFound, get(url+"scene/none", &tape))

	url = startProgram(t, "-story", aStory)
	get(url+"scenes", &told)
	assert.Equal(t, []Lesson{{Name: "story", Title: "the story", Answers: []string{}}}, told)
	get(url+"scene/story", &tape)
	assert.Equal(t, filepath.Base(aStory), tape.Meta.Story)
}
