package fakeapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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

// A write that is computed again applies its patch again.
func TestAPatchCanBeAppliedAgain(t *testing.T) {
	for media, text := range map[string]string{
		patch.MediaMerge: `{"a":{"b":{}}}`, patch.MediaStrategic: `{"volumes":[{"name":"x"}]}`,
		patch.MediaJSON: `[{"op":"add","path":"/c","value":{"d":[]}}]`} {
		p, err := parsePatch(media, []byte(text))
		require.NoError(t, err, media)
		once, err := p.apply(object.Tree{})
		require.NoError(t, err, media)
		first := jsonOf(t, once)
		for _, v := range once { // a change of the result must not change the patch
			if o, ok := v.(object.Tree); ok {
				clear(o)
			}
		}
		again, err := p.apply(object.Tree{})
		require.NoError(t, err, media)
		assert.Equal(t, first, jsonOf(t, again), media)
	}
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

func TestFlawsOfPatches(t *testing.T) {
	p, err := parsePatch(patch.MediaJSON, []byte(`[{"op":"test","op":"test","path":"/a","foo":1}]`))
	require.NoError(t, err)
	assert.Equal(t, []string{`json patch duplicate field "[0].op"`,
		`json patch unknown field "[0].foo"`}, p.flaws)
	p, err = parsePatch(patch.MediaMerge, []byte(`{"a":1,"a":{"b":1,"b":2}}`))
	require.NoError(t, err)
	assert.Equal(t, []string{`duplicate field "a"`, `duplicate field "a.b"`}, p.flaws)
}

func TestPatching(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, widgetsPath, []try{
			{"no version is needed", "PATCH", "/web-1", `merge:{"spec":{"color":"blue"}}`, 200, 1,
				`"generation":2`},
			{"an empty patch changes nothing", "PATCH", "/web-1", `merge:{}`, 200, 0, ""},
			{"a version in the patch is checked", "PATCH", "/web-1",
				`merge:{"metadata":{"resourceVersion":"1"}}`, 409, 0, "the object has been modified"},
			{"the present version is accepted", "PATCH", "/web-1",
				`merge:{"metadata":{"resourceVersion":"$V"},"spec":{"n":1}}`, 200, 1, `"n":1`},
			{"the version cannot be removed", "PATCH", "/web-1",
				`merge:{"metadata":{"resourceVersion":null}}`, 422, 0,
				"must be specified for an update"},
			{"the uid cannot be changed", "PATCH", "/web-1", `merge:{"metadata":{"uid":"x"}}`, 422, 0,
				"metadata.uid: Invalid value: \\\"x\\\": field is immutable"},
			{"malformed fields come before immutable ones", "PATCH", "/web-1", `merge:{"metadata":` +
				`{"uid":"x","labels":{"a/b/c":"d"},"deletionGracePeriodSeconds":4}}`, 422, 0,
				`metadata.uid: Invalid value: \"x\": field is immutable, ` +
					`metadata.deletionGracePeriodSeconds: Invalid value: 4: field is immutable]`},
			{"the name cannot be changed", "PATCH", "/web-1", `merge:{"metadata":{"name":"x"}}`, 400, 0,
				"does not match the name on the URL"},
			{"the namespace cannot be changed",
				"PATCH", "/web-1", `merge:{"metadata":{"namespace":"x"}}`, 400,
				0, "does not match the namespace"},
			{"the kind cannot be changed", "PATCH", "/web-1", `merge:{"kind":"X"}`, 422, 0,
				`X.workshop.example.dev \"web-1\" is invalid: kind: Invalid value: \"X\": must ` +
					`be Widget`},
			{"the kind cannot be removed", "PATCH", "/web-1", `merge:{"kind":null}`, 422, 0,
				`\"\" is invalid: patch: Invalid value: `},
			{"the apiVersion cannot be changed", "PATCH", "/web-1", `merge:{"apiVersion":"x/v1"}`, 422, 0,
				`Widget.x \"web-1\" is invalid: apiVersion`},
			{"an apiVersion without a slash has no group",
				"PATCH", "/web-1", `merge:{"apiVersion":"v2"}`, 422, 0,
				`Widget \"web-1\" is invalid: apiVersion`},
			{"the apiVersion cannot be removed", "PATCH", "/web-1", `merge:{"apiVersion":null}`, 500, 0,
				`"reason":"InternalError"`},
			{"the outcome's metadata must have the right types", "PATCH", "/web-1",
				`merge:{"metadata":{"labels":5}}`, 422, 0,
				"json: cannot unmarshal number into field metadata.labels"},
			{"the outcome's metadata must be valid",
				"PATCH", "/web-1", `merge:{"metadata":{"labels":{"a":"-"}}}`, 422, 0,
				`"field":"metadata.labels"`},
			{"unknown metadata is dropped", "PATCH", "/web-1", `merge:{"metadata":{"foo":1}}`, 200,
				0, ""},
			{"unknown metadata is refused if strict",
				"PATCH", "/web-1?fieldValidation=Strict", `merge:{"metadata":{"foo":1}}`,
				422, 0, `strict decoding error: unknown field \"metadata.foo\"`},
			{"a JSON patch", "PATCH", "/web-1", `json:[{"op":"test","path":"/spec/color",` +
				`"value":"blue"},{"op":"replace","path":"/spec/color","value":"red"}]`, 200, 1,
				`"color":"red"`},
			{"a JSON patch that does not apply", "PATCH", "/web-1",
				`json:[{"op":"test","path":"/spec/color","value":"blue"}]`, 422, 0,
				`"message":"the server rejected our request due to an error in our ` +
					`request","reason":"Invalid","details":{},"code":422`},
			{"a custom resource takes no strategic merge patch", "PATCH", "/web-1", `strategic:{}`, 415, 0,
				"application/json-patch+json, application/merge-patch+json"},
			{"plain JSON is no type of patch",
				"PATCH", "/web-1", `{}`, 415, 0, `"reason":"UnsupportedMediaType"`},
			{"force is only for server-side apply", "PATCH", "/web-1?force=true", `merge:{}`, 422, 0,
				"may not be specified for non-apply patch"},
			{"a missing object cannot be patched", "PATCH", "/web-9", `merge:{}`, 404, 0,
				`"reason":"NotFound"`},
			{"a dry run", "PATCH", "/web-1?dryRun=All", `merge:{"spec":{"color":"green"}}`, 200, 0,
				`"color":"green"`},
			{"a collection cannot be patched", "PATCH", "", `merge:{}`, 400, 0, "name must be provided"},
		})
	})
}

// A JSON patch changes the present list in place. The server has to find the new
// finalizers in it nevertheless.
func TestAFinalizerThatReplacesAnotherOneIsWarnedOf(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		_, err := s.Create("widgets", `{"metadata":{"name":"web-1","finalizers":["a/b","c/d"]}}`)
		require.NoError(t, err)
		resp, _ := send(t, s, "PATCH", widgetsPath+"/web-1",
			`[{"op":"replace","path":"/metadata/finalizers/1","value":"x"}]`,
			"Content-Type", patch.MediaJSON)
		assert.Equal(t, 200, resp.StatusCode)
		assert.Contains(t, resp.Header.Get("Warning"), `metadata.finalizers: \"x\": prefer a `+
			`domain-qualified finalizer name`)
	})
}
