package picture

import (
	"fmt"
	"slices"

	"example.com/watchglass/docs/tools/tape"
)

// queueAndItems is a picture of chapter 3: the two fields of DeltaFIFO before and after a list.
func queueAndItems(a archive) (plan, error) {
	r := a.play("informer/testdata/24_a_list_finds_what_is_gone.story")
	at := r.last("reflector", "listed")
	before := slices.Clone(at.State.Queue.Rows)
	after := r.next("queue", "replaced", "").State.Queue.Rows
	keeps, appends := false, false
	says := ""
	for i, row := range after {
		if i < len(before) && before[i].Key == row.Key {
			keeps = keeps || len(row.Deltas) > len(before[i].Deltas)
		} else {
			appends = true
		}
		says += fmt.Sprintf("%s: %s. ", tape.Short(row.Key), list(objectsOf(row)))
	}
	if len(before) == 0 || !keeps || !appends {
		r.fail("the list does not add a delta to a queued key and a key behind it")
	}
	return plan{
		claim: "queue and items hold the same keys. A list adds one delta for each object that it " +
			"names, or that is missing in it: a key that is queued keeps its place, a new one goes " +
			"to the end.",
		says: "After the list: " + says,
		draw: func(c *canvas) { drawQueue(c, before, after) },
	}, r.err
}

// objectsOf are the deltas of a row of the queue.
func objectsOf(row tape.QueueRow) (all []object) {
	for _, d := range row.Deltas {
		o := object{sign: d.Type + " ", rv: d.RV}
		if d.Tombstone {
			o.look = "tomb"
		}
		o.key = row.Key
		all = append(all, o)
	}
	return all
}

func drawQueue(c *canvas, before, after []tape.QueueRow) {
	c.fields(0, 0, "before the list", before, before)
	if c.wide {
		c.arrow("ink", right, 300, 76, "M268,76")
		c.fields(316, 0, "after the list", after, before)
	} else {
		c.arrow("ink", down, 40, c.height+34, "M40,%d", c.height+8)
		c.fields(0, c.height+44, "after the list", after, before)
	}
}

// fields draws queue and items, side by side, with what is new in ink.
func (c *canvas) fields(x, y int, name string, rows, before []tape.QueueRow) {
	c.text("strong", x, y+14, name)
	c.text("mono soft", x+8, y+38, "queue")
	c.text("mono soft", x+104, y+38, "items")
	y += 46
	for i, row := range rows {
		deltas, known := objectsOf(row), 0
		if i < len(before) && before[i].Key == row.Key {
			known = len(before[i].Deltas)
		}
		height := 30 * len(deltas)
		class := "box"
		if known == 0 {
			class = "ink"
		}
		c.box(class, x, y, 88, height)
		c.object(state(row.Key, ""), x+4, y+3)
		c.arrow("line", right, x+102, y+15, "M%d,%d", x+88, y+15)
		for k, d := range deltas {
			class := "line"
			if k >= known {
				class = "ink"
			}
			kind := d.sign
			d.sign = ""
			c.tint(d, x+104, y+3+30*k, 150, high)
			c.path(class, "M%d,%dv24", x+104, y+3+30*k)
			c.text("mono", x+112, y+20+30*k, kind+"@"+d.rv)
		}
		y += height + 8
	}
}
