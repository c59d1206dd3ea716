package reflector

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDiagramIsTheTable(t *testing.T) {
	for _, streaming := range []bool{false, true} {
		table := Table(streaming)
		diagram := FormatDiagram(table)
		arrows := strings.Split(diagram, "\n")
		for _, row := range table {
			if row.On == Stop {
				continue
			}
			arrow := "    " + identifier(row.From) + " --> " + identifier(row.To) + " : "
			found := false
			for _, line := range arrows {
				outcomes, ok := strings.CutPrefix(line, arrow)
				outcomes, pause := strings.CutSuffix(outcomes, " (back off)")
				for outcome := range strings.SplitSeq(outcomes, ", ") {
					found = found || ok && outcome == row.On.String() && pause == (row.Do == BackOff)
				}
			}
			assert.True(t, found, "the diagram shows %v", row)
		}
		assert.Contains(t, diagram, "    [*] --> "+identifier(first(table))+"\n",
			"and where it begins")
		assert.Equal(t, len(table), strings.Count(FormatTable(table), "\n")-1, "a row a line")
	}
	assert.Equal(t, `stateDiagram-v2
    Listing : listing
    ListingLatest : listing latest
    OpeningWatch : opening watch
    Watching : watching
    [*] --> Listing
    Listing --> OpeningWatch : listed
    Listing --> ListingLatest : expired, version too large
    Listing --> Listing : failed (back off)
    ListingLatest --> OpeningWatch : listed
    ListingLatest --> ListingLatest : expired, version too large, failed (back off)
    OpeningWatch --> Watching : opened
    OpeningWatch --> OpeningWatch : busy, idle (back off)
    OpeningWatch --> Listing : expired, failed (back off)
    OpeningWatch --> ListingLatest : expired again (back off)
    Watching --> OpeningWatch : ended, idle, internal error
    Watching --> OpeningWatch : cut short, busy (back off)
    Watching --> Listing : very short, expired, failed (back off)
    Watching --> ListingLatest : expired again (back off)
`, FormatDiagram(Table(false)), "this is what the documentation shows")
}
