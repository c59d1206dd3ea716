package tape

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/lanes"
)

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
		{"so do those that were seen before",
			[]lanes.Cell{of(aServer, "a"), watch, list, of(aQueue, "a")}, []int{0, 0, 1, 1}},
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
	assert.Contains(t, first, "\x1b[32mdb-1", "and another one has another, as on the live page")
	assert.Equal(t, []string{"  one two", "  three"}, lanes.Paragraph("one two three", 11, 2))
	assert.Equal(t, []string{""}, lanes.Wrap("", 11))
}

func TestAScreenWaitsForAReaderAtATerminal(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	defer write.Close()
	device, err := os.OpenFile(os.DevNull, os.O_RDWR, 0) // a character device, as terminals are
	require.NoError(t, err)
	defer device.Close()
	assert.Nil(t, lanes.NewScreen(read, device, false).Enter)
	assert.Nil(t, lanes.NewScreen(device, write, false).Enter, "without a screen there is no prompt")
	assert.Nil(t, lanes.NewScreen(device, device, true).Enter, "a fast one does not wait")
	s, file := lanes.NewScreen(device, device, false), lanes.NewScreen(device, write, false)
	_, err = s.Enter(t.Context())
	assert.ErrorIs(t, err, io.EOF)
	assert.Equal(t, []int{24, 80, 0, 100}, []int{s.Rows, s.Columns, file.Rows, file.Columns},
		"a file has room, an unknown terminal is small")
	assert.True(t, file.Fast, "output that is no terminal comes without pauses")
}
