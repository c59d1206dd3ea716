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

func TestSVGHasEveryStateAndArrow(t *testing.T) {
	svg := SVG(edges)
	var texts []string
	for _, m := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(svg, -1) {
		texts = append(texts, m[1])
	}
	assert.Equal(t, []string{"asleep", "bell, light (latest)*", "wide awake", "yawn (latest)"}, texts,
		"each state is followed by its outcomes")
	assert.Equal(t, 1, strings.Count(svg, `<circle class="lane0"`), "yawn enters the first state")
	assert.Equal(t, 1, strings.Count(svg, `<circle class="lane1"`), "bell and light share a line")
	assert.Equal(t, 2, strings.Count(svg, `class="head`), "the way into each state ends in a head")
	assert.Equal(t, 1, strings.Count(svg, `class="entry head"`), "the first state has an entry")
}

func TestSVGJoinsWhatBelongsTogether(t *testing.T) {
	svg := SVG(edges)
	all := func(pattern string) (found [][]string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(svg, -1) {
			found = append(found, m[1:])
		}
		return found
	}
	assert.Equal(t, [][]string{{"16"}, {"38"}, {"76"}, {"98"}}, all(`<text[^>]* y="(\d+)"`),
		"the base lines of asleep, bell, wide awake and yawn")
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
