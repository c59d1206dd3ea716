package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

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
		synctest.Test(t, func(t *testing.T) {
			tape, err := record(options{story: filepath.Join("../../..", l.Story), queue: l.queue()})
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
		})
		delete(moments, l.Name)
	}
	assert.Empty(t, moments, "there are no such scenes")
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

// recordedByTheTest lets this test be the program that records.
func recordedByTheTest(ctx context.Context, args ...string) (*exec.Cmd, error) {
	cmd, err := itself(ctx)
	if err == nil {
		cmd.Env = append(os.Environ(), "LIVE_ARGS="+strings.Join(args, "\n"))
	}
	return cmd, err
}

func TestAProgramRecordsItsLessonsItself(t *testing.T) {
	m := newBareRig(t, deltaFIFO)
	made := 0
	s := &page{seen: m.seen, machine: m, class: newClassroom(source,
		func(ctx context.Context, args ...string) (*exec.Cmd, error) {
			made++
			return recordedByTheTest(ctx, args...)
		})}
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		r, err := http.NewRequest(http.MethodGet, "http://localhost"+path, nil)
		require.NoError(t, err)
		s.handler().ServeHTTP(w, r)
		body, err := io.ReadAll(w.Result().Body)
		require.NoError(t, err)
		return w.Code, string(body)
	}
	_, list := get("/scenes")
	var told []Lesson
	require.NoError(t, json.Unmarshal([]byte(list), &told))
	assert.Len(t, told, len(lessons))
	for range 2 {
		code, data := get("/scene/ordered-queue")
		require.Equal(t, http.StatusOK, code, data)
		var tape Tape
		require.NoError(t, json.Unmarshal([]byte(data), &tape))
		assert.Equal(t, realFIFO, tape.Meta.Queue)
		assert.Equal(t, "Nothing has happened yet.", tape.Events[0].Text)
	}
	assert.Equal(t, 1, made, "a tape is kept")
	code, _ := get("/scene/none")
	assert.Equal(t, http.StatusNotFound, code)
	s.class.folder = t.TempDir()
	code, text := get("/scene/panic")
	assert.Equal(t, http.StatusInternalServerError, code)
	assert.Contains(t, text, "12_a_handler_panics.story")

	s.class = classOf(&Tape{Meta: Meta{Story: "a.story"}}) // with -story
	_, list = get("/scenes")
	assert.JSONEq(t, `[{"name":"story","title":"the story","look":"","question":"","answers":[],"right":0,"proof":""}]`, list)
	_, text = get("/scene/story")
	assert.Contains(t, text, `"story":"a.story"`)
}
