package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const aStory = "../../../informer/testdata/07_compaction_relists_and_finds_the_deletion.story"

// TestMain lets a test run this program in a process of its own, as a recording must be made. It
// ends the browser that the tests have shared.
func TestMain(m *testing.M) {
	if args := os.Getenv("LIVE_ARGS"); args != "" {
		os.Exit(run(context.Background(), strings.Split(args, "\n"), os.Stdout, os.Stderr))
	}
	code := m.Run()
	if shared != nil {
		shared.end()
	}
	os.Exit(code)
}

// runProgram runs this program and returns what it prints, and its exit code.
func runProgram(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "LIVE_ARGS="+strings.Join(args, "\n"))
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	_ = cmd.Run() // the code says it
	return out.String(), errors.String(), cmd.ProcessState.ExitCode()
}

// between returns what stands between two texts, each of which must be there once.
func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	require.True(t, found, from)
	inside, _, found := strings.Cut(rest, to)
	require.True(t, found, to)
	return inside
}

func TestARecordingIsOneFileWithAllOfTheStory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "compaction.html")
	stdout, stderr, code := runProgram(t, "-story", aStory, "-export", file)
	require.Zero(t, code, stderr)
	assert.Contains(t, stdout, file)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	html := string(text)
	for _, outside := range []string{`src="`, `rel="stylesheet"`, "http://", "https://"} {
		page, _, _ := strings.Cut(html, `<script id="tape"`)
		assert.NotContains(t, page, outside, "a recording needs no other file and no server")
	}
	var tape Tape
	data := between(t, html, `<script id="tape" type="application/json">`, "</script>")
	require.NoError(t, json.Unmarshal([]byte(data), &tape))
	last := tape.Events[len(tape.Events)-1]
	assert.Equal(t, []ObjectState{{"default/web-1", "5"}}, last.State.Cache.Objects)
	assert.EqualValues(t, 4400, last.At, "the times are those of the story")
	assert.Equal(t, filepath.Base(aStory), tape.Meta.Story.File)
	assert.Empty(t, tape.Meta.Story.Next)
	said := 0
	for i, e := range tape.Events {
		assert.Equal(t, int64(i+1), e.Seq)
		if e.Lane == laneStory && e.Kind == "say" {
			said++
		}
		if e.File != "" {
			assert.Contains(t, tape.Sources, fmt.Sprintf("%s:%d", e.File, e.Line))
		}
	}
	assert.Equal(t, 3, said, "the prose is among the events")
}

// The page of this program must have what a recording puts other things in place of.
func TestEveryStoryCanBeRecorded(t *testing.T) {
	files, err := filepath.Glob("../../../informer/testdata/*.story")
	require.NoError(t, err)
	for _, file := range files {
		synctest.Test(t, func(t *testing.T) {
			tape, err := record(options{story: file, queue: deltaFIFO})
			require.NoError(t, err, file)
			_, err = inline(static, tape)
			require.NoError(t, err, file)
		})
	}
}

func TestANameCannotEndTheTape(t *testing.T) {
	page := fstest.MapFS{
		"static/index.html": {Data: []byte(`<head><link rel="stylesheet" href="one.css">` +
			`<script src="one.js" defer></script><script src="two.js" defer></script></head><body></body>`)},
		"static/one.css": {Data: []byte("p { color: red }")},
		"static/one.js":  {Data: []byte("one()\n")},
		"static/two.js":  {Data: []byte("two()\n")},
	}
	html, err := inline(page, &Tape{Run: "</script><script>alert(1)</script>"})
	require.NoError(t, err)
	head, body, _ := strings.Cut(string(html), "</head>")
	assert.Equal(t, "<head><style>\np { color: red }</style>", head)
	_, scripts, _ := strings.Cut(body, `"sources":null}`)
	assert.Equal(t, "</script>\n<script>\none()\n</script>\n<script>\ntwo()\n</script>\n</body>", scripts,
		"the scripts come after the tape, in their order")
	assert.NotContains(t, body, "<script>alert")
	delete(page, "static/two.js")
	_, err = inline(page, &Tape{})
	assert.ErrorContains(t, err, "two.js")
	page["static/index.html"].Data = []byte("<head></head><body>")
	_, err = inline(page, &Tape{})
	assert.ErrorContains(t, err, "does not have </body>")
}

func TestWhatCannotBeRecordedIsSaidInOneSentence(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong.story")
	require.NoError(t, os.WriteFile(wrong, []byte("# It flies.\nfly web-1\n"), 0o600))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"-story", "none.story"}, "no such file"},
		{[]string{"-story", wrong}, "wrong.story:2: fly web-1: no such command"},
		{[]string{"-story", aStory, "-queue", "LIFO"}, "neither DeltaFIFO nor RealFIFO"},
	} {
		args := append(c.args, "-export", filepath.Join(t.TempDir(), "x.html"))
		stdout, stderr, code := runProgram(t, args...)
		assert.NotZero(t, code, c.args)
		assert.Empty(t, stdout, c.args)
		assert.Contains(t, stderr, c.says)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}
