package object

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

func TestJSONPatch(t *testing.T) {
	for _, row := range story.Laws(t, "json") {
		law, doc, want := row[0], row[1], row[3]
		got, err := applyJSON(t, valueOf(t, doc), row[2])
		if want == "refused" {
			assert.Error(t, err, law)
		} else if assert.NoError(t, err, law) {
			assert.Equal(t, want, jsonOf(t, got), law)
		}
	}
}

// typeNamed returns a built-in type by its qualified name.
func typeNamed(name string) *Type {
	plural, group, _ := strings.Cut(name, ".")
	return &Type{Resource: Resource{Group: group, Version: "v1", Plural: plural, Kind: "K"}}
}

func TestMergePatch(t *testing.T) {
	for _, row := range story.Laws(t, "merge") {
		got := MergePatch(valueOf(t, row[0]), valueOf(t, row[1]))
		assert.Equal(t, row[2], jsonOf(t, got), "%s into %s", row[1], row[0])
	}
}

func TestStrategicMergePatch(t *testing.T) {
	for _, row := range story.Laws(t, "strategic") {
		result, err := StrategicPatch(typeNamed(row[1]), treeOf(t, row[2]), treeOf(t, row[3]))
		got := jsonOf(t, result)
		if err != nil {
			got = "refused: " + strings.Join(strings.Fields(err.Error()), " ")
		}
		assert.Equal(t, row[4], got, row[0])
	}
}

func TestAPatchIsBounded(t *testing.T) {
	repeat := func(n int, text string) string {
		return "[" + strings.Repeat(text+",", n-1) + text + "]"
	}
	large := `{"a":"` + strings.Repeat("x", 1<<20) + `"}`
	copied := func(n int) error {
		_, err := applyJSON(t, treeOf(t, large), repeat(n, `{"op":"copy","from":"/a","path":"/b"}`))
		return err
	}
	assert.NoError(t, copied(2), "copies of 2 MiB")
	assert.ErrorContains(t, copied(3), "the patch copies more than 3145728 bytes")
	_, err := ParseJSONPatch(valueOf(t, repeat(10_001, `{}`)))
	assert.EqualError(t, err, "The allowed maximum operations in a JSON patch is 10000, got 10001")

	head := func(n int) error {
		_, err := applyJSON(t, valueOf(t, repeat(200_000, `0`)), repeat(n, `{"op":"add","path":"/0"}`))
		return err
	}
	assert.NoError(t, head(10), "few elements at the head of a long list")
	assert.ErrorContains(t, head(500), "the patch moves more than 100000000 elements of lists")

	deep := strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999)
	_, err = applyJSON(t, valueOf(t, `{"a":`+deep+`}`), `[{"op":"add","path":"/b","value":[]},`+
		`{"op":"move","from":"/a","path":"/b/-"},{"op":"copy","from":"/b","path":"/c"}]`)
	assert.ErrorContains(t, err, "a value has more than 10000 levels", "it could not be read again")

	again := func(n int) error {
		const spec = `{"spec":{"containers":`
		_, err := StrategicPatch(typeNamed("pods"),
			treeOf(t, spec+`[{"name":"a","env":[{"name":"x"}]}]}}`),
			treeOf(t, spec+repeat(n, `{"name":"a","env":[{"name":"x"}]}`)+`}}`))
		return err
	}
	assert.NoError(t, again(101), "each is merged, in turn")
	var limit *LimitError
	if assert.ErrorAs(t, again(102), &limit) {
		assert.Equal(t, "the patch names list elements more than 100 times that it has named before, "+
			"for one with name a", limit.Error())
	}
	long := strings.Repeat("x", 1<<14)
	_, err = applyJSON(t, treeOf(t, `{}`), `[{"op":"`+long+`"}]`)
	assert.Less(t, len(err.Error()), 400, "an error quotes only the beginning")
}

func applyJSON(t testing.TB, doc any, text string) (any, error) {
	t.Helper()
	steps, err := ParseJSONPatch(valueOf(t, text))
	require.NoError(t, err, text)
	return ApplyJSONPatch(doc, steps)
}

func jsonOf(t testing.TB, v any) string {
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
		kind %= 3
		once, err := applyTo(t, doc, text, kind)
		again, err2 := applyTo(t, doc, text, kind)
		assert.Equal(t, err == nil, err2 == nil, "a patch succeeds each time or never")
		assert.Equal(t, once, again, "a patch has the same result each time")
		if err != nil {
			return
		}
		assert.Equal(t, once, jsonOf(t, valueOf(t, once)), "%s decodes to another value", once)
		if kind == 1 {
			twice, err := applyTo(t, once, text, kind)
			require.NoError(t, err)
			assert.Equal(t, once, twice, "applying a merge patch twice is the same as once")
		}
	})
}

// applyTo returns the JSON of what a patch makes of a document.
func applyTo(t *testing.T, doc, text string, kind byte) (string, error) {
	t.Helper()
	present, err := DecodeTree([]byte(doc))
	if err != nil {
		return "", err
	}
	change, err := DecodeValue([]byte(text))
	if err != nil {
		return "", err
	}
	var result any
	tree, isTree := change.(Tree)
	switch {
	case kind == 0:
		var steps []PatchStep
		if steps, err = ParseJSONPatch(change); err == nil {
			result, err = ApplyJSONPatch(present, steps)
		}
	case !isTree:
		err = errors.New("the patch is no object")
	case kind == 1:
		result = MergePatch(present, tree)
	default:
		result, err = StrategicPatch(typeNamed("pods"), present, tree)
	}
	if err != nil {
		return "", err
	}
	return jsonOf(t, result), nil
}
