package picture

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/reflector"
)

// fetchAndFollow is the picture of chapter 2: the reflector's table without what happens within a
// fetch. Every row that begins in following belongs to one of its arrows.
func fetchAndFollow(archive) (plan, error) {
	var works, ended, old, trouble way
	for _, t := range reflector.Table(false) {
		follows, on := isFollowing(t.From), t.On.String()
		switch {
		case !follows && isFollowing(t.To):
			works.add(t)
		case !follows || on == "opened": // within a fetch, or within following
		case isFollowing(t.To):
			ended.add(t)
		case strings.HasPrefix(on, "expired"):
			old.add(t)
		default:
			trouble.add(t)
		}
	}
	ways := []way{works, ended, old, trouble}
	for i, w := range ways {
		if len(w.outcomes) == 0 {
			return plan{}, fmt.Errorf("arrow %d has no row in the reflector's table", i+1)
		}
	}
	if !old.pauses || !trouble.pauses {
		return plan{}, fmt.Errorf("the reflector fetches again without a pause: %v, %v", old, trouble)
	}
	return plan{
		claim: "A reflector fetches the whole collection, then follows its changes. A stream that " +
			"ends costs another watch. Only a version that is too old, and trouble, cost another " +
			"fetch, after a pause.",
		says: fmt.Sprintf("Fetch to follow, it worked: %v. Follow again, the stream ended: %v. "+
			"Follow to fetch, too old: %v; trouble: %v. A star is a pause.",
			works, ended, old, trouble),
		draw: func(c *canvas) { drawWays(c, ways) },
	}, nil
}

// isFollowing reports whether a state is one of the two that follow changes: opening watch and
// watching.
func isFollowing(s reflector.State) bool { return strings.Contains(s.String(), "watch") }

// way is an arrow between the two boxes: outcomes that lead along it, with a star for a pause.
type way struct {
	outcomes []string
	pauses   bool // each time
}

func (w *way) add(t reflector.Transition) {
	on := t.On.String()
	pause := strings.HasPrefix(t.Do.String(), "back off")
	w.pauses = pause && (w.pauses || len(w.outcomes) == 0)
	if pause {
		on += "*"
	}
	if !slices.Contains(w.outcomes, on) {
		w.outcomes = append(w.outcomes, on)
	}
}

func (w way) String() string { return strings.Join(w.outcomes, ", ") }

// when says whether a pause comes first. The outcomes are explained after the picture.
func (w way) when() string {
	switch {
	case w.pauses:
		return "after a pause"
	case strings.Contains(w.String(), "*"):
		return "at once, or after a pause"
	}
	return "at once"
}

// drawWays draws the boxes and the four arrows: one to the right, one back to where it came from,
// two to the left.
func drawWays(c *canvas, ways []way) {
	width, x := 220, 498
	boxes := [][2]string{{"fetch", "everything there is, by a list or a streaming list"},
		{"follow", "what changes, by a watch from the last version"}}
	if !c.wide {
		width, x = 104, 234
		boxes[0][1], boxes[1][1] = "all: a list", "changes: a watch"
	}
	for i, box := range boxes {
		c.box("box", i*x, 60, width, 128)
		c.text("large", i*x+12, 84, box[0])
		c.para("soft", i*x+12, 106, width-20, box[1])
	}
	label := func(x, y int, name string, w way) {
		c.text("strong mid", x, y-20, name)
		c.text("soft mid", x, y-6, w.when())
	}
	middle := (width + x) / 2
	if c.wide {
		c.arrow("way", right, x-2, 84, "M%d,84", width)
		label(middle, 84, "works", ways[0])
		c.arrow("line", left, width+2, 128, "M%d,128", x)
		label(middle, 128, "too old", ways[2])
		c.arrow("line", left, width+2, 172, "M%d,172", x)
		label(middle, 172, "trouble", ways[3])
		c.arrow("line", down, x+150, 58, "M%d,60V24H%d", x+40, x+150)
		label(x+95, 22, "stream ended", ways[1])
		return
	}
	for i, head := range []string{right, left, left} {
		y, from, to, class := 84+44*i, width, x-2, "way"
		if i > 0 {
			from, to, class = x, width+2, "line"
		}
		c.arrow(class, head, to, y, "M%d,%d", from, y)
		c.text("strong mid", middle, y-6, []string{"works", "too old", "trouble"}[i])
	}
	c.arrow("line", down, x+88, 58, "M%d,60V24H%d", x+20, x+88)
	c.text("strong mid", x+54, 18, "stream ended")
	y := 212
	for i, name := range []string{"works", "stream ended", "too old", "trouble"} {
		c.text("strong", 0, y, name)
		y = c.para("soft", 116, y, c.width-116, ways[i].when())
	}
}
