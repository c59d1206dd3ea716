package picture

import (
	"slices"

	"example.com/watchglass/docs/tools/tape"
)

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

// Overview draws the picture of the README, as SVG, from the tapes of lessons.
func Overview(r *tape.Recorder) (string, error) {
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
