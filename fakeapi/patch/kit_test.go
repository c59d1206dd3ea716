package patch

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// valueOf decodes JSON as the server does: whole numbers are int64.
func valueOf(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v), text)
	return narrow(v)
}

func narrow(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case object:
		for k, e := range v {
			v[k] = narrow(e)
		}
	case []any:
		for i, e := range v {
			v[i] = narrow(e)
		}
	}
	return v
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// applied is what a JSON patch makes of a document.
func applied(t *testing.T, doc, patch string) (any, error) {
	t.Helper()
	steps, _, err := ParseSteps(valueOf(t, patch))
	require.NoError(t, err)
	return Apply(valueOf(t, doc), steps)
}
