package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A string may consist of nothing but escapes: a log in a ConfigMap comes near it, and a hostile
// server all the way. If each of them cost a look at all that follow, this would take minutes.
func TestEscapesCostNoMoreThanOtherBytes(t *testing.T) {
	frame := `{"x":"` + strings.Repeat(`\n`, 4<<20) + `\\"}`
	f := NewFrameReader(strings.NewReader(frame + "\n" + frame[:len(frame)-2]))
	got, err := f.Next()
	require.NoError(t, err)
	assert.Len(t, got, len(frame), "the quote behind an escaped backslash ends the string")
	_, err = f.Next()
	assert.EqualError(t, err, "unexpected EOF", "and without it the frame has no end")
}
