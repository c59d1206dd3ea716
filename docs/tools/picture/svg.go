package picture

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
)

// Sizes in the units of the drawings, which are pixels where a drawing is not scaled.
const (
	wideWidth   = 720
	narrowWidth = 340

	letter = 8   // the width of a letter of class mono, at 13 pixels
	prose  = 7.4 // the mean width of any other letter, in the widest font of the book
	line   = 18  // from one line of text to the next
	high   = 24  // the height of an object
)

// canvas is a drawing that is being written.
type canvas struct {
	wide   bool
	width  int
	height int // as far as something was drawn
	out    strings.Builder
}

// svg draws the plan at a width. The class says which columns it is for. What stands before the
// drawing is "", or what a file of its own needs; such a file has a margin.
func (p plan) svg(class string, width int, before string) string {
	c := &canvas{wide: width == wideWidth, width: width}
	p.draw(c)
	edge := 1
	if before != "" {
		edge = 17
	}
	return fmt.Sprintf(`<svg class="picture %s" xmlns="http://www.w3.org/2000/svg" `+
		`viewBox="-%d -%[2]d %d %d" width="%[3]d" height="%[4]d" role="img" `+
		`font-family="sans-serif" font-size="13" fill="currentColor">`+
		"\n<title>%s</title>\n<desc>%s</desc>\n%s%s</svg>\n", class, edge, c.width+2*edge,
		c.height+2*edge, html.EscapeString(p.claim), html.EscapeString(p.says), before, c.out.String())
}

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(&c.out, format+"\n", args...) }

// text writes one line; y is its baseline. With the class mid, x is its middle.
func (c *canvas) text(class string, x, y int, s string) {
	anchor := ""
	if strings.HasSuffix(class, " mid") {
		anchor = ` text-anchor="middle"`
	}
	c.printf(`<text class="%s" x="%d" y="%d"%s>%s</text>`, class, x, y, anchor, html.EscapeString(s))
	c.height = max(c.height, y+5)
}

// para breaks a text into lines of at most this width, and returns the baseline below them.
func (c *canvas) para(class string, x, y, width int, s string) int {
	for _, l := range program.Wrap(s, int(float64(width)/prose)) {
		c.text(class, x, y, strings.TrimSpace(l))
		y += line
	}
	return y
}

// box draws a place, or whatever its class says.
func (c *canvas) box(class string, x, y, width, height int) {
	c.printf(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="5" fill="none" stroke="currentColor"/>`,
		class, x, y, width, height)
	c.height = max(c.height, y+height)
}

// path draws a line.
func (c *canvas) path(class, format string, args ...any) {
	c.printf(`<path class="%s" fill="none" stroke="currentColor" d="%s"/>`, class, fmt.Sprintf(format, args...))
}

// Where an arrow points to.
const (
	right = "m-8,-4l8,4l-8,4z"
	left  = "m8,-4l-8,4l8,4z"
	down  = "m-4,-8l4,8l4,-8z"
	up    = "m-4,8l4,-8l4,8z"
)

// arrow draws a line that ends at x and y, with a head.
func (c *canvas) arrow(class, head string, x, y int, from string, args ...any) {
	c.path(class, from+"L%d,%d", append(args, x, y)...)
	c.printf(`<path class="%s head" d="M%d,%d%s"/>`, class, x, y, head)
}

// object is one object in one state.
type object struct {
	key  string
	sign string // before the name: + ~ − for what has happened to it, or ""
	rv   string
	look string // "": as it is; tomb: a tombstone; gone: not there, or never told
}

func state(key, rv string) object { return object{key: key, rv: rv} }

func (o object) String() string {
	return strings.TrimSuffix(o.sign+tape.Short(o.key)+"@"+o.rv, "@")
}

func (o object) width() int { return letter*utf8.RuneCountInString(o.String()) + 30 }

// shapes are those of the live page (marks.js).
var shapes = []string{"M5 0 10 5 5 10 0 5Z", "M5 .3A4.7 4.7 0 1 1 4.99 .3Z", "M.8 .8H9.2V9.2H.8Z",
	"M5 .4 10 9.4H0Z"}

// mark draws the mark of an object, around x and y.
func (c *canvas) mark(o object, x, y int) {
	colour, shape := look(o.key)
	c.printf(`<path class="o%d" transform="translate(%d,%d)" d="%s"/>`, colour, x-5, y-5, shapes[shape])
}

// tint fills a place with the colour of an object.
func (c *canvas) tint(o object, x, y, width, height int) {
	colour, _ := look(o.key)
	c.box(fmt.Sprintf("tint o%d %s", colour, o.look), x, y, width, height)
}

// object draws an object.
func (c *canvas) object(o object, x, y int) {
	c.tint(o, x, y, o.width(), high)
	c.mark(o, x+13, y+high/2)
	c.text("mono "+o.look, x+23, y+17, o.String())
}

// objects draws objects in lines of at most this width, and returns the y below them.
func (c *canvas) objects(all []object, x, y, width int) int {
	at := x
	for _, o := range all {
		if at > x && at+o.width() > x+width {
			at, y = x, y+high+4
		}
		c.object(o, at, y)
		at += o.width() + 6
	}
	return y + high + 4
}

// list joins texts for a reader.
func list[T fmt.Stringer](all []T) string {
	var texts []string
	for _, t := range all {
		texts = append(texts, t.String())
	}
	return strings.Join(texts, ", ")
}
