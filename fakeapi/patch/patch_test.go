package patch

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

func TestJSONPatch(t *testing.T) {
	for _, row := range story.Laws(t, "json") {
		law, doc, want := row[0], row[1], row[3]
		steps, _, err := ParseSteps(valueOf(t, row[2]))
		require.NoError(t, err, law)
		got, err := Apply(valueOf(t, doc), steps)
		if want == "refused" {
			assert.Error(t, err, law)
		} else if assert.NoError(t, err, law) {
			assert.Equal(t, want, jsonOf(t, got), law)
		}
	}
}

func TestMergePatch(t *testing.T) {
	for _, row := range story.Laws(t, "merge") {
		got := Merge(valueOf(t, row[0]), valueOf(t, row[1]))
		assert.Equal(t, row[2], jsonOf(t, got), "%s into %s", row[1], row[0])
	}
}

func TestStrategicMergePatch(t *testing.T) {
	for _, row := range story.Laws(t, "strategic") {
		result, err := Strategic(valueOf(t, row[1]).(object), valueOf(t, row[2]).(object))
		got := jsonOf(t, result)
		if err != nil {
			got = "refused: " + strings.TrimSpace(strings.ReplaceAll(err.Error(), "\n", " "))
		}
		assert.Equal(t, row[3], got, row[0])
	}
}

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

// FuzzPatch checks that a patch is refused, or makes a value that can be written as JSON and read
// back, the same value each time. Applying a merge patch twice is the same as once.
func FuzzPatch(f *testing.F) {
	for kind, section := range []string{"json", "merge", "strategic"} {
		for _, row := range story.Laws(f, section) {
			f.Add(row[len(row)-3], row[len(row)-2], byte(kind))
		}
	}
	f.Fuzz(func(t *testing.T, doc, text string, kind byte) {
		var present, change any
		if json.Unmarshal([]byte(doc), &present) != nil ||
			json.Unmarshal([]byte(text), &change) != nil {
			return
		}
		kind %= 3
		if _, ok := present.(object); !ok || applying(t, text, kind) == nil {
			return
		}
		once, err := applyTo(t, doc, text, kind)
		again, err2 := applyTo(t, doc, text, kind)
		assert.Equal(t, err == nil, err2 == nil, "a patch succeeds each time or never")
		assert.Equal(t, once, again, "a patch has the same result each time")
		if err != nil || kind != 1 {
			return
		}
		twice, err := applyTo(t, once, text, kind)
		require.NoError(t, err)
		assert.Equal(t, once, twice, "applying a merge patch twice is the same as once")
	})
}

// applying returns a function that applies a patch of a kind, nil if there is no such patch.
func applying(t *testing.T, text string, kind byte) func(present any) (any, error) {
	change := valueOf(t, text)
	if kind == 0 {
		steps, _, err := ParseSteps(change)
		if err != nil {
			return nil
		}
		return func(present any) (any, error) { return Apply(present, steps) }
	}
	o, ok := change.(object)
	switch {
	case !ok:
		return nil
	case kind == 1:
		return func(present any) (any, error) { return Merge(present, o), nil }
	}
	return func(present any) (any, error) { return Strategic(present.(object), o) }
}

// applyTo returns the JSON of what a patch makes of a document, "" after an error. It checks that
// decoding this JSON gives the same value.
func applyTo(t *testing.T, doc, patch string, kind byte) (string, error) {
	t.Helper()
	v, err := applying(t, patch, kind)(valueOf(t, doc))
	if err != nil {
		return "", err
	}
	text := jsonOf(t, v)
	assert.Equal(t, text, jsonOf(t, valueOf(t, text)), "the JSON of %v decodes to another value", v)
	return text, nil
}
