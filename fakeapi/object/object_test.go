package object

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

type tree = Tree

var (
	custom = &Type{Resource: Resource{Group: "g.example", Version: "v1",
		Plural: "things", Kind: "Thing"}}
	builtin = &Type{Resource: Resource{Version: "v1", Plural: "configmaps",
		Kind: "ConfigMap"}}
)

func TestBodiesThatAreRefused(t *testing.T) {
	types := map[string]*Type{"custom": custom, "builtin": builtin}
	for _, row := range story.Laws(t, "refused") {
		_, _, err := Decode(types[row[1]], []byte(row[2]), "")
		code, message, _ := strings.Cut(row[3], " ")
		assert.Equal(t, code, fmt.Sprint(status.Of(err).Code), row[0])
		assert.ErrorContains(t, err, message, row[0])
	}
	err := CheckCustom(custom, Tree{"kind": "Gadget", "apiVersion": "g.example/v1"})
	assert.Equal(t, "Gadget", status.Of(err).Details.Kind, "details name the kind in the body")
}

// One such object in a list, and a typed client cannot decode the list any more.
func TestABuiltinObjectThatTypedClientsCannotDecodeIsRefused(t *testing.T) {
	for _, row := range story.Laws(t, "schemas") {
		good, bad := row[2], row[3]
		typ := &Type{Resource: Resource{Group: row[1], Version: "v1",
			Plural: row[0], Kind: "K"}}
		_, _, err := Decode(typ, []byte(good), StrictFail)
		assert.NoError(t, err, good)
		_, _, err = Decode(typ, []byte(bad), "")
		assert.Equal(t, 400, status.Of(err).Code, bad)
		assert.ErrorContains(t, err, `K in version "v1" cannot be handled as a K: `, bad)
		typ.Defined = true
		_, err = Fit(typ, treeOf(t, bad), "")
		assert.NoError(t, err, "a defined type has no such fields: %s", bad)
	}
}

func TestBodiesAreNormalized(t *testing.T) {
	for _, row := range story.Laws(t, "normalized") {
		o, _, err := Decode(builtin, []byte(row[1]), "")
		require.NoError(t, err, row[0])
		assert.Equal(t, string(JSON(valueOf(t, row[2]))), string(JSON(o)), row[0])
	}
}

func TestUnknownFieldsAreWarnedOfOrRefused(t *testing.T) {
	body := []byte(`{"kind":"Thing","apiVersion":"g.example/v1","metadata":{"zz":1,"name":"a",` +
		`"ownerReferences":[{},{"x":1}],"` + strings.Repeat("y", 1<<10) + `":1},"spec":{"a":1,"a":2}}`)
	warnings := []string{`unknown field "metadata.ownerReferences[1].x"`,
		`unknown field "metadata.` + strings.Repeat("y", status.MaxShown-len("metadata.")) + `"...`,
		`unknown field "metadata.zz"`}
	for s, want := range map[Strictness][]string{
		"": warnings, StrictWarn: warnings, StrictIgnore: nil,
	} {
		o, got, err := Decode(custom, body, s)
		require.NoError(t, err)
		assert.Equal(t, want, got, "%q: each is reported once", s)
		assert.Equal(t, tree{"a": int64(2)}, o["spec"], "the last of two fields counts")
	}
	_, _, err := Decode(custom, body, StrictFail)
	assert.ErrorContains(t, err, "strict decoding error: "+strings.Join(warnings, ", "))
	_, _, err = Decode(custom, []byte(`{"kind":"Thing","apiVersion":"g.example/v1"}`), StrictFail)
	assert.NoError(t, err, "Strict accepts a body without unknown fields")
}

func errorsIn(t *testing.T, metadata string) []string {
	t.Helper()
	m := Meta(treeOf(t, metadata))
	if m["namespace"] == nil {
		m["namespace"] = "default"
	}
	var errs status.FieldErrors
	ValidateMeta(&errs, custom, m)
	var texts []string
	for _, e := range errs {
		texts = append(texts, e.String())
	}
	return texts
}

func TestMetadataThatIsInvalid(t *testing.T) {
	for _, row := range story.Laws(t, "metadata") {
		got := errorsIn(t, row[1])
		var wanted []string
		if row[2] != "nothing" {
			wanted = strings.Split(row[2], " ; ")
		}
		assert.True(t, slices.EqualFunc(got, wanted, strings.HasPrefix), "%s: %s", row, got)
	}
	text := func(n int) string { return `":"` + strings.Repeat("x", n) + `"` }
	assert.Empty(t, errorsIn(t, `{"name":"a","annotations":{"b`+text(256<<10-1)+`}}`),
		"annotations may have exactly 256 KiB")
	assert.Equal(t, []string{"metadata.annotations: Too long: may not be more than 262144 bytes"},
		errorsIn(t, `{"name":"a","annotations":{"b`+text(256<<10)+`}}`))
}

// valueOf decodes JSON as the server does: whole numbers are int64.
func valueOf(t testing.TB, text string) any {
	t.Helper()
	v, err := DecodeValue([]byte(text))
	require.NoError(t, err, text)
	return v
}

func treeOf(t testing.TB, text string) tree {
	t.Helper()
	v, err := DecodeTree([]byte(text))
	require.NoError(t, err, text)
	return v
}

// A document is encoded before its version is known, and the digits are replaced later.
func TestAStampedDocumentIsTheOneEncodedWithThatVersion(t *testing.T) {
	const trap = `"resourceVersion":"7"`
	encode := func(typ *Type, version uint64, kind store.Type) *Document {
		d, err := New(typ, tree{"kind": "Thing", "apiVersion": "g.example/v1", "aaa": trap,
			"metadatA": tree{"name": "other"}, "spec": tree{"resourceVersion": "7"},
			"metadata": tree{"name": "web-1", "uid": trap, "labels": tree{"resourceVersion": "7"},
				"annotations": tree{"resourceVersion": "7", "z": trap, `"resourceVersion":"`: "7"}}},
			version, kind)
		require.NoError(t, err)
		return d
	}
	for _, typ := range []*Type{custom, builtin} {
		for _, v := range []struct{ guess, version uint64 }{
			{7, 7}, {7, 8}, {9, 10}, {99, 101}, {1000, 1}, {5, 1<<64 - 1}} {
			d := encode(typ, v.guess, store.Modified)
			last := d.AsDeleted()
			for _, c := range []struct {
				kind store.Type
				d    *Document
			}{{store.Modified, d}, {store.Deleted, last}} {
				c.d.Stamp(v.version)
				want := encode(typ, v.version, c.kind)
				assert.Equal(t, want, c.d, "%s: encoded at %d, stamped with %d", c.kind, v.guess, v.version)
				assert.Equal(t, valueOf(t, string(c.d.Raw)).(tree)["metadata"],
					valueOf(t, string(slices.Concat(c.d.MetadataAt(v.version)...))),
					"metadata is part of the document")
				other := slices.Concat(c.d.At(12345)...)
				assert.Equal(t, string(encode(typ, 12345, c.kind).Raw), string(other), "at another version")
				assert.Contains(t, string(other), string(slices.Concat(c.d.MetadataAt(12345)...)))
			}
		}
	}
}

func TestADefinitionMayGetOtherSelectableFields(t *testing.T) {
	d, err := New(custom, tree{"metadata": tree{"name": "a"},
		"spec": tree{"color": "red", "n": int64(7), "list": []any{"x"}}}, 1, store.Added)
	require.NoError(t, err)
	changed := *custom
	changed.Select = []string{".spec.color", ".spec.n", ".spec.list", ".spec.none"}
	for text, want := range map[string]bool{"spec.color=red": true, "spec.color=blue": false,
		"spec.n=7": true, "spec.list=": true, "spec.none=": true, "metadata.name=a,spec.n!=8": true} {
		fields, err := ParseFieldSelector(text, Selectable(&changed))
		require.NoError(t, err, text)
		sel := &Selection{Fields: fields, Type: &changed}
		assert.Equal(t, want, sel.Matches(d), text)
	}
}

// The limits of the history count documents by their size.
func TestADocumentTakesNoMoreMemoryThanItsSize(t *testing.T) {
	labels := tree{}
	for i := range 50_000 {
		labels[strconv.Itoa(i)] = ""
	}
	before := story.Heap()
	d, err := New(custom, tree{"metadata": tree{"labels": labels}}, 1, store.Added)
	require.NoError(t, err)
	assert.Less(t, story.Heap()-before, d.Size()+d.Size()/10)
	runtime.KeepAlive(labels)
}
