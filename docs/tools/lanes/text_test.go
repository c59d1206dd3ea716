package lanes

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The stages of the tests. The first two talk, and so do the last two.
const (
	server = iota
	client
	queue
	worker
	handler
)

var (
	stages = Lanes{
		Names: []string{"server", "client", "queue", "worker", "handler"},
		Talks: []bool{true, false, false, true},
	}
	widths = []int{14, 14, 17, 13, 19}
)

func TestPlacing(t *testing.T) {
	list, watch := Cell{Lane: client, Text: "list"}, Cell{Lane: client, Text: "watch"}
	of := func(l int, object string) Cell { return Cell{Lane: l, Object: object, Text: object} }
	cases := []struct {
		law   string
		cells []Cell
		rows  []int
	}{
		{"an object on its way to the right stays in its row",
			[]Cell{of(server, "a"), of(client, "a"), of(queue, "a")}, []int{0, 0, 0}},
		{"a lane keeps the order of reports, of one object or of several",
			[]Cell{of(queue, "a"), of(queue, "b"), of(queue, "a")}, []int{0, 1, 2}},
		{"an effect in a lane to the left stands below its cause",
			[]Cell{of(handler, "a"), of(server, "a")}, []int{0, 1}},
		{"an effect in a lane to the right stands no higher than its cause",
			[]Cell{of(worker, "b"), of(worker, "a"), of(handler, "a")}, []int{0, 1, 1}},
		{"objects that have nothing to do with each other may share a row",
			[]Cell{of(worker, "a"), of(server, "b")}, []int{0, 0}},
		{"the objects of a list stand no higher than the list",
			[]Cell{watch, list, of(queue, "a")}, []int{0, 1, 1}},
		{"requests and answers, which are about no object, go downwards",
			[]Cell{watch, list, {Lane: server, Text: "GET"}, watch}, []int{0, 1, 1, 2}},
		{"a cell about no object may stand above those of a lane that does not talk with its own",
			[]Cell{{Lane: queue, Text: "a"}, {Lane: queue, Text: "b"}, {Lane: client, Text: "c"}},
			[]int{0, 1, 0}},
		{"the same holds for a lane on the right",
			[]Cell{{Lane: client, Text: "a"}, {Lane: client, Text: "b"}, {Lane: queue, Text: "c"}},
			[]int{0, 1, 0}},
	}
	for _, c := range cases {
		assert.Equal(t, c.rows, stages.Place(c.cells), c.law)
	}
}

func TestText(t *testing.T) {
	cells := []Cell{
		{Lane: server, Object: "web-1", Text: "web-1 is a long text"},
		{Lane: client, Object: "web-1", Text: "web-1"},
		{Lane: queue, Object: "db-1", Text: "db-1"},
		{Lane: worker, Object: "db-1", Text: "thirteen wide"},
		{Lane: handler, Object: "db-1", Text: "delete some-deployment-with-a-long-name-5d57-abcde @1234567890123"},
		{Lane: queue, Text: "synced"},
		{Lane: handler, Text: "lost", Alarm: true},
	}
	drawn := func(text *Text) []string {
		rows := append(text.Header(), text.Draw(cells)...)
		return strings.Split(strings.Join(rows, "\n"), "\n")
	}
	plain, coloured := NewText(stages, widths, Ink{}), NewText(stages, widths, Ink{Colour: true})
	want := []string{
		" server          client          queue              worker         handler",
		"───────────────┬───────────────┬──────────────────┬──────────────┬────────────────────",
		" web-1 is a ───▶ web-1         │ db-1 ────────────▶ thirteen wide▶ delete",
		"  long text    │               │                  │              │  some-dep…d57-abcde",
		"               │               │                  │              │  @1234567890123",
		"               │               │ synced           │              │ lost",
	}
	assert.Equal(t, want, drawn(plain))
	for i, line := range drawn(coloured) {
		assert.NotEqual(t, want[i], line)
		assert.Equal(t, want[i], regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(line, ""))
	}
	assert.Equal(t, colours{"web-1": 0, "db-1": 1}, coloured.colours, "each object has a colour of its own")
}

func TestWrap(t *testing.T) {
	cases := []struct {
		law, text string
		lines     []string
	}{
		{"text that fits stays on one line", "pop web-1", []string{"pop web-1"}},
		{"text is broken between words, and later lines are indented", "web-2: Deleted@7",
			[]string{"web-2:", " Deleted@7"}},
		{"a word that is too long loses its middle", "coredns-5d5756b68-abcde",
			[]string{"core…abcde"}},
		{"an empty text is one empty line", "", []string{""}},
	}
	for _, c := range cases {
		got := Wrap(c.text, 11)
		assert.Equal(t, c.lines, got, c.law)
	}
}

func TestParagraph(t *testing.T) {
	assert.Equal(t, []string{"  one two", "  three"}, Paragraph("one two three", 11, 2))
}

func TestInkIsForTerminals(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_RDWR, 0) // a character device, as terminals are
	require.NoError(t, err)
	defer device.Close()
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer file.Close()
	for _, c := range []struct {
		to      any
		environ map[string]string
		colour  bool
	}{
		{device, map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		{device, map[string]string{"NO_COLOR": "1"}, false},
		{device, map[string]string{"TERM": "dumb"}, false},
		{file, nil, false},
		{&bytes.Buffer{}, nil, false},
	} {
		assert.Equal(t, c.colour, InkFor(c.to, func(key string) string { return c.environ[key] }).Colour, c)
	}
}
