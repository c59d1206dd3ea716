package fakeapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

func valueOf(t *testing.T, text string) any {
	t.Helper()
	v, err := object.DecodeValue([]byte(text))
	require.NoError(t, err, text)
	return v
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// The answers to patches that cannot be applied.
func TestPatchesThatCannotBeApplied(t *testing.T) {
	double := `{"op":"copy","from":"/a","path":"/a/-"}`
	for _, c := range []struct {
		law, media, patch string
		code              int
		want              []string
	}{
		{"a test that fails", patch.MediaJSON, `[{"op":"test","path":"/a","value":2}]`, 422, nil},
		{"the outcome has to be an object", patch.MediaJSON,
			`[{"op":"replace","path":"","value":5}]`, 422, nil},
		{"2^61 copies", patch.MediaJSON, "[" + strings.Repeat(double+",", 60) + double + "]", 422, nil},
		{"a list element without the merge key", patch.MediaStrategic, `{"containers":[5]}`, 400,
			[]string{"map: 5 does not contain declared merge key: name"}},
	} {
		p, err := parsePatch(c.media, []byte(c.patch))
		require.NoError(t, err, c.law)
		_, err = p.apply(valueOf(t, `{"a":["x"]}`).(object.Tree))
		assertRefused(t, err, c.law, c.code, c.want)
	}
	head, zeros := `{"op":"add","path":"/a/0","value":0}`, make([]any, 1_000_000)
	p, err := parsePatch(patch.MediaJSON, []byte("["+strings.Repeat(head+",", 100)+head+"]"))
	require.NoError(t, err)
	_, err = p.apply(object.Tree{"a": zeros})
	assertRefused(t, err, "too much work", 413, []string{"Request entity too large: the patch " +
		"moves more than 67108864 list elements"})
	_, err = parsePatch(patch.MediaJSON, []byte("["+strings.Repeat("{},", patch.MaxSteps)+"{}]"))
	assertRefused(t, err, "one operation too many", 413, []string{"Request entity too large: " +
		"The allowed maximum operations in a JSON patch is 10000, got 10001"})
}

func TestBodiesThatAreNoPatch(t *testing.T) {
	for _, c := range []struct{ media, body, want string }{
		{patch.MediaJSON, ``, "invalid JSON patch"},
		{patch.MediaJSON, `[`, "invalid JSON patch"},
		{patch.MediaJSON, `{}`, "error decoding patch: json: cannot unmarshal object into Go " +
			"value of type []handlers.jsonPatchOp"},
		{patch.MediaJSON, `[5]`, "error decoding patch: json: cannot unmarshal number into Go " +
			"value of type handlers.jsonPatchOp"},
		{patch.MediaJSON, `[{"op":5}]`, "error decoding patch: json: cannot unmarshal number into " +
			"Go struct field jsonPatchOp.op of type string"},
		{patch.MediaMerge, ``, "invalid JSON patch"},
		{patch.MediaMerge, `{"a":1} x`, "invalid JSON patch"},
		{patch.MediaMerge, `null`, "Invalid JSON Patch"},
		{patch.MediaMerge, `[]`, "error decoding patch: json: cannot unmarshal array into Go " +
			"value of type map[string]interface {}"},
		{patch.MediaMerge, `{"a":1e999}`, "error decoding patch: json: cannot unmarshal number " +
			"1e999 into Go value of type float64"},
		{patch.MediaStrategic, `5`, "error decoding patch: json: cannot unmarshal number into Go value " +
			"of type map[string]interface {}"},
	} {
		_, err := parsePatch(c.media, []byte(c.body))
		assertRefused(t, err, c.media+" "+c.body, 400, []string{c.want})
	}
}
