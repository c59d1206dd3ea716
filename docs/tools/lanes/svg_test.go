package lanes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSVG(t *testing.T) {
	svg := SVG(stages, widths, []Part{
		{Title: "First", Words: "a < b", Cells: []Cell{
			{Lane: server, Object: "web-1", Text: "web-1"},
			{Lane: client, Object: "web-1", Text: "web-1 is a long text"},
			{Lane: client, Object: "db-1", Text: "db-1"},
			{Lane: queue, Text: "list"},
			{Lane: handler, Text: "lost", Alarm: true},
		}},
		{Title: "Second", Cells: []Cell{{Lane: worker, Object: "db-1", Text: "again"}}},
	})
	count := func(want int, part, law string) {
		t.Helper()
		assert.Equal(t, want, strings.Count(svg, part), law)
	}
	count(1, "<title>First. Second</title>", "screen readers read the titles")
	count(1, ">a &lt; b</text>", "text is escaped")
	count(2, ">handler</text>", "each part names the lanes")
	count(2, `<rect class="k0"`, "each cell about an object has a box")
	count(2, `<rect class="k1"`, "a box has the colour of its object, in all parts")
	count(1, `<path class="p p0"`, "an arrow leads to the next lane for an object that moves on")
	count(0, `<path class="p p1"`, "there is no arrow for an object that does not move on")
	count(1, `> long text</text>`, "long texts are broken")
	count(1, `<text class="q"`, "a cell about no object has no box")
	count(1, `<text class="a"`, "an alarm has a colour of its own")
}
