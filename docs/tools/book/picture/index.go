package picture

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/story"
)

// movingKey is the picture of chapter 4: the two sets of an index between which an update moves a key.
// It is read from the states that a story of the indexer prints, which its test compares.
func movingKey(a *archive) (plan, error) {
	const file = "indexer/testdata/1_an_update_moves_an_object_between_values.story"
	text, err := a.source.ReadFile(file)
	if err != nil {
		return plan{}, err
	}
	steps, err := story.Parse(string(text))
	if err != nil {
		return plan{}, fmt.Errorf("%s: %w", file, err)
	}
	i := slices.IndexFunc(steps, func(s story.Step) bool { return s.Loud && s.Command.Name == "update" })
	if i < 1 || !steps[i-1].Loud {
		return plan{}, fmt.Errorf("%s: no update with a state before it and after it", file)
	}
	m := move{before: readIndex(steps[i-1].State), after: readIndex(steps[i].State)}
	for value, keys := range m.before.sets {
		for _, key := range keys {
			if m.before.items[key] != m.after.items[key] && !slices.Contains(m.after.sets[value], key) {
				m.key, m.from = key, value
			}
		}
	}
	for value, keys := range m.after.sets {
		if slices.Contains(keys, m.key) && value != m.from {
			m.to = value
		}
	}
	if m.key == "" || m.to == "" {
		return plan{}, fmt.Errorf("%s:%d: no key moves from one value to another", file, steps[i].Line)
	}
	return plan{
		claim: "The index func is called for the old object and for the new one. The first answer says which " +
			"set the key leaves, the second which set it enters.",
		says: fmt.Sprintf("An update takes %s from version %s to %s: its key moves from %s to %s.", m.key,
			m.before.items[m.key], m.after.items[m.key], m.from, m.to),
		stories: []string{file},
		draw:    m.draw,
	}, nil
}

// index is a state of an indexer with one index.
type index struct {
	name  string
	items map[string]string   // key → version
	sets  map[string][]string // value → keys
}

// readIndex reads the lines "key@version on […]" and "value: keys" of a state.
func readIndex(state []string) index {
	x := index{items: map[string]string{}, sets: map[string][]string{}}
	for _, l := range state {
		if name, ok := strings.CutPrefix(l, "index "); ok {
			x.name = name
		} else if item, _, ok := strings.Cut(l, " on ["); ok {
			key, rv, _ := strings.Cut(strings.TrimSpace(item), "@")
			x.items[key] = rv
		} else if value, keys, ok := strings.Cut(strings.TrimSpace(l), ": "); ok {
			x.sets[value] = strings.Fields(keys)
		}
	}
	return x
}

// move is an update that moves a key.
type move struct {
	before, after index
	key, from, to string
}

func (m move) draw(c *canvas) {
	width, x2 := 250, 440
	if !c.wide {
		width, x2 = 152, 188
	}
	c.side(0, width, "old object", object{key: m.key, rv: m.before.items[m.key]}, m.before.name, m.from)
	c.side(x2, width, "new object", object{key: m.key, rv: m.after.items[m.key]}, m.after.name, m.to)
	c.arrow("line", 94, 40, x2-8, 40)
	if c.wide {
		c.middle("soft", 270, 32, "update")
		c.middle("strong", 345, 170, "the key moves")
	}
	leaves := m.set(c, 0, width, m.from, "gone")
	enters := m.set(c, x2, width, m.to, "")
	y := leaves + high/2
	c.path("way", "M%d,%dC%d,%d %d,%d %d,%d", 10+leftWidth(m.key), y, x2-40, y, x2-50, enters+high/2, x2+2,
		enters+high/2)
	c.head("way", right, x2+10, enters+high/2)
}

// side draws an object, and the answer of the index func for it, which leads to a set.
func (c *canvas) side(x, width int, name string, o object, index, value string) {
	c.text("soft", x, 14, name)
	c.object(o, x, 28)
	c.path("line", "M%d,%dV%d", x+43, 56, 92)
	c.head("line", down, x+43, 100)
	c.text("soft", x+54, 72, index+" func")
	c.text("mono", x+54, 90, "→ "+value)
	c.box("box", x, 100, width, 104)
	c.text("mono strong", x+10, 122, value)
}

// set draws the keys of a value before and after, and returns the y of the key that moves.
func (m move) set(c *canvas, x, width int, value, look string) (moves int) {
	keys := slices.Clone(m.before.sets[value])
	keys = append(keys, m.after.sets[value]...)
	slices.Sort(keys)
	y := 132
	for _, key := range slices.Compact(keys) {
		o := object{key: key}
		if key == m.key {
			o.look, moves = look, y
		}
		c.object(o, x+10, y)
		y += high + 8
	}
	return moves
}

func leftWidth(key string) int { return object{key: key}.width() + 4 }
