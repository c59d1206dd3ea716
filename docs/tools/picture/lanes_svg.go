package picture

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/watchglass/docs/tools/tape"
)

// A part is one of the pictures that lanesSVG draws below each other.
type part struct {
	title string
	words string // one line below the title
	cells []cell
}

// Sizes in the units of an SVG, which are pixels if it is not scaled.
const (
	cellLetter = 8  // the width of a letter in a cell; all letters have the same width
	inset      = 7  // on both sides of the text in a cell
	gap        = 14 // between lanes, for arrows
	margin     = 18 // around everything
	cellLine   = 16 // from one line of a cell to the next
	between    = 10 // between rows
	pad        = 4  // by which a lane is wider than its cells
)

// style has the colours for light and for dark screens. Colour is never the only difference between
// two objects: their names are in the text, too. They are those of the live page (live.css).
const style = `
  .b{fill:#fff;stroke:#d1d9e0} .l{fill:#f3f5f8} .n,.t{fill:#1f2328;font-weight:600} .c{fill:#1f2328}
  .w,.q{fill:#59636e} .a{fill:#c21c26} .p{fill:none;stroke-width:1.5}
  .k0{fill:#d9efe9;stroke:#00936b} .k1{fill:#d9eaf3;stroke:#0072b2}
  .k2{fill:#f6ebd9;stroke:#c07a00} .k3{fill:#f5e8ef;stroke:#bf6494}
  .p0{stroke:#00936b} .p1{stroke:#0072b2} .p2{stroke:#c07a00} .p3{stroke:#bf6494}
  @media (prefers-color-scheme:dark){
  .b{fill:#0d1117;stroke:#3d444d} .l{fill:#171d26} .n,.t,.c{fill:#f0f6fc} .w,.q{fill:#9da7b1}
  .a{fill:#ff8a84} .k0{fill:#154336;stroke:#2fbf92} .k1{fill:#1f3d4d;stroke:#56b4e9}
  .k2{fill:#483610;stroke:#e69f00} .k3{fill:#462e3a;stroke:#dd8fbb}
  .p0{stroke:#2fbf92} .p1{stroke:#56b4e9} .p2{stroke:#e69f00} .p3{stroke:#dd8fbb}}
  text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
  white-space:pre} .t{font:600 16px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
  .w{font:14px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
`

// lanesSVG draws parts below each other and returns a complete SVG file for light and dark screens.
// The widths of the lanes are in letters.
func lanesSVG(of lanes, widths []int, parts []part) string {
	d := drawing{lanes: of, widths: widths}
	var names []string
	y := margin
	for _, p := range parts {
		names = append(names, p.title)
		y = d.part(p, y)
	}
	width, height := d.left(len(widths))-gap+margin, y
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" `+
		"height=\"%d\" role=\"img\">\n<title>%s</title>\n<style>%s</style>\n"+
		`<rect class="b" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n%s</svg>\n",
		width, height, width, height, html.EscapeString(strings.Join(names, ". ")), style,
		width-1, height-1, d.out.String())
}

// drawing is an SVG that is being written.
type drawing struct {
	lanes  lanes
	widths []int
	out    strings.Builder
}

// left returns the x at which a lane begins.
func (d *drawing) left(lane int) int {
	x := margin
	for _, w := range d.widths[:lane] {
		x += w*cellLetter + 2*inset + gap
	}
	return x
}

func (d *drawing) text(class string, x, y int, s string) {
	fmt.Fprintf(&d.out, `<text class="%s" x="%d" y="%d">%s</text>`, class, x, y, html.EscapeString(s))
}

// part draws one part from y on, and returns where the next one begins.
func (d *drawing) part(p part, y int) int {
	d.text("t", margin, y+14, p.title)
	d.text("w", margin, y+36, p.words)
	y += 54
	grid := d.lanes.grid(p.cells, d.widths)
	bottom := y + 34
	for _, row := range grid {
		bottom += height(row)*cellLine + between
	}
	for l, name := range d.lanes.names {
		x := d.left(l)
		fmt.Fprintf(&d.out, `<rect class="l" x="%d" y="%d" width="%d" height="%d" rx="6"/>`,
			x-pad, y, d.left(l+1)-gap-x+2*pad, bottom-y)
		d.text("n", x+inset, y+20, name)
	}
	y += 34
	for _, row := range grid {
		for l, f := range row {
			if f.cell == nil {
				continue
			}
			d.cell(f, d.left(l), y)
			if carries(row, l) {
				d.arrow(d.left(l)+wide(f.lines), d.left(l+1), y+10, f.cell)
			}
		}
		y += height(row)*cellLine + between
	}
	d.out.WriteString("\n")
	return bottom + margin + 6
}

// wide returns how much room the box around lines of text takes.
func wide(lines []string) int {
	most := 0
	for _, s := range lines {
		most = max(most, utf8.RuneCountInString(s))
	}
	return most*cellLetter + 2*inset
}

// cell draws the text, and a box around it if it is about an object.
func (d *drawing) cell(f field, x, y int) {
	class := "c"
	switch {
	case f.alarm:
		class = "a"
	case f.object == "":
		class = "q"
	default:
		fmt.Fprintf(&d.out, `<rect class="k%d" x="%d" y="%d" width="%d" height="%d" rx="5"/>`,
			colour(f.object), x, y-1, wide(f.lines), len(f.lines)*cellLine+5)
	}
	for i, s := range f.lines {
		d.text(class, x+inset, y+13+i*cellLine, s)
	}
}

// arrow draws the arrow of an object that moves on to the next lane.
func (d *drawing) arrow(from, to, y int, c *cell) {
	fmt.Fprintf(&d.out, `<path class="p p%d" d="M%d %dH%dm-5 -4l5 4l-5 4"/>`,
		colour(c.object), from, y, to-1)
}

// pictured are the parts of the picture in the README: of a lesson, what its commands from one on
// have led to.
var pictured = []struct {
	lesson, from, to string
	part             part
}{
	{"update", "update web-1 color=blue", "create web-2", part{
		title: "An update on its way",
		words: "Each column is a stage, read downwards. An arrow is an object that moves on to the " +
			"next stage."}},
	{"lost-deletion", "disconnect", "", part{
		title: "A deletion that no watch has reported",
		words: "web-2 was deleted while there was no watch, and the server forgot its history. " +
			"A list shows that web-2 is missing."}},
}

// OfTape draws a tape as SVG: of a lesson what is between its first beat and its last, of another
// story as much as one sees at once.
func OfTape(t *tape.Tape, l tape.Lesson, narrow bool) string {
	events, widths, most := t.Events, wideLanes, 30
	if len(l.Beats) > 0 {
		most = len(events)
		events = events[l.Beats[0].Seq : l.Beats[len(l.Beats)-1].Seq+1]
	}
	if narrow {
		widths = narrowLanes
	}
	shown := cells(drawn(events))
	return lanesSVG(pipe(t), widths, []part{{title: l.Title, cells: shown[:min(len(shown), most)]}})
}

// overview draws the picture of the README, as SVG, from the tapes of lessons.
func overview(r *tape.Recorder) (string, error) {
	var parts []part
	columns := lanes{}
	for _, p := range pictured {
		i := slices.IndexFunc(tape.Lessons, func(l tape.Lesson) bool { return l.Name == p.lesson })
		_, t, err := tape.Lessons[i].Play(r)
		if err != nil {
			return "", err
		}
		is := func(command string) func(*tape.Event) bool {
			return func(e *tape.Event) bool { return e.Kind == "do" && e.Text == command }
		}
		events := t.Events[slices.IndexFunc(t.Events, is(p.from)):]
		if end := slices.IndexFunc(events, is(p.to)); end > 0 {
			events = events[:end]
		}
		p.part.cells = cells(drawn(events))
		parts, columns = append(parts, p.part), pipe(t)
	}
	return lanesSVG(columns, wideLanes, parts), nil
}
