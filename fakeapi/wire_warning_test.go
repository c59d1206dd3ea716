package fakeapi

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/wire"
)

// Warnings are limited as in the real server.
func TestWarningsAreBounded(t *testing.T) {
	warnings := func(texts ...string) []string {
		h := httptest.NewRecorder()
		wire.Warn(h, texts)
		return h.Header()["Warning"]
	}
	assert.Nil(t, warnings())
	assert.Equal(t, []string{`299 - "a"`, `299 - "\"b\""`}, warnings("a", `"b"`, "a"),
		"each text once")
	full := strings.Repeat("ä", 4096)
	assert.Equal(t, []string{`299 - "` + full + `"`}, warnings(full), "4,096 characters")
	cut := `299 - "` + strings.Repeat("ä", 256) + `"`
	assert.Equal(t, []string{cut, `299 - "x"`}, warnings(full, "x"),
		"beyond 4,096 characters in all, 256 of each")
	var many []string
	for i := range 1_000 {
		many = append(many, fmt.Sprint(i, strings.Repeat("ä", 300)))
	}
	assert.Len(t, warnings(many...), 4096/256, "at most 4,096 characters in all")
}
