package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/watchglass/docs/tools/lanes"
	"example.com/watchglass/docs/tools/program"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scenes plays the script in a bubble and returns what each scene reported.
func scenes(t *testing.T) (all [][]lanes.Cell) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := newStage(t.Context(), listenInMemory())
		require.NoError(t, err)
		defer s.close()
		for _, scene := range script {
			cells, err := s.play(t.Context(), scene)
			require.NoError(t, err)
			all = append(all, cells)
		}
	})
	return all
}

// outputOf plays the tour in a bubble and returns what it writes.
func outputOf(t *testing.T, only int, key func(context.Context) (byte, error)) string {
	t.Helper()
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t,
			tour(t.Context(), newTeller(&out, false, key), listenInMemory(), only))
	})
	return out.String()
}

// laneOf returns the texts that one lane reported.
func laneOf(cells []lanes.Cell, lane int) string {
	var texts []string
	for _, c := range cells {
		if c.Lane == lane {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, " | ")
}

func TestEveryStageThatActedIsShown(t *testing.T) {
	cases := [][]string{ // a scene each; api server, reflector, deltafifo, indexer, processor, handler
		{"GET list rv=0 | GET watch rv=4", "list from 0 | 3 items @4 | watch from 4 | watch opened",
			"db-1: Replaced@2 | web-1: Replaced@3 | web-2: Replaced@4 | pop db-1 | pop web-1 | " +
				"pop web-2 | synced",
			"add db-1 | add web-1 | add web-2", "add db-1 | add web-1 | add web-2",
			"fast OnAdd db-1 | fast OnAdd web-1 | fast OnAdd web-2"},
		{"web-3 is @5 | ▸ ADDED@5", "ADDED@5", "web-3: Added@5 | pop web-3", "add web-3",
			"add web-3", "fast OnAdd web-3"},
		{"web-1 is @6 | ▸ MODIFIED@6", "MODIFIED@6", "web-1: Updated@6 | pop web-1",
			"update web-1", "update web-1", "fast OnUpdate web-1"},
		{"web-3 gone @7 | ▸ DELETED@7", "DELETED@7", "web-3: Deleted@7 | pop web-3",
			"delete web-3", "delete web-3", "fast OnDelete web-3"},
		{"watch dropped | web-2 is @8 | GET watch rv=7 | ▸ MODIFIED@8",
			"end of watch | watch from 7 | watch opened | MODIFIED@8", "web-2: Updated@8 | pop web-2",
			"update web-2", "update web-2", "fast OnUpdate web-2"},
		{"watch dropped | web-2 gone @9 | history gone | GET watch rv=8 | ▸ ERROR | watch expired | " +
			"GET list rv=8 | GET watch rv=9",
			"end of watch | watch from 8 | watch opened | end of watch | expired → listing | " +
				"back off 100ms | list from 8 | 2 items @9 | watch from 9 | watch opened",
			"db-1: Replaced@2 | web-1: Replaced@6 | web-2: Deleted@unknown | pop db-1 | pop web-1 | " +
				"pop web-2",
			"update db-1 | update web-1 | delete web-2", "sync db-1 | sync web-1 | delete web-2",
			"fast OnUpdate db-1 | fast OnUpdate web-1 | fast OnDelete web-2 (a tombstone)"},
		{"", "", "", "", "slow joins, 2 objects", "slow OnAdd ? | slow OnAdd ?"},
		{"web-1 is @10 | ▸ MODIFIED@10 | web-1 is @11 | ▸ MODIFIED@11 | web-1 is @12 | ▸ MODIFIED@12",
			"MODIFIED@10 | MODIFIED@11 | MODIFIED@12",
			"web-1: Updated@10 | pop web-1 | web-1: Updated@11 | pop web-1 | web-1: Updated@12 | pop web-1",
			"update web-1 | update web-1 | update web-1",
			"update web-1 | update web-1 | update web-1 | slow: 2 wait",
			"? OnUpdate web-1 | ? OnUpdate web-1 | fast OnUpdate web-1 | fast OnUpdate web-1"},
		{"", "", "", "", "", "slow OnUpdate web-1 | slow OnUpdate web-1"},
		{"client left", "end of watch | stopped", "", "", "fast removed | slow removed", "? ended | ? ended"},
	}
	for i, cells := range scenes(t) {
		for l, words := range cases[i] { // a ? is one of two names, whose order is not promised
			want := strings.ReplaceAll(regexp.QuoteMeta(words), `\?`, `[a-z0-9-]+`)
			assert.Regexp(t, "^"+want+"$", laneOf(cells, l), "scene %d, lane %s", i+1, stages.Names[l])
		}
	}
}

func TestEveryCellIsExplained(t *testing.T) {
	used := map[*entry]bool{}
	for i, cells := range scenes(t) {
		for _, c := range cells {
			e := explanation(c)
			if assert.NotNil(t, e, "scene %d shows %q in lane %s, and the legend does not explain it",
				i+1, c.Text, stages.Names[c.Lane]) {
				used[e] = true
			}
		}
	}
	for i, e := range legend {
		assert.True(t, used[&legend[i]], "the legend explains %q, which no scene shows", e.text)
	}
	whole := outputOf(t, 0, nil)
	squeezed := strings.Join(strings.Fields(whole), " ")
	for _, e := range legend {
		assert.Equal(t, 1, strings.Count(squeezed, " "+e.says), "%q is explained once", e.text)
	}
}

func TestASingleSceneIsExplained(t *testing.T) {
	out := outputOf(t, 6, nil)
	assert.NotContains(t, out, " 5  ")
	assert.Contains(t, out, " 6  the watch ends again")
	assert.NotContains(t, out, " 7  ")
	assert.NotContains(t, out, "What to read next")
	for _, says := range []string{ // in the whole tour, the first of these is explained in scene 1
		"The server has answered 200.", "The event is an error, 410 Gone:", "nothing changed.",
	} {
		assert.Contains(t, out, says)
	}
}

func TestTourFitsAndHasNoColourWithoutATerminal(t *testing.T) {
	out := outputOf(t, 0, nil)
	assert.NotContains(t, out, "\x1b")
	assert.NotContains(t, out, prompt, "without a keyboard, the tour does not wait for keys")
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len([]rune(line))-1, mostColumns, line)
	}
}

func TestTourEndsWithWhatToReadNext(t *testing.T) {
	out := outputOf(t, 0, nil)
	for _, next := range reading {
		assert.Contains(t, out, next[0])
		if file := next[0]; strings.Contains(file, ".") && !strings.Contains(file, " ") {
			_, err := os.Stat("../../../" + file)
			assert.NoError(t, err, "the file to read next exists")
		}
	}
	assert.Contains(t, out,
		"2 lists, 4 watches and 7 events from the server led to 18 calls of handlers.")
}

// eye is a writer that calls do, once, when upon has been written.
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

func TestInterruptEndsTheTourCleanly(t *testing.T) {
	for _, upon := range []string{"Watchglass", "web-3 is created", "stuck in its first call"} {
		ctx, cancel := context.WithCancel(t.Context())
		stdout, stderr := &eye{upon: upon, do: cancel}, &bytes.Buffer{}
		assert.Equal(t, program.OK, runTour(ctx, "-fast", stdout, stderr), upon)
		assert.Contains(t, stdout.String(), "Ended in scene ", upon)
		assert.NotContains(t, stdout.String(), "What to read next", upon)
		assert.Empty(t, stderr.String(), upon)
		nothingRuns(t)
	}
}

// nothingRuns fails if a goroutine is in one of our packages: run waits for everything it starts.
func nothingRuns(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	running := regexp.MustCompile(
		`example\.com/watchglass/(reflector|deltafifo|processor|informer|fakeapi)\.`).
		FindString(string(stacks))
	assert.Empty(t, running, "%s", stacks)
}

func TestTheWholeTourOverTCP(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, program.OK, runTour(t.Context(), "-fast", &stdout, &stderr), stderr.String())
	assert.Empty(t, stderr.String())
	assert.Contains(t, stdout.String(), "A small API server listens on http://127.0.0.1:")
	assert.Contains(t, stdout.String(), "That was the whole pipe.")
	nothingRuns(t)
}
