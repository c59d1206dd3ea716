package diagram

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The measures of the curves, in pixels.
const (
	left, top     = 60.0, 20.0
	width, height = 420.0, 260.0
	legend        = 330.0 // to the right of the curves
)

// strokes differ in their dashes, so that the curves can be told apart without colours, too.
var strokes = []struct{ color, dashes string }{
	{"#0072b2", ""}, {"#d55e00", "8 4"}, {"#009e73", "2 4"},
	{"#cc79a7", "12 4 2 4"}, {"#a67c00", "4 2"}, {"#56849c", "1 6"}, {"#666666", "16 6"},
}

// Growth draws the table of appendix B as a complete SVG file. A row of the table has a name, how
// the time of one object grows with the number of objects, and two cells that are not drawn. The
// numbers of objects stand in the heading, and in the picture at equal distances: the axis is
// logarithmic if each is ten times the one before.
func Growth(table string) string {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	_, sizes := cut(lines[0])
	names, growth, most := []string{}, [][]float64{}, 2.0
	for _, line := range lines[2:] {
		name, cells := cut(line)
		var row []float64
		for _, cell := range cells {
			n, _ := strconv.ParseFloat(strings.TrimSuffix(cell, "×"), 64)
			row = append(row, n)
		}
		names, growth = append(names, name), append(growth, row)
		most = max(most, math.Ceil(slices.Max(row)))
	}
	at := func(i int, growth float64) (x, y float64) {
		return left + width*float64(i)/float64(len(sizes)-1), top + height*(1-growth/most)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" role="img">`+"\n",
		left+width+legend, top+height+50)
	b.WriteString("<title>How the cost of one object grows with their number</title>\n" + style)
	for n := 0.0; n <= most; n++ {
		x, y := at(0, n)
		fmt.Fprintf(&b, `<line class="grid" x1="%.0f" y1="%.1f" x2="%.0f" y2="%.1f"/>`, x, y, x+width, y)
		fmt.Fprintf(&b, `<text x="%.0f" y="%.1f" text-anchor="end">%.0f×</text>`+"\n", x-8, y+4, n)
	}
	for i, size := range sizes {
		x, y := at(i, 0)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", x, y+20, size)
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle">objects</text>`+"\n",
		left+width/2, top+height+40)
	for n, row := range growth {
		var points []string
		for i, growth := range row {
			x, y := at(i, growth)
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
		}
		curve(&b, n, names[n], points)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// cut returns the first cell of a row, and the others without the last two.
func cut(line string) (first string, cells []string) {
	cells = strings.Split(strings.Trim(line, "| "), " | ")
	return cells[0], cells[1 : len(cells)-2]
}

// curve draws one row, and its line in the legend.
func curve(b *strings.Builder, n int, what string, points []string) {
	stroke := strokes[n%len(strokes)]
	attributes := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="2.5" stroke-dasharray="%s"`,
		stroke.color, stroke.dashes)
	fmt.Fprintf(b, `<polyline %s points="%s"/>`+"\n", attributes, strings.Join(points, " "))
	x, y := left+width+24, top+14+float64(n)*26
	fmt.Fprintf(b, `<line %s x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f"/>`, attributes, x, y, x+40, y)
	fmt.Fprintf(b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", x+50, y+4, html.EscapeString(what))
}

const style = `<style>
text { font: 13px sans-serif; fill: #222 }
.grid { stroke: #ccc; stroke-width: 1 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #444 } }
</style>
`
