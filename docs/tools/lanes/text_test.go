package lanes

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

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

func TestTextDrawsArrowsForOneObjectOnly(t *testing.T) {
	lines := NewText(stages, widths, Ink{}).Draw([]Cell{
		{Lane: server, Object: "web-1", Text: "web-1"},
		{Lane: client, Object: "web-1", Text: "web-1"},
		{Lane: queue, Object: "db-1", Text: "db-1"},
	})
	require.Len(t, lines, 1)
	assert.Equal(t, " web-1 ────────▶ web-1         │ db-1", lines[0][:strings.Index(lines[0], "db-1")+4])
}

func TestAnArrowIsDrawnOnce(t *testing.T) {
	lines := NewText(stages, widths, Ink{}).Draw([]Cell{
		{Lane: server, Object: "web-1", Text: "web-1 is a long text"},
		{Lane: client, Object: "web-1", Text: "web-1"},
	})
	assert.Equal(t, []string{
		" web-1 is a ───▶ web-1         │                  │              │",
		"  long text    │               │                  │              │",
	}, lines)
}

func TestTextFitsItsColumns(t *testing.T) {
	var cells []Cell
	for l := range stages.Names {
		cells = append(cells, Cell{Lane: l, Object: "o",
			Text: "update some-deployment-with-a-long-name-5d5756b68-abcde @1234567890123"})
	}
	columns := 2 * len(widths)
	for _, w := range widths {
		columns += w
	}
	text := NewText(stages, widths, Ink{})
	for _, line := range append(text.Header(), text.Draw(cells)...) {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), columns, line)
	}
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

func TestColour(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_RDWR, 0) // a character device, as terminals are
	require.NoError(t, err)
	defer device.Close()
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer file.Close()

	env := func(key, value string) func(string) string {
		return func(k string) string {
			if k == key {
				return value
			}
			return ""
		}
	}
	assert.True(t, InkFor(device, env("TERM", "xterm-256color")).Colour, "a terminal gets colour")
	assert.False(t, InkFor(device, env("NO_COLOR", "1")).Colour, "with NO_COLOR there is no colour")
	assert.True(t, InkFor(device, env("NO_COLOR", "")).Colour, "an empty NO_COLOR has no effect")
	assert.False(t, InkFor(device, env("TERM", "dumb")).Colour, "a dumb terminal gets no colour")
	assert.False(t, InkFor(file, env("", "")).Colour, "a file gets no colour")
	assert.False(t, InkFor(&bytes.Buffer{}, env("", "")).Colour, "other writers get no colour")
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColourChangesNothingButColour(t *testing.T) {
	cells := []Cell{
		{Lane: server, Object: "a", Text: "PUT a"}, {Lane: client, Object: "a", Text: "a"},
		{Lane: queue, Text: "synced"}, {Lane: worker, Text: "oh", Alarm: true},
		{Lane: handler, Object: "b", Text: "OnDelete b (a tombstone)"},
	}
	coloured := NewText(stages, widths, Ink{Colour: true})
	want, got := NewText(stages, widths, Ink{}).Draw(cells), coloured.Draw(cells)
	require.Len(t, got, len(want))
	for i := range want {
		assert.NotEqual(t, want[i], got[i])
		assert.Equal(t, want[i], escape.ReplaceAllString(got[i], ""))
	}
	assert.Equal(t, colours{"a": 0, "b": 1}, coloured.colours, "each object has a colour of its own")
}
