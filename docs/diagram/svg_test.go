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
	svg := SVG(edges, "over")
	var texts []string
	for _, m := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(svg, -1) {
		texts = append(texts, m[1])
	}
	assert.Equal(t, []string{"asleep", "bell, light", "wide awake", "yawn (wait)"}, texts,
		"a state, then what may come of it")
	assert.Equal(t, 1, strings.Count(svg, `<circle class="lane0"`), "yawn enters the first state")
	assert.Equal(t, 1, strings.Count(svg, `<circle class="lane1"`), "bell and light share a line")
	assert.Equal(t, 2, strings.Count(svg, `class="head`), "a head where each state is entered")
	assert.Equal(t, 1, strings.Count(svg, `class="entry head"`), "and where the machine begins")
}

func TestSVGIsWellFormed(t *testing.T) {
	d := xml.NewDecoder(strings.NewReader(SVG([]Edge{{"a<b", `"&"`, "go on", "a<b"}}, "over")))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err, "names are escaped")
	}
}
