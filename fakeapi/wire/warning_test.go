package wire

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Warnings are limited as in the real server.
func TestWarningsAreBounded(t *testing.T) {
	warnings := func(batches ...[]string) []string {
		h := httptest.NewRecorder()
		for _, texts := range batches {
			Warn(h, texts)
		}
		return h.Header()["Warning"]
	}
	assert.Nil(t, warnings(nil))
	assert.Equal(t, []string{`299 - "a"`, `299 - "\"b\""`}, warnings([]string{"a", `"b"`, "a"}),
		"each text once")
	assert.Equal(t, []string{`299 - "a"`, `299 - "b"`}, warnings([]string{"a"}, []string{"a", "b"}),
		"each text once, also in a later call")
	full := strings.Repeat("ä", maxWarned)
	assert.Equal(t, []string{`299 - "` + full + `"`}, warnings([]string{full}), "4,096 characters")
	cut := `299 - "` + strings.Repeat("ä", maxWarning) + `"`
	assert.Equal(t, []string{cut, `299 - "x"`}, warnings([]string{full}, []string{"x"}),
		"beyond 4,096 characters in all, 256 of each")
	var many []string
	for i := range 1_000 {
		many = append(many, fmt.Sprint(i, strings.Repeat("ä", 300)))
	}
	assert.Len(t, warnings(many), maxWarned/maxWarning, "at most 4,096 characters in all")
	assert.Len(t, warnings([]string{"a"}, many), maxWarned/maxWarning+1)
}
