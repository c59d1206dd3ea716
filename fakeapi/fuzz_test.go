package fakeapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What fuzzing adds to the tables: not only that nothing panics, but that each
// input keeps a promise. go test runs the seeds; go test -fuzz looks for more.

// FuzzLabelSelector: a selector that can be read can be spelled, and read again as
// the same; and it selects what its requirements say, one by one.
func FuzzLabelSelector(f *testing.F) {
	for _, s := range []string{"", "app", "!app", "app=front", "app==front", "app!=",
		"app in (a,b)",
		"app notin (a, ,b)", "n>3,n<5", "example.dev/app = x , !y", "a=b,", "a in ()", "(", "a b",
		"a=\xff", "a\nb", "!!a", "notin in (in)", "in in (in)", "a in (b),c"} {
		f.Add(s, "app", "front")
	}
	f.Fuzz(func(t *testing.T, text, key, value string) {
		s, err := parseLabels(text)
		if err != nil {
			assert.Nil(t, s)
			return
		}
		again, err := parseLabels(spellLabels(s))
		require.NoError(t, err, "%q is spelled %q", text, spellLabels(s))
		assert.Equal(t, spellLabels(s), spellLabels(again))

		labels := map[string]string{key: value}
		assert.Equal(t, s.matches(labels), again.matches(labels))
		each := true
		for _, q := range s {
			each = each && labelSelector{q}.matches(labels)
			opposite := map[operator]operator{opExists: opMissing, opMissing: opExists,
				opIn: opNotIn, opNotIn: opIn}
			if not, ok := opposite[q.op]; ok {
				p := q
				p.op = not
				assert.NotEqual(t, q.matches(labels), p.matches(labels),
					"%q and its opposite", text)
			}
		}
		assert.Equal(t, each, s.matches(labels), "all requirements have to hold")
	})
}

// spellLabels is a selector as text.
func spellLabels(s labelSelector) string {
	parts := make([]string, len(s))
	for i, q := range s {
		switch q.op {
		case opExists:
			parts[i] = q.key
		case opMissing:
			parts[i] = "!" + q.key
		case opIn, opNotIn:
			parts[i] = q.key + " " + string(q.op) + " (" + strings.Join(q.values, ",") + ")"
		default:
			parts[i] = q.key + string(q.op) + q.values[0]
		}
	}
	return strings.Join(parts, ",")
}

// FuzzFieldSelector: the same of field selectors, whose values can be anything.
func FuzzFieldSelector(f *testing.F) {
	for _, s := range []string{"", "metadata.name=web-1", "metadata.name!=a,metadata.namespace==b",
		`spec.color=a\,b`, `spec.color=\\`, "spec.color=a=b", "spec.other=x", "=", ",", `\`,
		"metadata.name", "metadata.name=\xff", "spec.color=", `spec.color=a\b`} {
		f.Add(s, "web-1")
	}
	r := DefaultResources()[10] // widgets
	f.Fuzz(func(t *testing.T, text, value string) {
		d := &document{name: value, namespace: "default", fields: []string{value}}
		if s, err := parseFields(&r, text); err == nil {
			again, err := parseFields(&r, spellFields(s))
			require.NoError(t, err, "%q is spelled %q", text, spellFields(s))
			assert.Equal(t, spellFields(s), spellFields(again))
			assert.Equal(t, s.matches(d), again.matches(d))
		}
		s, err := parseFields(&r, "spec.color="+escapeField(value))
		require.NoError(t, err, "every value can be asked for")
		assert.True(t, s.matches(d), "%q selects itself", value)
		s, err = parseFields(&r, "spec.color!="+escapeField(value))
		require.NoError(t, err)
		assert.False(t, s.matches(d), "%q is not other than itself", value)
	})
}

func escapeField(value string) string {
	return strings.NewReplacer(`\`, `\\`, ",", `\,`, "=", `\=`).Replace(value)
}

func spellFields(s fieldSelector) string {
	parts := make([]string, len(s))
	for i, term := range s {
		path := map[int]string{fieldName: "metadata.name", fieldNamespace: "metadata.namespace",
			0: "spec.color"}[term.field]
		op := "="
		if term.not {
			op = "!="
		}
		parts[i] = path + op + escapeField(term.value)
	}
	return strings.Join(parts, ",")
}

// FuzzContinueToken: what is not a token is refused; what is one leads nowhere
// outside the selection it is for; and every place has a token that leads there.
func FuzzContinueToken(f *testing.F) {
	for _, s := range []string{"", "garbage", "e30",
		"eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Miwic3RhcnQiOiJ4In0",
		continueAfter(7, "default/", "default/web-1"), continueAfter(anyVersion, "", "a/b")} {
		f.Add(s, "default", "web-1", int64(7))
	}
	f.Fuzz(func(t *testing.T, text, namespace, name string, version int64) {
		prefix := namespace + "/"
		if token, start, err := readToken(text, prefix); err == nil {
			assert.True(t, strings.HasPrefix(start, prefix), "%q leads to %q", text, start)
			assert.NotZero(t, token.Version)
		}
		if badSubdomain(name) != "" || version == 0 {
			return // no object is called so, and no state has that version
		}
		text = continueAfter(version, prefix, prefix+name)
		token, start, err := readToken(text, prefix)
		require.NoError(t, err, "%q", text)
		assert.Equal(t, prefix+name+"\x00", start)
		assert.Equal(t, version, token.Version)
	})
}

// FuzzPatch: a patch is refused with a Status, or makes an object that is JSON and
// can be read back, the same each time; and a merge patch that has been applied has
// nothing left to do.
func FuzzPatch(f *testing.F) {
	const doc = `{"kind":"Pod","metadata":{"name":"a","finalizers":["x"]},` +
		`"spec":{"containers":[{"name":"c","image":"i"}],"n":1,"l":[1,[2]]}}`
	for _, p := range []string{`{}`, `null`, `[]`, `{"spec":null}`,
		`{"spec":{"n":null,"m":{"a":null}}}`,
		`{"spec":{"containers":[{"name":"c","image":"j"},{"name":"d"}]}}`,
		`{"spec":{"containers":[{"$patch":"delete","name":"c"}]}}`,
		`{"spec":{"containers":[{"$patch":"replace"}],"$retainKeys":["n"]}}`,
		`{"metadata":{"$deleteFromPrimitiveList/finalizers":["x"],"finalizers":["x","y"]}}`,
		`{"spec":{"volumes":[],"finalizers":[]}}`, `{"$patch":"replace","a":1}`, `{"$patch":5}`,
		`{"spec":{"ports":[{"port":1}]}}`,
		`[{"op":"add","path":"/spec/l/-","value":3},{"op":"move","from":"/spec/l/0","path":"/x"}]`,
		`[{"op":"copy","from":"/spec","path":"/spec/s"},{"op":"add","path":"/spec/s/s","value":{}}]`,
		`[{"op":"replace","path":"/spec/l/-1","value":null},{"op":"remove","path":"/spec/l/0"}]`,
		`[{"op":"test","path":"/spec/n","value":1},{"op":"add","path":"","value":{"a":{}}}]`,
		`[{"op":"add","path":"/a~1b~0","value":[]},{"op":"copy","from":"","path":"/c"}]`} {
		for kind := range byte(3) {
			f.Add(doc, p, kind)
		}
	}
	f.Fuzz(func(t *testing.T, doc, text string, kind byte) {
		media := []string{typeJSONPatch, typeMergePatch, typeStrategic}[kind%3]
		if _, err := decodeTree([]byte(doc)); err != nil {
			return
		}
		p, err := parsePatch(media, []byte(text))
		if err != nil {
			assertRefusal(t, err, 400, 413)
			return
		}
		once, err := applyTo(t, p, []byte(doc))
		again, err2 := applyTo(t, p, []byte(doc))
		assert.Equal(t, err == nil, err2 == nil, "it does the same each time")
		if err != nil {
			assertRefusal(t, err, 400, 422)
			return
		}
		assert.Equal(t, string(once), string(again), "it does the same each time")
		if media != typeMergePatch {
			return
		}
		twice, err := applyTo(t, p, once)
		require.NoError(t, err)
		assert.Equal(t, string(once), string(twice), "there is nothing left to do")
	})
}

// applyTo is what p makes of a document, which has to survive being stored.
func applyTo(t *testing.T, p patch, doc []byte) ([]byte, error) {
	t.Helper()
	present, err := decodeTree(doc)
	require.NoError(t, err)
	v, err := p.apply(present)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(v)
	require.NoError(t, err)
	read, err := decodeTree(b)
	require.NoError(t, err, "%s", b)
	assert.True(t, reflect.DeepEqual(v, read) || bytes.Contains(b, []byte("\ufffd")) ||
		bytes.Contains(b, []byte(`\ufffd`)), "%v is stored as %s", v, b)
	return b, nil
}

func assertRefusal(t *testing.T, err error, codes ...int) {
	t.Helper()
	s := statusOf(err)
	assert.Contains(t, codes, s.Code, "%v", err)
	assert.Equal(t, "Failure", s.Status)
	assert.True(t, json.Valid(s.encode()), fmt.Sprint(s))
}
