package main

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A report is made by a call of a trace, of a handler, of the valve's Pop or Read, or of the server's
// own name for a trace.
var reports = regexp.MustCompile(
	`\b([tT]race\.\w+|told|onPanic|callOn|Pop|PopBatch|pop|Read|Do|RoundTrip|OnAdd|OnUpdate|OnDelete)\(`)

// made is a kind of event, in one lane; handlers are all alike.
func made(e Event) string {
	lane, _, _ := strings.Cut(e.Lane, ":")
	return lane + " " + e.Kind
}

// The line of each event is the line that made the report: a trace call in the source as it is now.
func TestTheLineOfAnEventIsTheLineThatReportedIt(t *testing.T) {
	kinds := map[string]bool{}
	for _, kind := range []string{deltaFIFO, realFIFO} {
		for _, steps := range scenarios {
			synctest.Test(t, func(t *testing.T) {
				m := newRig(t, kind)
				for _, step := range steps {
					if step[0] != "fill" { // it makes many events and none of a new kind
						perform(t, m, step)
					}
				}
				events, _, _ := m.seen.after(m.seen.log.floor-1, maxHeld)
				for _, e := range events {
					if !kinds[made(e.Event)] {
						kinds[made(e.Event)] = true
						checkLine(t, e.Event)
					}
				}
			})
		}
	}
	for _, kind := range []string{"api commit", "api sent", "api request", "api ended", "api fault",
		"wire open", "wire frame", "wire end", "wire failed", "reflector transition",
		"reflector back off", "reflector list", "reflector listed", "reflector watch",
		"reflector event", "queue queued", "queue replaced", "queue synced", "process pop",
		"process waits", "cache add", "cache update", "cache delete", "cache replace",
		"cache synced", "processor joins", "processor removed", "processor distribute",
		"processor sync", "processor pending", "processor synced", "handler call",
		"handler returned", "handler panic", "handler ended", "handler waits", "you valve",
	} {
		assert.True(t, kinds[kind], "a scenario makes an event %s; there are %v", kind, maps.Keys(kinds))
	}
}

func checkLine(t *testing.T, e Event) {
	t.Helper()
	what := made(e) + ": " + e.Text
	ours := map[string]bool{"cache synced": true, "cache index": true, "processor synced": true}
	if e.Lane == laneYou || ours[made(e)] {
		assert.Empty(t, e.File, "%s: no stage reports it", what)
		return
	}
	require.NotEmpty(t, e.File, what)
	excerpt, err := source.excerpt(e.File, e.Line)
	require.NoError(t, err, what)
	require.NotEmpty(t, e.Func, what)
	assert.Equal(t, e.Func, excerpt.Func, what)
	assert.LessOrEqual(t, len(excerpt.Lines), maxExcerpt, what)
	text := ""
	for _, l := range excerpt.Lines {
		if l.N == e.Line {
			text = l.Text
		}
	}
	assert.Regexp(t, reports, text, "%s at %s:%d", what, e.File, e.Line)
	stage := map[string]string{laneAPI: "fakeapi/", laneWire: "reflector/", laneReflector: "reflector/",
		laneQueue: "deltafifo/", laneCache: "indexer/", laneProcessor: "processor/"}[e.Lane]
	assert.Truef(t, strings.HasPrefix(e.File, stage), "%s is reported by %s", what, e.File)
}

func TestAnExcerptIsTheFunctionAroundALine(t *testing.T) {
	e, err := source.excerpt("processor/run.go", 0)
	assert.Nil(t, e)
	assert.ErrorContains(t, err, "there is no line 0")
	whole, err := source.excerpt("docs/live/testdata/long.go", 3)
	assert.Nil(t, whole)
	assert.ErrorContains(t, err, "cannot be read")

	e, err = source.excerpt("key.go", 1)
	require.NoError(t, err)
	assert.Empty(t, e.Func, "line 1 is in no function")
	assert.Equal(t, 1, e.Lines[0].N)
	assert.LessOrEqual(t, len(e.Lines), maxExcerpt)
}

func TestOnlyGoFilesOfTheModuleAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := &site{t: t, page: &page{run: "first", seen: m.seen, machine: m}}
		get := func(file, line string) int {
			return s.asked("GET", fmt.Sprintf("/source?file=%s&line=%s", file, line), "localhost").Code
		}
		assert.Equal(t, 200, get("deltafifo/enqueue.go", "30"))
		for _, file := range []string{"../../../etc/passwd", "/etc/passwd", "go.mod", "Makefile", "",
			"docs/../go.sum", "deltafifo/../key.go", "deltafifo", "%00.go", "a%5C..%5Cb.go",
			"../outside.go", "deltafifo/none.go", "docs/live/static/live.js"} {
			assert.Equal(t, 404, get(file, "1"), file)
		}
		assert.Equal(t, 404, get("deltafifo/enqueue.go", "100000"))
		assert.Equal(t, 404, get("deltafifo/enqueue.go", "-1"))
		assert.Equal(t, 400, get("deltafifo/enqueue.go", "x"))
		assert.Equal(t, 400, get("deltafifo/enqueue.go", ""))
	})
}
