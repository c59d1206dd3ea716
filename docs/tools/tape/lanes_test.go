package tape

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/lanes"
)

// A cell is written as its lane and its object, or as its lane alone if it is about none.
func TestPlacing(t *testing.T) {
	names := []string{"server", "client", "queue", "worker", "handler"}
	five := lanes.Lanes{Names: names, Talks: []bool{true, false, false, true}}
	for _, c := range []struct{ law, cells, rows string }{
		{"an object on its way to the right stays in its row", "server a, client a, queue a", "[0 0 0]"},
		{"a lane keeps the order of reports, of one object or of several", "queue a, queue b, queue a", "[0 1 2]"},
		{"an effect in a lane to the left stands below its cause", "handler a, server a", "[0 1]"},
		{"an effect in a lane to the right stands no higher than its cause", "worker b, worker a, handler a", "[0 1 1]"},
		{"objects that have nothing to do with each other may share a row", "worker a, server b", "[0 0]"},
		{"the objects of a list stand no higher than the list", "client, client, queue a", "[0 1 1]"},
		{"so do those that were seen before", "server a, client, client, queue a", "[0 0 1 1]"},
		{"requests and answers, which are about no object, go downwards", "client, client, server, client", "[0 1 1 2]"},
		{"a cell about no object may stand above those of a lane that does not talk with it", "queue, queue, client", "[0 1 0]"},
		{"the same holds for a lane on the right", "client, client, queue", "[0 1 0]"},
	} {
		var cells []lanes.Cell
		for cell := range strings.SplitSeq(c.cells, ", ") {
			lane, object, _ := strings.Cut(cell, " ")
			cells = append(cells, lanes.Cell{Lane: slices.Index(names, lane), Object: object})
		}
		assert.Equal(t, c.rows, fmt.Sprint(five.Place(cells)), c.law)
	}
}
