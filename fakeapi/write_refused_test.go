package fakeapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// object is the type of the next frame and the object in it.
func (w *tap) object(t *testing.T) (kind, object string) {
	t.Helper()
	line, err := w.rd.ReadBytes('\n')
	require.NoError(t, err)
	var f struct {
		Type   string
		Object json.RawMessage
	}
	require.NoError(t, json.Unmarshal(line, &f))
	return f.Type, string(f.Object)
}

// assertRefused: err is a Status of this code, with these causes; a 400 has one
// text only, its message.
func assertRefused(t *testing.T, err error, what string, code int, texts []string) {
	t.Helper()
	s, ok := err.(*Status)
	if !assert.True(t, ok, "%s: %v", what, err) {
		return
	}
	assert.Equal(t, code, s.Code, what)
	if s.Details == nil {
		assert.Equal(t, texts, []string{s.Message}, what)
		return
	}
	var causes []string
	for _, c := range s.Details.Causes {
		causes = append(causes, c.Message)
	}
	assert.Equal(t, texts, causes, what)
}
