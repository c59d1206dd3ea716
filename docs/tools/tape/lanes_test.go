package tape

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/lanes"
)

// The lanes of these tests. The first two talk, and so do the last two.
const (
	aServer = iota
	aClient
	aQueue
	aWorker
	aHandler
)

var five = lanes.Lanes{
	Names: []string{"server", "client", "queue", "worker", "handler"},
	Talks: []bool{true, false, false, true},
}

func TestPlacing(t *testing.T) {
	list, watch := lanes.Cell{Lane: aClient, Text: "list"}, lanes.Cell{Lane: aClient, Text: "watch"}
	of := func(l int, object string) lanes.Cell { return lanes.Cell{Lane: l, Object: object, Text: object} }
	none := func(l int) lanes.Cell { return lanes.Cell{Lane: l, Text: "a"} }
	for _, c := range []struct {
		law   string
		cells []lanes.Cell
		rows  []int
	}{
		{"an object on its way to the right stays in its row",
			[]lanes.Cell{of(aServer, "a"), of(aClient, "a"), of(aQueue, "a")}, []int{0, 0, 0}},
		{"a lane keeps the order of reports, of one object or of several",
			[]lanes.Cell{of(aQueue, "a"), of(aQueue, "b"), of(aQueue, "a")}, []int{0, 1, 2}},
		{"an effect in a lane to the left stands below its cause",
			[]lanes.Cell{of(aHandler, "a"), of(aServer, "a")}, []int{0, 1}},
		{"an effect in a lane to the right stands no higher than its cause",
			[]lanes.Cell{of(aWorker, "b"), of(aWorker, "a"), of(aHandler, "a")}, []int{0, 1, 1}},
		{"objects that have nothing to do with each other may share a row",
			[]lanes.Cell{of(aWorker, "a"), of(aServer, "b")}, []int{0, 0}},
		{"the objects of a list stand no higher than the list",
			[]lanes.Cell{watch, list, of(aQueue, "a")}, []int{0, 1, 1}},
		{"so do those that were seen before",
			[]lanes.Cell{of(aServer, "a"), watch, list, of(aQueue, "a")}, []int{0, 0, 1, 1}},
		{"requests and answers, which are about no object, go downwards",
			[]lanes.Cell{watch, list, none(aServer), watch}, []int{0, 1, 1, 2}},
		{"a cell about no object may stand above those of a lane that does not talk with its own",
			[]lanes.Cell{none(aQueue), none(aQueue), none(aClient)}, []int{0, 1, 0}},
		{"the same holds for a lane on the right",
			[]lanes.Cell{none(aClient), none(aClient), none(aQueue)}, []int{0, 1, 0}},
	} {
		assert.Equal(t, c.rows, five.Place(c.cells), c.law)
	}
}
