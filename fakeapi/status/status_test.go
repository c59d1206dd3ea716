package status

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLongValuesAreQuotedInPart(t *testing.T) {
	long := strings.Repeat("ä", MaxShown)
	assert.Equal(t, `"`+long+`"`, Show(long))
	assert.Equal(t, `"`+long+`"...`, Show(long+"x"))
	assert.Equal(t, `["`+strings.Repeat("x", MaxShown-2)+`...`,
		Show([]string{strings.Repeat("x", 1000)}))
	assert.Equal(t, `{"a":1}`, Show(map[string]any{"a": 1}))
}
