package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"net"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/lanes"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/fakeapi"
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

func TestOfASingleSceneOnlyWhatIsNewIsExplained(t *testing.T) {
	out := outputOf(t, 6, nil)
	assert.Contains(t, out, " 6  the watch ends again")
	assert.Contains(t, out, "An error, 410 Gone:")
	assert.Contains(t, out, `make live, scene "a lost deletion"`)
	for _, other := range []string{" 5  ", " 7  ", "What to read next", "The server has answered 200."} {
		assert.NotContains(t, out, other, "an earlier scene shows and explains it")
	}
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
	for _, upon := range []string{"Watchglass", "web-3 is created", "stuck in its first OnUpdate"} {
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
	require.Equal(t, program.OK, runTour(t.Context(), "", &stdout, &stderr), stderr.String())
	nothingRuns(t)
	assert.True(t, options{}.teller(&stdout).fast, "output that is no terminal comes without pauses")
	assert.Empty(t, stderr.String())
	out := stdout.String()
	assert.Contains(t, out, "A small API server listens on http://127.0.0.1:")
	assert.NotContains(t, out, "\x1b", "there is no colour without a terminal")
	assert.NotContains(t, out, prompt, "without a keyboard, the tour does not wait for keys")
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len([]rune(line))-1, mostColumns, line)
	}
	assert.Contains(t, out,
		"2 lists, 4 watches and 7 events from the server led to 18 calls of handlers.")
	for _, next := range reading {
		assert.Contains(t, out, next[0])
		if file := next[0]; strings.Contains(file, ".") && !strings.Contains(file, " ") {
			assert.FileExists(t, "../../../"+file)
		}
	}
	lessons, err := os.ReadFile("../../tools/tape/lessons.go")
	require.NoError(t, err)
	for _, scene := range script {
		assert.Contains(t, out, "\n  "+scene.live, "the tour ends with the same on the live page")
		assert.Contains(t, string(lessons), `Title: "`+scene.live, "the live page has that scene")
	}
}

// A bufferedListener is a listener of pipes with a buffer: as over TCP, the server's writes do not
// wait until the client reads. The order of the events at the two ends depends on it.
type bufferedListener struct{ *fakeapi.PipeListener }

func (l bufferedListener) Accept() (net.Conn, error) {
	conn, err := l.PipeListener.Accept()
	if err != nil {
		return nil, err
	}
	c := &bufferedConn{Conn: conn, sent: make(chan []byte, 100), closed: make(chan struct{})}
	go c.forward()
	return c, nil
}

type bufferedConn struct {
	net.Conn
	sent   chan []byte
	closed chan struct{}
	once   sync.Once
}

func (c *bufferedConn) forward() {
	for {
		select {
		case p := <-c.sent:
			_, _ = c.Conn.Write(p)
		case <-c.closed:
			return
		}
	}
}

func (c *bufferedConn) Write(p []byte) (int, error) {
	select {
	case c.sent <- slices.Clone(p):
		return len(p), nil
	case <-c.closed:
		return 0, net.ErrClosed
	}
}

func (c *bufferedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

func listenInMemory() net.Listener { return bufferedListener{fakeapi.NewPipeListener()} }

// The README shows this picture.
func TestTheCheckedInPictureIsWhatTheTourDraws(t *testing.T) {
	want, err := os.ReadFile("lanes.svg")
	require.NoError(t, err)
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	for range 5 { // goroutines run in another order each time
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, drawSVG(t.Context(), &out, listenInMemory()))
			require.True(t, string(want) == out.String(), "the tour draws another picture now: look "+
				"at it and keep it with go run ./docs/run/tour -svg > docs/run/tour/lanes.svg")
		})
	}
	for decoder := xml.NewDecoder(bytes.NewReader(want)); ; {
		if _, err = decoder.Token(); err != nil {
			break
		}
	}
	assert.ErrorIs(t, err, io.EOF, "a picture is well-formed XML, or browsers do not show it")
	assert.True(t, strings.Contains(string(want), "(prefers-color-scheme:dark)"))
}

func runTour(ctx context.Context, args string, stdout, stderr io.Writer) int {
	return program.Func(run).Run(ctx, "tour", strings.Fields(args), stdout, stderr)
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	for args, says := range map[string]string{
		"-scene -1":     "-scene -1: there are scenes 1 to 10",
		"-scene 11":     "-scene 11: there are scenes 1 to 10",
		"more":          `"more" is not a flag`,
		"-svg -fast":    "-svg draws one picture",
		"-svg -scene 2": "-svg draws one picture",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, program.Misused, runTour(t.Context(), args, &stdout, &stderr), args)
		assert.Contains(t, stderr.String(), says)
		assert.Empty(t, stdout.String(), args)
	}
}

// The lanes of these tests. The first two talk, and so do the last two.
const (
	aServer = iota
	aClient
	aQueue
	aWorker
	aHandler
)

var five = lanes.Lanes{
	Names: []string{"server", "client", "queue", "worker", "handler"},
	Talks: []bool{true, false, false, true},
}

func TestPlacing(t *testing.T) {
	list, watch := lanes.Cell{Lane: aClient, Text: "list"}, lanes.Cell{Lane: aClient, Text: "watch"}
	of := func(l int, object string) lanes.Cell { return lanes.Cell{Lane: l, Object: object, Text: object} }
	none := func(l int) lanes.Cell { return lanes.Cell{Lane: l, Text: "a"} }
	for _, c := range []struct {
		law   string
		cells []lanes.Cell
		rows  []int
	}{
		{"an object on its way to the right stays in its row",
			[]lanes.Cell{of(aServer, "a"), of(aClient, "a"), of(aQueue, "a")}, []int{0, 0, 0}},
		{"a lane keeps the order of reports, of one object or of several",
			[]lanes.Cell{of(aQueue, "a"), of(aQueue, "b"), of(aQueue, "a")}, []int{0, 1, 2}},
		{"an effect in a lane to the left stands below its cause",
			[]lanes.Cell{of(aHandler, "a"), of(aServer, "a")}, []int{0, 1}},
		{"an effect in a lane to the right stands no higher than its cause",
			[]lanes.Cell{of(aWorker, "b"), of(aWorker, "a"), of(aHandler, "a")}, []int{0, 1, 1}},
		{"objects that have nothing to do with each other may share a row",
			[]lanes.Cell{of(aWorker, "a"), of(aServer, "b")}, []int{0, 0}},
		{"the objects of a list stand no higher than the list",
			[]lanes.Cell{watch, list, of(aQueue, "a")}, []int{0, 1, 1}},
		{"requests and answers, which are about no object, go downwards",
			[]lanes.Cell{watch, list, none(aServer), watch}, []int{0, 1, 1, 2}},
		{"a cell about no object may stand above those of a lane that does not talk with its own",
			[]lanes.Cell{none(aQueue), none(aQueue), none(aClient)}, []int{0, 1, 0}},
		{"the same holds for a lane on the right",
			[]lanes.Cell{none(aClient), none(aClient), none(aQueue)}, []int{0, 1, 0}},
	} {
		assert.Equal(t, c.rows, five.Place(c.cells), c.law)
	}
}

func TestLanesAsText(t *testing.T) {
	cells := []lanes.Cell{
		{Lane: aServer, Object: "web-1", Text: "web-1 is a long text"},
		{Lane: aClient, Object: "web-1", Text: "web-1"},
		{Lane: aQueue, Object: "db-1", Text: "db-1"},
		{Lane: aWorker, Object: "db-1", Text: "thirteen wide"},
		{Lane: aHandler, Object: "db-1", Text: "delete some-deployment-with-a-long-name-5d57-abcde @1234567890123"},
		{Lane: aQueue, Text: "synced"},
		{Lane: aHandler, Text: "lost", Alarm: true},
	}
	want := []string{
		" server          client          queue              worker         handler",
		"───────────────┬───────────────┬──────────────────┬──────────────┬────────────────────",
		" web-1 is a ───▶ web-1         │ db-1 ────────────▶ thirteen wide▶ delete",
		"  long text    │               │                  │              │  some-dep…d57-abcde",
		"               │               │                  │              │  @1234567890123",
		"               │               │ synced           │              │ lost",
	}
	draw := func(ink lanes.Ink) []string {
		text := lanes.NewText(five, []int{14, 14, 17, 13, 19}, ink)
		rows := append(text.Header(), text.Draw(cells)...)
		return strings.Split(strings.Join(rows, "\n"), "\n")
	}
	assert.Equal(t, want, draw(lanes.Ink{}))
	for i, line := range draw(lanes.Ink{Colour: true}) {
		assert.NotEqual(t, want[i], line)
		assert.Equal(t, want[i], regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(line, ""))
	}
	first := draw(lanes.Ink{Colour: true})[2]
	assert.Equal(t, 2, strings.Count(first, "\x1b[36mweb-1"), "an object keeps its colour")
	assert.Contains(t, first, "\x1b[33mdb-1", "and another one has another")
	assert.Equal(t, []string{"  one two", "  three"}, lanes.Paragraph("one two three", 11, 2))
	assert.Equal(t, []string{""}, lanes.Wrap("", 11))
}
