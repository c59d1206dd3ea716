package tape

import (
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/lanes"
)

// columns are the lanes in which events are printed, those of the pipe and its two ends. Requests go
// between the API server and the reflector; handlers join and leave between the last two. The wire has
// no column: the server says what it sends, and the reflector what it reads.
var columns = [][]string{{API}, {Reflector}, {Queue, Process}, {Cache},
	{Processor}, {"handler"}}

// pipe describes the columns of a tape, by the names that the live page has.
func (t *Tape) pipe() lanes.Lanes {
	return lanes.Lanes{
		Names: []string{"API server", "reflector", t.Meta.Queue, "indexer", "processor", "handlers"},
		Talks: []bool{true, false, false, false, true},
	}
}

// The widths of the columns in the widest picture and in the narrowest. In the narrow one many cells
// take two lines. Its columns do not shrink in proportion: each keeps room for its longest word.
var (
	wideLanes   = []int{15, 14, 17, 12, 13, 18}
	narrowLanes = []int{12, 12, 13, 9, 10, 13}
)

// drawn are the events that have a cell. Those that a cell next to them says as well have none, nor has
// the return of a handler from a call that took no time.
func drawn(events []*Event) (drawn []*Event) {
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
func cells(events []*Event) (cells []lanes.Cell) {
	for _, e := range events {
		cells = append(cells, lanes.Cell{Lane: column(e), Object: e.Key, Text: e.Brief, Alarm: e.Fault})
	}
	return cells
}

// lane is the lane that an event is about: what is done to the server is shown where the server is.
func (e *Event) lane() string {
	lane, _, _ := strings.Cut(e.Lane, ":")
	if e.To == API && (lane == laneStory || lane == laneYou) {
		return API
	}
	return lane
}

// column is the column of an event, or -1.
func column(e *Event) int {
	switch e.Means {
	case "queue replaced", "reflector transition listed": // the watch that follows says it
		return -1
	}
	return slices.IndexFunc(columns, func(of []string) bool { return slices.Contains(of, e.lane()) })
}

// pictured are the parts of the picture in the README: of a lesson, what its commands from one on
// have led to.
var pictured = []struct {
	lesson, from, to string
	part             lanes.Part
}{
	{"update", "update web-1 color=blue", "create web-2", lanes.Part{
		Title: "An update on its way",
		Words: "Each column is a stage, read downwards. An arrow is an object that moves on to the " +
			"next stage."}},
	{"lost-deletion", "disconnect", "", lanes.Part{
		Title: "A deletion that no watch has reported",
		Words: "web-2 was deleted while there was no watch, and the server forgot its history. " +
			"A list shows that web-2 is missing."}},
}

// Picture draws a tape as SVG: of a lesson what is between its first beat and its last, of another story
// as much as one sees at once.
func (t *Tape) Picture(l Lesson, narrow bool) string {
	events, widths, most := t.Events, wideLanes, 30
	if len(l.Beats) > 0 {
		most = len(events)
		events = events[l.Beats[0].Seq : l.Beats[len(l.Beats)-1].Seq+1]
	}
	if narrow {
		widths = narrowLanes
	}
	shown := cells(drawn(events))
	return lanes.SVG(t.pipe(), widths, []lanes.Part{{Title: l.Title, Cells: shown[:min(len(shown), most)]}})
}

// Overview draws the picture of the README, as SVG, from the tapes of lessons.
func Overview(r *Recorder) (string, error) {
	var parts []lanes.Part
	pipe := lanes.Lanes{}
	for _, p := range pictured {
		i := slices.IndexFunc(Lessons, func(l Lesson) bool { return l.Name == p.lesson })
		_, t, err := Lessons[i].Play(r)
		if err != nil {
			return "", err
		}
		is := func(command string) func(*Event) bool {
			return func(e *Event) bool { return e.Kind == "do" && e.Text == command }
		}
		events := t.Events[slices.IndexFunc(t.Events, is(p.from)):]
		if end := slices.IndexFunc(events, is(p.to)); end > 0 {
			events = events[:end]
		}
		p.part.Cells = cells(drawn(events))
		parts, pipe = append(parts, p.part), t.pipe()
	}
	return lanes.SVG(pipe, wideLanes, parts), nil
}
