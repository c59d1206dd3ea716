package main

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
)

// unpacked reads the tape out of a page, as live.js does.
func unpacked(t *testing.T, html string) *Tape {
	t.Helper()
	_, rest, found := strings.Cut(html, `<script id="tape" type="application/gzip">`)
	require.True(t, found)
	text, _, _ := strings.Cut(rest, "</script>")
	packed, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	require.NoError(t, err)
	data, err := io.ReadAll(packed) // to its end, where the checksum is
	require.NoError(t, err)
	tape := &Tape{}
	require.NoError(t, json.Unmarshal(data, tape))
	return tape
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
	tape := unpacked(t, html)
	last := tape.Events[len(tape.Events)-1]
	assert.Equal(t, []ObjectState{{"default/web-1", "5"}}, last.State.Cache.Objects)
	assert.EqualValues(t, 32000, last.At, "the times are those of the story: it waits 2s and 30s")
	assert.Equal(t, filepath.Base(aStory), tape.Meta.Story)
	said := []string{}
	for i, e := range tape.Events {
		assert.Equal(t, int64(i), e.Seq, "event 0 is the state before anything")
		if e.Lane == laneStory && e.Kind == "say" {
			said = append(said, e.Text)
		}
		if e.File != "" {
			assert.Contains(t, tape.Sources, fmt.Sprintf("%s:%d", e.File, e.Line))
		}
	}
	require.Len(t, said, 3, "the prose is among the events")
	assert.NotContains(t, said[1], said[0], "that of each act once")
}

func TestWhatCannotBeRecordedIsSaidInOneSentence(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong.story")
	require.NoError(t, os.WriteFile(wrong, []byte("# It flies.\nfly web-1\n"), 0o600))
	empty := filepath.Join(t.TempDir(), "empty.story")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for story, says := range map[string]string{
		"none.story": "no such file",
		empty:        "empty.story has no command, so there is nothing to play",
		wrong:        "wrong.story:2: fly web-1: no such command",
	} {
		out := filepath.Join(t.TempDir(), "x.html")
		stdout, stderr, code := runProgram(t, "-story", story, "-export", out)
		assert.Equal(t, program.Failed, code, story)
		assert.Empty(t, stdout, story)
		assert.Contains(t, stderr, says)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}
