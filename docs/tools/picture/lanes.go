package picture

import (
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
)

// A cell is one entry in a picture of lanes: something that happened in one stage. The picture
// decides only where a cell stands.
type cell struct {
	lane   int    // the column, counted from 0
	object string // the key of the object that the cell is about; "" if it is about none
	text   string
	alarm  bool // whether something went wrong
}

// lanes describes the columns of a picture, from left to right: one for each stage. Time goes
// downwards, and an arrow is an object that moves on to the next stage.
type lanes struct {
	names []string
	// talks says, for the gap to the right of each lane, whether the two lanes beside it send each
	// other requests and answers. Then a cell about no object in one can cause such a cell in the
	// other.
	talks []bool
}

// place returns the row of each cell. The cells are given in the order in which they were
// reported. In each lane this order is kept. Between lanes, only cause and effect matter:
//
//   - A cell about an object stands to the right of the previous cell about that object, or below
//     it. If the object has not come from the lane on its left, the cell stands no higher than the
//     last cell about no object in that lane, for example the list that contained the object.
//   - A cell about no object (a request, the end of a watch) stands no higher than the last such
//     cell in the lanes that its own lane talks with.
//
// Cells that share no cause may share a row although they happened at different times.
func (l lanes) place(cells []cell) []int {
	rows := make([]int, len(cells))
	next := make([]int, len(l.names))  // the first free row of each lane
	quiet := make([]int, len(l.names)) // the row of its last cell about no object
	cause := map[string]int{}          // the last cell about an object
	for i, c := range cells {
		row := next[c.lane]
		last, known := cause[c.object]
		listed := c.lane > 0 && !(known && (cells[last].lane == c.lane || cells[last].lane == c.lane-1))
		if c.object != "" && listed {
			row = max(row, quiet[c.lane-1])
		}
		switch {
		case c.object == "":
			row = max(row, l.asked(c.lane, quiet))
			quiet[c.lane] = row
		case known && cells[last].lane < c.lane:
			row = max(row, rows[last])
		case known:
			row = max(row, rows[last]+1)
		}
		if c.object != "" {
			cause[c.object] = i
		}
		rows[i] = row
		next[c.lane] = row + 1
	}
	return rows
}

// asked returns the row of the last cell about no object in the lanes that lane talks with.
func (l lanes) asked(lane int, quiet []int) (row int) {
	if lane > 0 && l.talks[lane-1] {
		row = quiet[lane-1]
	}
	if lane < len(l.talks) && l.talks[lane] {
		row = max(row, quiet[lane+1])
	}
	return row
}

// A field of a picture has a cell, or none, which is nil.
type field struct {
	*cell
	lines []string // of its text
}

// grid arranges the cells: rows from the top, in each row the lanes from the left.
func (l lanes) grid(cells []cell, widths []int) (grid [][]field) {
	for i, row := range l.place(cells) {
		for len(grid) <= row {
			grid = append(grid, make([]field, len(l.names)))
		}
		c := &cells[i]
		grid[row][c.lane] = field{c, program.Wrap(c.text, widths[c.lane])}
	}
	return grid
}

// height returns how many lines a row has, at least one.
func height(row []field) int {
	most := 1
	for _, f := range row {
		most = max(most, len(f.lines))
	}
	return most
}

// carries reports whether an arrow leads from a field of a row to the next: the object moves on.
func carries(row []field, lane int) bool {
	if lane+1 == len(row) || row[lane].cell == nil || row[lane+1].cell == nil {
		return false
	}
	return row[lane].object != "" && row[lane].object == row[lane+1].object
}

// colours is how many colours objects have.
const colours = 4

// colour returns the number of an object's colour.
func colour(key string) int {
	colour, _ := look(key)
	return colour
}

// look returns the numbers of an object's colour and of the shape of its mark, 0 to 3. They are
// made of the name alone, as the live page makes them (look in marks.js): an object looks the same
// everywhere.
func look(key string) (colour, shape int) {
	name := strings.TrimPrefix(key, "default/")
	word := strings.TrimRight(name, "0123456789")
	digits := name[len(word):]
	n := len(word)
	if digits == "" {
		for _, c := range name {
			n += int(c)
		}
	} else if number, err := strconv.Atoi(digits[max(0, len(digits)-6):]); err == nil {
		n += number
	}
	return n % colours, (n%colours + n/4 + 3) % 4
}

// columns are the lanes in which events are printed, those of the pipe and its two ends. Requests
// go between the API server and the reflector; handlers join and leave between the last two. The
// wire has no column: the server says what it sends, and the reflector what it reads.
var columns = [][]string{
	{tape.API}, {tape.Reflector}, {tape.Queue, tape.Process}, {tape.Cache}, {tape.Processor},
	{"handler"},
}

// pipe describes the columns of a tape, by the names that the live page has.
func pipe(t *tape.Tape) lanes {
	return lanes{
		names: []string{"API server", "reflector", t.Meta.Queue, "indexer", "processor", "handlers"},
		talks: []bool{true, false, false, false, true},
	}
}

// The widths of the columns in the widest picture and in the narrowest. In the narrow one many
// cells take two lines. Its columns do not shrink in proportion: each keeps room for its longest
// word.
var (
	wideLanes   = []int{15, 14, 17, 12, 13, 18}
	narrowLanes = []int{12, 12, 13, 9, 10, 13}
)

// drawn are the events that have a cell. Those that a cell next to them says as well have none, nor
// has the return of a handler from a call that took no time.
func drawn(events []*tape.Event) (drawn []*tape.Event) {
	called := map[string]int64{}
	for _, e := range events {
		if e.Kind == "call" {
			called[e.Lane] = e.At
		}
		if at, ok := called[e.Lane]; column(e) >= 0 && (e.Kind != "returned" || !ok || e.At > at) {
			drawn = append(drawn, e)
		}
	}
	return drawn
}

// cells are the cells of events.
func cells(events []*tape.Event) (cells []cell) {
	for _, e := range events {
		cells = append(cells, cell{lane: column(e), object: e.Key, text: e.Brief, alarm: e.Fault})
	}
	return cells
}

// column is the column of an event, or -1.
func column(e *tape.Event) int {
	switch e.Means {
	case "queue replaced", "reflector transition listed": // the watch that follows says it
		return -1
	}
	return slices.IndexFunc(columns, func(of []string) bool { return slices.Contains(of, e.Where()) })
}
