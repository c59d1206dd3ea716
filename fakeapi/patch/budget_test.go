package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// elements returns a list of n objects, each with a key of its own.
func elements(n int, key string) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = object{key: fmt.Sprint("e", i), "n": int64(i)}
	}
	return list
}

// assertLimit checks that err says that a limit is exceeded.
func assertLimit(t *testing.T, err error, text, law string) {
	t.Helper()
	var limit *LimitError
	if assert.ErrorAs(t, err, &limit, law) {
		assert.Equal(t, text, limit.Error(), law)
	}
}

// Lists of a body of 3 MB can have 16,000 elements and more. Comparing each with each
// would be 256,000,000 comparisons.
func TestListsAreMergedInOnePass(t *testing.T) {
	const n = 1_000
	allocated := testing.AllocsPerRun(1, func() {
		_, err := Strategic(object{"containers": elements(n, "name")},
			object{"containers": append(elements(n, "name"), elements(2*n, "name")...)})
		require.NoError(t, err)
	})
	assert.Less(t, allocated, 40.0*n, "the index is made once, and not for each element")
}

// A key may be nearly as large as the object. A patch of 3 MB can name such an element a
// hundred thousand times.
func TestLargeKeysAreCountedByTheirSize(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	for law, c := range map[string]struct{ target, change object }{
		"a key that is text":      {object{"env": []any{object{"name": long}}}, object{"env": []any{object{"name": "x"}}}},
		"a key that is an object": {object{"env": []any{object{"name": object{long: true}}}}, object{"env": []any{object{"name": "x"}}}},
		"an element of a set":     {object{"finalizers": []any{long}}, object{"finalizers": []any{"x"}}},
		"a list to delete from":   {object{"args": []any{long}}, object{"$deleteFromPrimitiveList/args": []any{"x"}}},
	} {
		c.target["name"], c.change["name"] = "a", "a"
		var again []any
		for range 12 {
			again = append(again, Copy(c.change))
		}
		_, err := Strategic(object{"containers": []any{c.target}}, object{"containers": again})
		assertLimit(t, err, "the patch looks at more than 8388608 bytes of the keys of list elements", law)
		_, err = Strategic(object{"containers": []any{Copy(c.target)}},
			object{"containers": []any{Copy(c.change)}})
		assert.NoError(t, err, "%s: looking at it once is allowed", law)
	}
}

// An element that a patch names twice is merged twice, each time into a list that has to
// be indexed again. So the work is the product of the two lists' sizes, up to a limit.
func TestAStrategicMergePatchIsBounded(t *testing.T) {
	const n, most = 100, 40_000
	many := func() (names []any) {
		for i := range n {
			names = append(names, fmt.Sprint("k", i))
		}
		return names
	}
	for law, change := range map[string]object{
		"a list is indexed for each":  {"name": "a", "env": []any{object{"name": "x"}}},
		"a set is made for each":      {"name": "a", "finalizers": []any{"x"}},
		"a list is searched for each": {"name": "a", "$deleteFromPrimitiveList/args": []any{"x"}},
		"an order is made for each":   {"name": "a", "$setElementOrder/env": []any{}},
		"fields are copied for each":  {"name": "a", "$retainKeys": many()},
	} {
		target := object{"name": "a", "env": elements(n, "name"), "finalizers": many(),
			"args": many()}
		keys, _ := change["$retainKeys"].([]any)
		for _, k := range keys {
			target[k.(string)] = true
		}
		var again []any
		for range n {
			again = append(again, Copy(change))
		}
		m := merger{budget{most: most, what: merges}}
		_, err := m.object(object{"containers": []any{Copy(target)}}, object{"containers": again})
		assertLimit(t, err, "the patch looks at more than 40000 bytes of the keys of list elements", law)
		assert.Less(t, m.work.spent, most+20*n, law)
		m = merger{budget{most: 500, what: merges}}
		_, err = m.object(target, Copy(change).(object))
		assertLimit(t, err, "the patch looks at more than 500 bytes of the keys of list elements", law)
	}
}

// Inserting or removing an element moves all elements after it. The limit that Apply sets is tested
// with a request, among the hostile ones in fakeapi.
func TestAJSONPatchIsBounded(t *testing.T) {
	const n, most = 200, 10_000
	zeros := "[" + strings.Repeat("0,", n) + "0]"
	doc := `{"a":` + zeros + `,"b":[` + zeros + `],"c":[]}`
	for law, step := range map[string]string{
		"insert at the head":   `{"op":"add","path":"/a/0","value":0}`,
		"insert near the head": `{"op":"add","path":"/a/100","value":0}`,
		"remove from the head": `{"op":"remove","path":"/a/0"}`,
		"move to the end":      `{"op":"move","from":"/a/0","path":"/a/-"}`,
		"move from the end":    `{"op":"move","from":"/a/-1","path":"/a/0"}`,
		"within another list":  `{"op":"add","path":"/b/0/0","value":0}`,
		"move to where it is":  `{"op":"move","from":"/b/0/0","path":"/b/0/0"}`,
	} {
		steps, _, err := ParseSteps(valueOf(t, "["+strings.Repeat(step+",", 179)+step+"]"))
		require.NoError(t, err, law)
		a := applier{work: budget{most: most, what: moves}}
		_, err = a.all(valueOf(t, doc), steps)
		assertLimit(t, err, "the patch moves more than 10000 list elements", law)
		assert.Less(t, a.work.spent, most+2*n, law)
	}
	for law, step := range map[string]string{
		"append":          `{"op":"add","path":"/a/-","value":0}`,
		"replace":         `{"op":"replace","path":"/a/0","value":1}`,
		"move at the end": `{"op":"move","from":"/a/-1","path":"/a/-1"}`,
	} {
		steps, _, err := ParseSteps(valueOf(t, "["+strings.Repeat(step+",", 499)+step+"]"))
		require.NoError(t, err, law)
		a := applier{work: budget{most: most, what: moves}}
		_, err = a.all(valueOf(t, doc), steps)
		assert.NoError(t, err, "500 operations are allowed: %s", law)
	}
}

// Moves can make a value deeper than any document. Copying it could exhaust the stack.
func TestAValueThatIsTooDeepIsNotCopied(t *testing.T) {
	v := any(object{})
	for range maxDepth {
		v = []any{v}
	}
	_, err := (&applier{}).duplicate(v)
	assert.ErrorIs(t, err, errTooDeep)
	_, err = (&applier{}).duplicate(v.([]any)[0])
	assert.NoError(t, err, "a document may have 10,000 levels")
}

func TestErrorsQuoteOnlyTheBeginning(t *testing.T) {
	long := strings.Repeat("x", 1<<14)
	steps, _, err := ParseSteps(valueOf(t, `[{"op":"`+long+`"}]`))
	require.NoError(t, err)
	_, err = Apply(object{}, steps)
	errs := []error{err}
	for _, change := range []object{
		{"$patch": long}, {"containers": []any{long}}, {"containers": []any{object{"a": long}}},
	} {
		_, err := Strategic(object{}, change)
		errs = append(errs, err)
	}
	for _, err := range errs {
		require.Error(t, err)
		assert.Less(t, len(err.Error()), 400)
	}
}
