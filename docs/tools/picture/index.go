package picture

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/story"
)

// movingKey is the picture of chapter 4: the two sets of an index between which an update moves a
// key. It is read from the states that a story of the indexer prints, which its test compares.
func movingKey(a archive) (plan, error) {
	const file = "indexer/testdata/1_an_update_moves_an_object_between_values.story"
	text, err := a.ReadFile(file)
	if err != nil {
		return plan{}, err
	}
	steps, err := story.Parse(string(text))
	if err != nil {
		return plan{}, fmt.Errorf("%s: %w", file, err)
	}
	i := slices.IndexFunc(steps, func(s story.Step) bool { return s.Command.Name == "update" })
	if i < 1 {
		return plan{}, fmt.Errorf("%s: no update after another command", file)
	}
	before, after := readItems(steps[i-1].State), readItems(steps[i].State)
	for k, old := range before {
		if k < len(after) && after[k].key == old.key && after[k].value != old.value {
			return plan{
				claim: "The index func is called for the old object and for the new one. The first answer " +
					"says " +
					"which set the key leaves, the second which set it enters.",
				says: fmt.Sprintf("An update of %v to %v: the key moves from %s to %s.", old.object,
					after[k].object,
					old.value, after[k].value),
				draw: func(c *canvas) { drawMove(c, before, after, old, after[k]) },
			}, nil
		}
	}
	return plan{}, fmt.Errorf("%s: no update moves a key from one value to another", file)
}

// item is an object of an indexer, with its value in an index.
type item struct {
	object
	value string
}

var itemLine = regexp.MustCompile(`(\S+)@(\S+) on \[(\S+)\]`)

// readItems reads the items of a state, which are sorted by key.
func readItems(lines []string) (all []item) {
	for _, m := range itemLine.FindAllStringSubmatch(strings.Join(lines, "\n"), -1) {
		all = append(all, item{state(m[1], m[2]), m[3]})
	}
	return all
}

func drawMove(c *canvas, before, after []item, old, now item) {
	width, x := 250, 440
	if !c.wide {
		width, x = 152, 188
	}
	leaves := c.set(0, width, "old object", old, before)
	enters := c.set(x, width, "new object", now, after)
	c.arrow("line", right, x-8, 40, "M94,40")
	c.arrow("way", right, x+10, enters, "M%d,%d", 14+state(old.key, "").width(), leaves)
	if c.wide {
		c.text("soft mid", 270, 32, "update")
		c.text("strong mid", 345, (leaves+enters)/2-8, "the key moves")
	}
}

// set draws an object, the answer of the index func for it, and the set of that value. It returns
// the y of the object's key there. In the set of the old value the key is struck out.
func (c *canvas) set(x, width int, name string, of item, all []item) (moves int) {
	c.text("soft", x, 14, name)
	c.object(of.object, x, 28)
	c.arrow("line", down, x+43, 99, "M%d,56", x+43)
	c.text("soft", x+54, 72, "index func")
	c.text("mono", x+54, 90, "→ "+of.value)
	all = slices.DeleteFunc(slices.Clone(all), func(i item) bool { return i.value != of.value })
	c.box("box", x, 100, width, 34+32*len(all))
	c.text("mono strong", x+10, 122, of.value)
	y := 132
	for _, i := range all {
		key := state(i.key, "")
		if i.key == of.key {
			if moves = y + high/2; x == 0 {
				key.look = "gone"
			}
		}
		c.object(key, x+10, y)
		y += high + 8
	}
	return moves
}
