package fakeapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func valueOf(t *testing.T, text string) any {
	t.Helper()
	v, err := decodeValue([]byte(text))
	require.NoError(t, err, text)
	return v
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func TestJSONPatch(t *testing.T) {
	const refused = ""
	for _, c := range []struct{ law, doc, patch, want string }{
		// RFC 6902, appendix A
		{"add a member", `{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux"}]`,
			`{"baz":"qux","foo":"bar"}`},
		{"add an element", `{"foo":["bar","baz"]}`, `[{"op":"add","path":"/foo/1","value":"qux"}]`,
			`{"foo":["bar","qux","baz"]}`},
		{"remove a member", `{"baz":"qux","foo":"bar"}`, `[{"op":"remove","path":"/baz"}]`,
			`{"foo":"bar"}`},
		{"remove an element", `{"foo":["bar","qux","baz"]}`, `[{"op":"remove","path":"/foo/1"}]`,
			`{"foo":["bar","baz"]}`},
		{"replace a value", `{"baz":"qux"}`, `[{"op":"replace","path":"/baz","value":"boo"}]`,
			`{"baz":"boo"}`},
		{"move a value", `{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`,
			`[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]`,
			`{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{"move an element", `{"foo":["all","grass","cows","eat"]}`,
			`[{"op":"move","from":"/foo/1","path":"/foo/3"}]`,
			`{"foo":["all","cows","eat","grass"]}`},
		{"test a value", `{"baz":"qux","foo":["a",2,"c"]}`,
			`[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]`,
			`{"baz":"qux","foo":["a",2,"c"]}`},
		{"a test that fails", `{"baz":"qux"}`, `[{"op":"test","path":"/baz","value":"bar"}]`,
			refused},
		{"add a nested object", `{"foo":"bar"}`,
			`[{"op":"add","path":"/child","value":{"grandchild":{}}}]`,
			`{"child":{"grandchild":{}},"foo":"bar"}`},
		{"unknown fields of an operation are ignored", `{"foo":"bar"}`,
			`[{"op":"add","path":"/baz","value":"qux","xyz":123}]`, `{"baz":"qux","foo":"bar"}`},
		{"add below what is not there", `{"foo":"bar"}`,
			`[{"op":"add","path":"/baz/bat","value":"qux"}]`, refused},
		{"escapes", `{"/":9,"~1":10}`,
			`[{"op":"test","path":"/~01","value":10},{"op":"remove","path":"/~1"}]`, `{"~1":10}`},
		{"text is no number", `{"/":9}`, `[{"op":"test","path":"/~1","value":"9"}]`, refused},
		{"add an array", `{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc","def"]}]`,
			`{"foo":["bar",["abc","def"]]}`},
		// the same, at the edges
		{"add replaces what is there", `{"a":1}`, `[{"op":"add","path":"/a","value":2}]`, `{"a":2}`},
		{"add at the end", `{"a":[1]}`, `[{"op":"add","path":"/a/1","value":2}]`, `{"a":[1,2]}`},
		{"add beyond the end", `{"a":[1]}`, `[{"op":"add","path":"/a/2","value":2}]`, refused},
		{"the end is no element", `{"a":[1]}`, `[{"op":"replace","path":"/a/-","value":2}]`,
			refused},
		{"an index is a number", `{"a":[1]}`, `[{"op":"add","path":"/a/x","value":2}]`, refused},
		{"replace beyond the end", `{"a":[1]}`, `[{"op":"replace","path":"/a/1","value":2}]`,
			refused},
		{"remove what is not there", `{"a":1}`, `[{"op":"remove","path":"/b"}]`, refused},
		{"move what is not there", `{"a":1}`, `[{"op":"move","from":"/b","path":"/c"}]`, refused},
		{"move into itself", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, refused},
		{"move to where it is", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a"}]`,
			`{"a":{"b":1}}`},
		{"a step into a number", `{"a":1}`, `[{"op":"add","path":"/a/b","value":2}]`, refused},
		{"the empty key is a key", `{"a":1}`, `[{"op":"add","path":"/","value":2}]`, `{"":2,"a":1}`},
		{"the whole document is replaced", `{"a":1}`, `[{"op":"replace","path":"","value":{"b":2}}]`,
			`{"b":2}`},
		{"the whole document is compared", `{"a":1}`, `[{"op":"test","path":"","value":{"a":1}}]`,
			`{"a":1}`},
		{"the whole document cannot be removed", `{"a":1}`, `[{"op":"remove","path":""}]`, refused},
		{"nor added", `{"a":1}`, `[{"op":"add","path":"","value":{}}]`, refused},
		{"nor copied", `{"a":1}`, `[{"op":"copy","from":"","path":"/b"}]`, refused},
		{"what remains has to be an object", `{"a":1}`, `[{"op":"replace","path":"","value":5}]`,
			refused},
		{"a missing value is null", `{}`, `[{"op":"add","path":"/a"}]`, `{"a":null}`},
		{"null is there", `{"a":null}`, `[{"op":"test","path":"/a","value":null}]`, `{"a":null}`},
		{"what is not there is null", `{}`, `[{"op":"test","path":"/a","value":null}]`, `{}`},
		{"what is not there is null and nothing else", `{}`, `[{"op":"test","path":"/a","value":0}]`,
			refused},
		{"of what is not there, nothing is null", `{}`, `[{"op":"test","path":"/a/b","value":null}]`,
			refused},
		{"a whole number is no fraction, as in the real server", `{"a":1}`,
			`[{"op":"test","path":"/a","value":1.0}]`, refused},
		{"an operation needs a path", `{"a":1}`, `[{"op":"remove"}]`, refused},
		{"a copy needs a source", `{"a":1}`, `[{"op":"copy","path":"/b"}]`, refused},
		{"operations are lower case", `{"a":1}`, `[{"op":"ADD","path":"/b","value":1}]`, refused},
		{"an operation is one", `{"a":1}`, `[{}]`, refused},
		{"null is no operation", `{"a":1}`, `[null]`, refused},
		{"null is a patch without operations", `{"a":1}`, `null`, `{"a":1}`},
		{"all or nothing", `{"a":1}`,
			`[{"op":"add","path":"/b","value":2},{"op":"remove","path":"/c"}]`, refused},
		{"a copy is another value", `{"a":[1]}`,
			`[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/-","value":2}]`,
			`{"a":[1],"b":[1,2]}`},
		{"an element of an element", `{"a":[[1],[2]]}`, `[{"op":"add","path":"/a/1/0","value":0}]`,
			`{"a":[[1],[0,2]]}`},
		{"a copy of an object is another object", `{"a":{}}`,
			`[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/x","value":1}]`,
			`{"a":{},"b":{"x":1}}`},
		{"what is added does not change the patch", `{}`,
			`[{"op":"add","path":"/a","value":{}},{"op":"test","path":"/a","value":{}},` +
				`{"op":"add","path":"/a/x","value":1}]`, `{"a":{"x":1}}`},
		{"nor does what is put in place of something", `{"a":1}`,
			`[{"op":"replace","path":"/a","value":{}},{"op":"test","path":"/a","value":{}},` +
				`{"op":"add","path":"/a/x","value":1}]`, `{"a":{"x":1}}`},
		// where the real server is more lenient than the RFC
		{"replace adds", `{}`, `[{"op":"replace","path":"/a","value":1}]`, `{"a":1}`},
		{"a copy of nothing is null", `{}`, `[{"op":"copy","from":"/a","path":"/b"}]`, `{"b":null}`},
		{"-1 is the last element", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/-1"}]`, `{"a":[1]}`},
		{"or the place after it", `{"a":[1,2]}`, `[{"op":"add","path":"/a/-1","value":3}]`,
			`{"a":[1,2,3]}`},
		{"there is nothing before the first", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/-3"}]`,
			refused},
		{"zeros may lead", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/01"}]`, `{"a":[1]}`},
		{"what precedes the first slash is not looked at", `{}`,
			`[{"op":"add","path":"spec/a","value":1}]`, `{"a":1}`},
		{"but there has to be a slash", `{}`, `[{"op":"add","path":"a","value":1}]`, refused},
	} {
		p, err := parsePatch(typeJSONPatch, []byte(c.patch))
		require.NoError(t, err, c.law)
		for range 2 { // a patch can be applied again: a write that is tried anew does
			got, err := p.apply(valueOf(t, c.doc).(tree))
			if c.want == refused {
				assertRefused(t, err, c.law, 422, nil)
				continue
			}
			if assert.NoError(t, err, c.law) {
				assert.Equal(t, c.want, jsonOf(t, got), c.law)
			}
		}
	}
}

// A copy that doubles a document, and is repeated, would fill any memory.
func TestJSONPatchCopiesWithinBounds(t *testing.T) {
	double := `{"op":"copy","from":"/a","path":"/a/-"}`
	p, err := parsePatch(typeJSONPatch, []byte("["+strings.Repeat(double+",", 60)+double+"]"))
	require.NoError(t, err)
	_, err = p.apply(valueOf(t, `{"a":["x"]}`).(tree))
	assertRefused(t, err, "2^61 copies", 422, nil)

	small := `{"op":"copy","from":"/a","path":"/b"}`
	p, err = parsePatch(typeJSONPatch, []byte("["+strings.Repeat(small+",", 5000)+small+"]"))
	require.NoError(t, err)
	_, err = p.apply(valueOf(t, `{"a":["x"]}`).(tree))
	assert.NoError(t, err, "many small copies are no harm")

	_, err = parsePatch(typeJSONPatch, []byte("["+strings.Repeat("{},", maxPatchSteps)+"{}]"))
	assertRefused(t, err, "one operation too many", 413, []string{"Request entity too large: " +
		"The allowed maximum operations in a JSON patch is 10000, got 10001"})
	_, err = parsePatch(typeJSONPatch, []byte("["+strings.Repeat("{},", maxPatchSteps-1)+"{}]"))
	assert.NoError(t, err, "as many as allowed")
}

func TestBodiesThatAreNoPatch(t *testing.T) {
	for _, c := range []struct{ media, body, want string }{
		{typeJSONPatch, ``, "invalid JSON patch"},
		{typeJSONPatch, `[`, "invalid JSON patch"},
		{typeJSONPatch, `{}`, "error decoding patch: json: cannot unmarshal object into Go " +
			"value of type []handlers.jsonPatchOp"},
		{typeJSONPatch, `[5]`, "error decoding patch: json: cannot unmarshal number into Go " +
			"value of type handlers.jsonPatchOp"},
		{typeJSONPatch, `[{"op":5}]`, "error decoding patch: json: cannot unmarshal number into " +
			"Go struct field jsonPatchOp.op of type string"},
		{typeMergePatch, ``, "invalid JSON patch"},
		{typeMergePatch, `{"a":1} x`, "invalid JSON patch"},
		{typeMergePatch, `null`, "Invalid JSON Patch"},
		{typeMergePatch, `[]`, "error decoding patch: json: cannot unmarshal array into Go " +
			"value of type map[string]interface {}"},
		{typeMergePatch, `{"a":1e999}`, "error decoding patch: json: cannot unmarshal number " +
			"1e999 into Go value of type float64"},
		{typeStrategic, `5`, "error decoding patch: json: cannot unmarshal number into Go value " +
			"of type map[string]interface {}"},
	} {
		_, err := parsePatch(c.media, []byte(c.body))
		assertRefused(t, err, c.media+" "+c.body, 400, []string{c.want})
	}
}

// RFC 7396, appendix A, and what of it concerns objects only.
func TestMergePatch(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"a":1,"e":null}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{`{"a":{"b":1}}`, `{}`, `{"a":{"b":1}}`},
	} {
		assert.Equal(t, c[2], jsonOf(t, mergePatch(valueOf(t, c[0]), valueOf(t, c[1]))),
			"%s into %s", c[1], c[0])
	}
}

func TestStrategicMergePatch(t *testing.T) {
	for _, c := range []struct{ law, doc, patch, want string }{
		{"objects are merged", `{"a":{"b":1}}`, `{"a":{"c":2}}`, `{"a":{"b":1,"c":2}}`},
		{"null removes", `{"a":1,"b":2}`, `{"a":null}`, `{"b":2}`},
		{"a list without a key is replaced", `{"args":[1,2]}`, `{"args":[3]}`, `{"args":[3]}`},
		{"a list with a key is merged by it",
			`{"containers":[{"image":"x","name":"a"},{"name":"b"}]}`,
			`{"containers":[{"name":"a","tty":true},{"name":"c"}]}`,
			`{"containers":[{"image":"x","name":"a","tty":true},{"name":"b"},{"name":"c"}]}`},
		{"an element is deleted", `{"containers":[{"name":"a"},{"name":"b"}]}`,
			`{"containers":[{"$patch":"delete","name":"a"}]}`, `{"containers":[{"name":"b"}]}`},
		{"what is not there is deleted already", `{"containers":[{"name":"b"}]}`,
			`{"containers":[{"$patch":"delete","name":"a"}]}`, `{"containers":[{"name":"b"}]}`},
		{"a merged list is replaced on demand", `{"containers":[{"name":"a"}]}`,
			`{"containers":[{"$patch":"replace"},{"name":"c"}]}`, `{"containers":[{"name":"c"}]}`},
		{"an object is replaced on demand", `{"a":{"b":1}}`, `{"a":{"$patch":"replace","c":2}}`,
			`{"a":{"c":2}}`},
		{"an object is emptied on demand", `{"a":{"b":1}}`, `{"a":{"$patch":"delete"}}`, `{"a":{}}`},
		{"only what is listed is kept", `{"s":{"type":"R","rolling":{}}}`,
			`{"s":{"$retainKeys":["type"],"type":"X"}}`, `{"s":{"type":"X"}}`},
		{"finalizers are a set", `{"finalizers":["a/b"]}`, `{"finalizers":["a/b","c/d"]}`,
			`{"finalizers":["a/b","c/d"]}`},
		{"to which one is added", `{"finalizers":["a/b"]}`, `{"finalizers":["c/d"]}`,
			`{"finalizers":["a/b","c/d"]}`},
		{"out of which one is taken", `{"finalizers":["a/b","c/d"]}`,
			`{"$deleteFromPrimitiveList/finalizers":["a/b"]}`, `{"finalizers":["c/d"]}`},
		{"the order of elements is only a hint", `{"containers":[{"name":"a"}]}`,
			`{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"}]}`,
			`{"containers":[{"name":"a"},{"name":"b"}]}`},
		{"container ports have a key of their own", `{"ports":[{"containerPort":80,"name":"x"}]}`,
			`{"ports":[{"containerPort":80,"protocol":"TCP"}]}`,
			`{"ports":[{"containerPort":80,"name":"x","protocol":"TCP"}]}`},
		{"and services' ports another", `{"ports":[{"name":"x","port":80}]}`,
			`{"ports":[{"port":80,"protocol":"TCP"},{"port":81}]}`,
			`{"ports":[{"name":"x","port":80,"protocol":"TCP"},{"port":81}]}`},
		{"into nothing", `{}`, `{"a":{"b":null,"c":1}}`, `{"a":{"c":1}}`},
	} {
		got, err := strategicMerge(valueOf(t, c.doc).(tree), valueOf(t, c.patch).(tree))
		require.NoError(t, err, c.law)
		assert.Equal(t, c.want, jsonOf(t, got), c.law)
	}
}

func TestStrategicMergePatchesThatAreRefused(t *testing.T) {
	for patch, want := range map[string]string{
		`{"a":{"$patch":"frob"}}`: `invalid value in $patch: "frob"`,
		`{"containers":[{"image":"x"}]}`: `map: map[image:x] does not contain declared merge ` +
			`key: name`,
		`{"containers":[5]}`: `map: 5 does not contain declared merge key: name`,
	} {
		_, err := strategicMerge(tree{}, valueOf(t, patch).(tree))
		assert.EqualError(t, err, want, patch)
	}
}

func TestFlawsOfPatches(t *testing.T) {
	p, err := parsePatch(typeJSONPatch, []byte(`[{"op":"test","op":"test","path":"/a","foo":1}]`))
	require.NoError(t, err)
	assert.Equal(t, []string{`json patch duplicate field "[0].op"`,
		`json patch unknown field "[0].foo"`}, p.flaws)
	p, err = parsePatch(typeMergePatch, []byte(`{"a":1,"a":{"b":1,"b":2}}`))
	require.NoError(t, err)
	assert.Equal(t, []string{`duplicate field "a"`, `duplicate field "a.b"`}, p.flaws)
}
