package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eye reads what is written and does something, once, when it sees something.
type eye struct {
	bytes.Buffer
	upon string
	do   func()
}

func (e *eye) Write(p []byte) (int, error) {
	n, err := e.Buffer.Write(p)
	if do := e.do; do != nil && strings.Contains(e.String(), e.upon) {
		e.do = nil
		do()
	}
	return n, err
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

func withoutColour(s string) string { return escape.ReplaceAllString(s, "") }

// play runs the tour in a buffer and returns it step by step, the overture being step 0.
func play(t *testing.T) []string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-fast"}, &stdout, &stderr), stderr.String())
	require.Empty(t, stderr.String())
	steps := regexp.MustCompile(`(?m)^ ?\d+  `).Split(stdout.String(), -1)
	require.Len(t, steps, len(script)+1)
	return steps
}

// laneOf is one column of a step's picture, all lines of it in one.
func laneOf(step string, l lane) string {
	p := newPicture(mostColumns, ink{})
	left := 1
	for i := range l {
		left += p.widths[i] + 2
	}
	_, rows, _ := strings.Cut(step, "┬")
	_, rows, _ = strings.Cut(rows, "\n")
	rows, _, _ = strings.Cut(rows, "\n\n")
	var column []string
	for line := range strings.Lines(rows) {
		runes := []rune(strings.TrimRight(line, "\n"))
		if len(runes) > left {
			column = append(column, string(runes[left:min(left+p.widths[l], len(runes))]))
		}
	}
	words := strings.ReplaceAll(strings.Join(column, " "), "─", " ")
	return strings.Join(strings.Fields(words), " ")
}

func TestEveryStageThatActedIsShown(t *testing.T) {
	steps := play(t)
	cases := map[int][lanes]string{ // words that must come in this order; | separates reports
		1: {"GET list rv=0 | GET watch rv=4", "list from 0 | 3 items @4 | watch from 4 | watch opened",
			"db-1: Replaced@2 | web-1: Replaced@3 | web-2: Replaced@4 | pop db-1 | pop web-2 | synced",
			"add db-1 | add web-1 | add web-2", "add db-1 | add web-1 | add web-2",
			"fast OnAdd db-1 | fast OnAdd web-1 | fast OnAdd web-2"},
		2: {"POST services | ▸ ADDED@5", "ADDED@5", "web-3: Added@5 | pop web-3", "add web-3",
			"add web-3", "fast OnAdd web-3"},
		3: {"PUT web-1 | ▸ MODIFIED@6", "MODIFIED@6", "web-1: Updated@6 | pop web-1",
			"update web-1", "update web-1", "fast OnUpdate web-1"},
		4: {"DELETE web-3 | ▸ DELETED@7", "DELETED@7", "web-3: Deleted@7 | pop web-3",
			"delete web-3", "delete web-3", "fast OnDelete web-3"},
		5: {"watch dropped | PUT web-2 | web-2 is @8 | GET watch rv=7 | ▸ MODIFIED@8",
			"end of watch | watch from 7 | watch opened | MODIFIED@8", "web-2: Updated@8 | pop web-2",
			"update web-2", "update web-2", "fast OnUpdate web-2"},
		6: {"watch dropped | DELETE web-2 | web-2 gone @9 | history gone | GET watch rv=8 | ▸ ERROR | " +
			"watch expired | GET list rv=8 | GET watch rv=9", "watch from 8 | expired → listing | " +
			"back off | list from 8 | 2 items @9 | watch from 9 | watch opened",
			"web-1: Replaced@6 | web-2: Deleted@unknown | pop web-2",
			"update web-1 | delete web-2", "sync web-1 | delete web-2",
			"fast OnUpdate web-1 | fast OnDelete web-2 (a tombstone)"},
		7: {"", "", "", "", "slow joins, 2 to tell", "slow OnAdd"},
		8: {"▸ MODIFIED@10 | ▸ MODIFIED@11 | ▸ MODIFIED@12", "MODIFIED@10 | MODIFIED@12",
			"web-1: Updated@10 | pop web-1 | web-1: Updated@12 | pop web-1", "update web-1",
			"update web-1 | slow: 2 wait", "fast OnUpdate web-1 | fast OnUpdate web-1"},
		9:  {"", "", "", "", "", "slow OnUpdate web-1 | slow OnUpdate web-1"},
		10: {"client left", "end of watch | stopped", "", "", "fast removed | slow removed", "fast ended"},
	}
	for number, want := range cases {
		for l, words := range want {
			got := laneOf(steps[number], lane(l))
			for word := range strings.SplitSeq(words, " | ") {
				_, rest, found := strings.Cut(got, word)
				assert.True(t, found, "step %d, lane %s: want %q, have %q", number, laneNames[l], word, got)
				got = rest
			}
			if words == "" {
				assert.Empty(t, got, "step %d: lane %s had nothing to do", number, laneNames[l])
			}
		}
	}
	for _, name := range []string{"db-1", "web-1"} { // in no order: so it is in the cache
		assert.Contains(t, laneOf(steps[7], handling), "slow OnAdd "+name)
	}
	for number, change := range map[int]string{2: "web-3 is @5", 3: "web-1 is @6", 4: "web-3 gone @7"} {
		assert.Contains(t, laneOf(steps[number], apiServer), change)
	}
	assert.NotContains(t, laneOf(steps[5], apiServer), "GET list", "a resumed watch lists nothing")
}

func TestEachStepIsExplainedInOneSentence(t *testing.T) {
	for _, step := range script {
		assert.True(t, strings.HasSuffix(step.why, "."), step.why)
		assert.Equal(t, 1, strings.Count(step.why, ". ")+1, step.why)
	}
}

func TestTourFitsAndHasNoColourWithoutATerminal(t *testing.T) {
	out := strings.Join(play(t), "")
	assert.NotContains(t, out, "\x1b")
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len([]rune(line))-1, mostColumns, line)
	}
}

func TestTourEndsWithWhatToReadNext(t *testing.T) {
	steps := play(t)
	for _, next := range reading {
		assert.Contains(t, steps[len(script)], next[0])
		if file := next[0]; strings.Contains(file, ".") && !strings.Contains(file, " ") {
			_, err := os.Stat("../../" + file)
			assert.NoError(t, err, "whoever follows the advice finds the file")
		}
	}
	assert.Contains(t, steps[len(script)],
		"2 lists, 4 watches and 7 events from the server became 18 calls of handlers.")
}

func TestInterruptEndsTheTourCleanly(t *testing.T) {
	for _, upon := range []string{"Watchglass", "web-3 is created", "hangs in its first call", "ends"} {
		ctx, cancel := context.WithCancel(t.Context())
		stdout, stderr := &eye{upon: upon, do: cancel}, &bytes.Buffer{}
		assert.Equal(t, exitOK, run(ctx, []string{"-fast"}, stdout, stderr), upon)
		assert.Contains(t, stdout.String(), "Interrupted in step ", upon)
		assert.NotContains(t, stdout.String(), "What to read next", upon)
		assert.Empty(t, stderr.String(), upon)
	}
}

// nothingRuns fails if a goroutine is in one of our packages: run has to wait for what it starts.
func nothingRuns(t *testing.T, packages string) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	running := regexp.MustCompile(`example\.com/watchglass/(` + packages + `)\.`).FindString(string(stacks))
	assert.Empty(t, running, "%s", stacks)
}

func TestNothingIsLeftBehind(t *testing.T) {
	_ = play(t)
	nothingRuns(t, "reflector|deltafifo|processor|informer|fakeapi")
	ctx, cancel := context.WithCancel(t.Context())
	stdout := &eye{upon: "hangs in its first call", do: cancel}
	_ = run(ctx, []string{"-fast"}, stdout, io.Discard)
	nothingRuns(t, "reflector|deltafifo|processor|informer|fakeapi")
}

func TestInterruptBeforeTheBeginning(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitOK, run(ctx, nil, &stdout, &stderr))
	assert.Contains(t, stdout.String(), "Interrupted in step 1 of 10.")
}

func TestTourStopsAfterSoManyEvents(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"-fast", "-n", "5"}, &stdout, &stderr))
	assert.Contains(t, stdout.String(), "Stopped as -n asked, after 3 steps of 10 and 5 calls of handlers.")
	assert.NotContains(t, stdout.String(), "web-3 is deleted")
}
