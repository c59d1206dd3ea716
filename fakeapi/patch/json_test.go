package patch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
		{"add a nested object", `{"foo":"bar"}`, `[{"op":"add","path":"/child",` +
			`"value":{"grandchild":{}}}]`, `{"child":{"grandchild":{}},"foo":"bar"}`},
		{"unknown fields of an operation are ignored", `{"foo":"bar"}`,
			`[{"op":"add","path":"/baz","value":"qux","xyz":123}]`, `{"baz":"qux","foo":"bar"}`},
		{"add below what is not there", `{"foo":"bar"}`,
			`[{"op":"add","path":"/baz/bat","value":"qux"}]`, refused},
		{"escapes", `{"/":9,"~1":10}`,
			`[{"op":"test","path":"/~01","value":10},{"op":"remove","path":"/~1"}]`, `{"~1":10}`},
		{"a text does not equal a number", `{"/":9}`, `[{"op":"test","path":"/~1","value":"9"}]`,
			refused},
		{"add an array", `{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc","def"]}]`,
			`{"foo":["bar",["abc","def"]]}`},
		// edge cases
		{"add replaces what is there", `{"a":1}`, `[{"op":"add","path":"/a","value":2}]`, `{"a":2}`},
		{"add at the end", `{"a":[1]}`, `[{"op":"add","path":"/a/1","value":2}]`, `{"a":[1,2]}`},
		{"add beyond the end", `{"a":[1]}`, `[{"op":"add","path":"/a/2","value":2}]`, refused},
		{"there is no element at the end to replace", `{"a":[1]}`,
			`[{"op":"replace","path":"/a/-","value":2}]`, refused},
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
		{"the whole document cannot be added", `{"a":1}`, `[{"op":"add","path":"","value":{}}]`, refused},
		{"the whole document cannot be copied", `{"a":1}`, `[{"op":"copy","from":"","path":"/b"}]`,
			refused},
		{"a missing value is null", `{}`, `[{"op":"add","path":"/a"}]`, `{"a":null}`},
		{"a field that is null equals null", `{"a":null}`, `[{"op":"test","path":"/a","value":null}]`,
			`{"a":null}`},
		{"a missing field equals null", `{}`, `[{"op":"test","path":"/a","value":null}]`, `{}`},
		{"a missing field equals nothing but null", `{}`, `[{"op":"test","path":"/a","value":0}]`,
			refused},
		{"a field of a missing object does not equal null", `{}`,
			`[{"op":"test","path":"/a/b","value":null}]`, refused},
		{"1 does not equal 1.0, as in the real server", `{"a":1}`,
			`[{"op":"test","path":"/a","value":1.0}]`, refused},
		{"an operation needs a path", `{"a":1}`, `[{"op":"remove"}]`, refused},
		{"a copy needs a source", `{"a":1}`, `[{"op":"copy","path":"/b"}]`, refused},
		{"operations are lower case", `{"a":1}`, `[{"op":"ADD","path":"/b","value":1}]`, refused},
		{"an operation needs an op", `{"a":1}`, `[{}]`, refused},
		{"null is not an operation", `{"a":1}`, `[null]`, refused},
		{"null is a patch without operations", `{"a":1}`, `null`, `{"a":1}`},
		{"one operation that cannot be applied is enough", `{"a":1}`,
			`[{"op":"add","path":"/b","value":2},{"op":"remove","path":"/c"}]`, refused},
		{"a copy is another value", `{"a":[1]}`, `[{"op":"copy","from":"/a","path":"/b"},` +
			`{"op":"add","path":"/b/-","value":2}]`, `{"a":[1],"b":[1,2]}`},
		{"an element of an element", `{"a":[[1],[2]]}`, `[{"op":"add","path":"/a/1/0","value":0}]`,
			`{"a":[[1],[0,2]]}`},
		{"a copy of an object is another object", `{"a":{}}`,
			`[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/x","value":1}]`,
			`{"a":{},"b":{"x":1}}`},
		{"later operations do not alter an added value in the patch", `{}`,
			`[{"op":"add","path":"/a","value":{}},{"op":"test","path":"/a","value":{}},` +
				`{"op":"add","path":"/a/x","value":1}]`, `{"a":{"x":1}}`},
		{"later operations do not alter a replacement in the patch", `{"a":1}`,
			`[{"op":"replace","path":"/a","value":{}},{"op":"test","path":"/a","value":{}},` +
				`{"op":"add","path":"/a/x","value":1}]`, `{"a":{"x":1}}`},
		// where the real server is more lenient than the RFC
		{"replace adds", `{}`, `[{"op":"replace","path":"/a","value":1}]`, `{"a":1}`},
		{"a copy of a missing field is null", `{}`, `[{"op":"copy","from":"/a","path":"/b"}]`,
			`{"b":null}`},
		{"-1 is the last element", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/-1"}]`, `{"a":[1]}`},
		{"-1 is the place after the last element, in an add", `{"a":[1,2]}`,
			`[{"op":"add","path":"/a/-1","value":3}]`, `{"a":[1,2,3]}`},
		{"there is no element before the first", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/-3"}]`,
			refused},
		{"an index may begin with zeros", `{"a":[1,2]}`, `[{"op":"remove","path":"/a/01"}]`, `{"a":[1]}`},
		{"a path is read from its first slash on", `{}`,
			`[{"op":"add","path":"spec/a","value":1}]`, `{"a":1}`},
		{"a path needs a slash", `{}`, `[{"op":"add","path":"a","value":1}]`, refused},
	} {
		steps, _, err := ParseSteps(valueOf(t, c.patch))
		require.NoError(t, err, c.law)
		for range 2 { // a patch can be applied again: a retried write does so
			got, err := Apply(valueOf(t, c.doc), steps)
			if c.want == refused {
				assert.Error(t, err, c.law)
				continue
			}
			if assert.NoError(t, err, c.law) {
				assert.Equal(t, c.want, jsonOf(t, got), c.law)
			}
		}
	}
}

// Operations that each double a document would fill any memory.
func TestJSONPatchCopiesWithinBounds(t *testing.T) {
	double := `{"op":"copy","from":"/a","path":"/a/-"}`
	_, err := applied(t, `{"a":["x"]}`, "["+strings.Repeat(double+",", 60)+double+"]")
	assert.ErrorContains(t, err, "more than 3145728 bytes are copied", "2^61 copies")

	small := `{"op":"copy","from":"/a","path":"/b"}`
	_, err = applied(t, `{"a":["x"]}`, "["+strings.Repeat(small+",", 5000)+small+"]")
	assert.NoError(t, err, "many small copies are allowed")
}

func TestJSONPatchStepsAreCounted(t *testing.T) {
	_, _, err := ParseSteps(valueOf(t, "["+strings.Repeat("{},", MaxSteps)+"{}]"))
	var limit *LimitError
	require.ErrorAs(t, err, &limit, "one operation too many")
	assert.EqualError(t, err,
		"The allowed maximum operations in a JSON patch is 10000, got 10001")
	_, _, err = ParseSteps(valueOf(t, "["+strings.Repeat("{},", MaxSteps-1)+"{}]"))
	assert.NoError(t, err, "as many as allowed")
}

func TestStepsOfTheWrongTypeAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                     "object into Go value of type []handlers.jsonPatchOp",
		`[5]`:                    "number into Go value of type handlers.jsonPatchOp",
		`[{"op":5}]`:             "number into Go struct field jsonPatchOp.op of type string",
		`[{"op":"x","path":[]}]`: "array into Go struct field jsonPatchOp.path of type string",
	} {
		_, _, err := ParseSteps(valueOf(t, text))
		assert.EqualError(t, err, "json: cannot unmarshal "+want, text)
	}
}

func TestUnknownFieldsOfSteps(t *testing.T) {
	_, unknown, err := ParseSteps(valueOf(t, `[{"op":"test","b":1,"a":2},{"x":null}]`))
	require.NoError(t, err)
	assert.Equal(t, []string{"[0].a", "[0].b", "[1].x"}, unknown)
}
