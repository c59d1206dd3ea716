package diagram

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var edges = []Edge{
	{"asleep", "bell", "go on", "wide awake"},
	{"asleep", "light", "back off, ask for the latest", "wide awake"},
	{"wide awake", "yawn", "ask for the latest", "asleep"},
}

func TestSVGJoinsWhatBelongsTogether(t *testing.T) {
	svg := SVG(edges)
	all := func(pattern string) (found [][]string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(svg, -1) {
			found = append(found, m[1:])
		}
		return found
	}
	assert.Equal(t, [][]string{{"16", "asleep"}, {"38", "bell, light (latest)*"}, {"76", "wide awake"},
		{"98", "yawn (latest)"}}, all(`<text[^>]* y="(\d+)"[^>]*>([^<]*)<`),
		"each state is followed by its outcomes, and those that lead to the same state share a line")
	assert.Len(t, all(`class="(entry head)"`), 1, "the first state has an entry")
	assert.Equal(t, [][]string{{"1", "34"}, {"0", "94"}}, all(`<circle class="lane(\d)"[^>]* cy="(\d+)"`),
		"bell and light join the lane of wide awake, and yawn that of asleep, where their text ends")
	assert.Equal(t, [][]string{{"0", "12", "94", "12"}, {"1", "34", "72", "72"}},
		all(`<path class="line lane(\d)" d="M[\d.]+,(\d+) V(\d+) M[\d.]+,(\d+) H[\d.]+"/>`+"\n?"),
		"each lane reaches the lines that join it and the name of its state")
	assert.Equal(t, [][]string{{"0", "12"}, {"1", "72"}}, all(`<path class="head lane(\d)" d="M[\d.]+,(\d+)`),
		"each lane ends in a head at the name of its state")
}

func TestSVGIsWellFormed(t *testing.T) {
	d := xml.NewDecoder(strings.NewReader(SVG([]Edge{{"a<b", `"&"`, "go on", "a<b"}})))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err, "names are escaped")
	}
}
