package patch

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// valueOf decodes JSON. Numbers stay as they are written: a patch only copies and compares them.
func valueOf(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v), text)
	return v
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// applied returns what a JSON patch makes of a document.
func applied(t *testing.T, doc, patch string) (any, error) {
	t.Helper()
	steps, _, err := ParseSteps(valueOf(t, patch))
	require.NoError(t, err)
	return Apply(valueOf(t, doc), steps)
}
