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
		{"GET list @0 | GET watch @4", "list @0 | 3 objects @4 | watch @4 | watch opened",
			"Replaced db-1@2 | Replaced web-1@3 | Replaced web-2@4 | pop db-1 | pop web-1 | pop web-2 | synced",
			"+ db-1@2 | + web-1@3 | + web-2@4", "add db-1@2 | add web-1@3 | add web-2@4",
			"fast added db-1@2 | fast added web-1@3 | fast added web-2@4"},
		{"ADDED web-3@5 | sends web-3@5", "ADDED web-3@5", "Added web-3@5 | pop web-3", "+ web-3@5",
			"add web-3@5", "fast added web-3@5"},
		{"MODIFIED web-1@6 | sends web-1@6", "MODIFIED web-1@6", "Updated web-1@6 | pop web-1",
			"~ web-1@6", "update web-1@6", "fast updated web-1@6"},
		{"DELETED web-3@7 | sends web-3@7", "DELETED web-3@7", "Deleted web-3@7 | pop web-3",
			"- web-3@5", "delete web-3@7", "fast deleted web-3@7"},
		{"watch ended: dropped | MODIFIED web-2@8 | GET watch @7 | sends web-2@8",
			"end of watch | watch @7 | watch opened | MODIFIED web-2@8", "Updated web-2@8 | pop web-2",
			"~ web-2@8", "update web-2@8", "fast updated web-2@8"},
		{"watch ended: dropped | DELETED web-2@9 | history gone | GET watch @8 | sends ERROR | " +
			"watch ended: expired | GET list @8 | GET watch @9",
			"end of watch | watch @8 | watch opened | end of watch | expired → listing | " +
				"back off 100ms | list @8 | 2 objects @9 | watch @9 | watch opened",
			"Replaced db-1@2 | Replaced web-1@6 | Deleted tombstone of web-2@8 | pop db-1 | pop web-1 | " +
				"pop web-2",
			"~ db-1@2 | ~ web-1@6 | - web-2@8",
			"due: update db-1@2 | due: update web-1@6 | delete tombstone of web-2@8",
			"fast updated db-1@2 | fast updated web-1@6 | fast deleted tombstone of web-2@8"},
		{"", "", "", "", "slow joins, 2 objects", "slow added ? | slow added ?"},
		{"MODIFIED web-1@10 | sends web-1@10 | MODIFIED web-1@11 | sends web-1@11 | MODIFIED web-1@12 | " +
			"sends web-1@12",
			"MODIFIED web-1@10 | MODIFIED web-1@11 | MODIFIED web-1@12",
			"Updated web-1@10 | pop web-1 | Updated web-1@11 | pop web-1 | Updated web-1@12 | pop web-1",
			"~ web-1@10 | ~ web-1@11 | ~ web-1@12",
			"update web-1@10 | update web-1@11 | update web-1@12 | slow: 2 wait",
			"? updated web-1@10 | ? updated web-1@10 | fast updated web-1@11 | fast updated web-1@12"},
		{"", "", "", "", "", "slow updated web-1@11 | slow updated web-1@12"},
		{"watch ended: client", "end of watch | stopped", "", "", "fast is removed | slow is removed",
			"? has ended | ? has ended"},
	}
	for i, cells := range scenes(t) {
		for l, words := range cases[i] { // a ? is one of two names, whose order is not promised
			want := strings.ReplaceAll(regexp.QuoteMeta(words), `\?`, `[a-z0-9@-]+`)
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
