package object

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/store"
)

// A document is encoded before its version is known, and the digits are replaced later.
func TestAStampedDocumentIsTheOneEncodedWithThatVersion(t *testing.T) {
	const trap = `"resourceVersion":"7"`
	encode := func(typ *resource.Type, version uint64, kind store.Type) *Document {
		d, err := New(typ, Tree{"kind": "Thing", "apiVersion": "g.example/v1", "aaa": trap,
			"metadatA": Tree{"name": "other"}, "spec": Tree{"resourceVersion": "7"},
			"metadata": Tree{"name": "web-1", "uid": trap, "labels": Tree{"resourceVersion": "7"},
				"annotations": Tree{"resourceVersion": "7", "z": trap, `"resourceVersion":"`: "7"}}},
			version, kind)
		require.NoError(t, err)
		return d
	}
	for _, typ := range []*resource.Type{custom, builtin} {
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
				assert.Equal(t, valueOf(t, string(c.d.Raw)).(Tree)["metadata"],
					valueOf(t, string(c.d.Metadata())), "metadata is part of the document")
			}
		}
	}
}

func TestADefinitionMayGetOtherSelectableFields(t *testing.T) {
	d, err := New(custom, Tree{"metadata": Tree{"name": "a"}, "spec": Tree{"color": "red", "n": int64(7),
		"list": []any{"x"}}}, 1, store.Added)
	require.NoError(t, err)
	changed := *custom
	changed.Select = []string{".spec.color", ".spec.n", ".spec.list", ".spec.none"}
	for text, want := range map[string]bool{"spec.color=red": true, "spec.color=blue": false,
		"spec.n=7": true, "spec.list=": true, "spec.none=": true, "metadata.name=a,spec.n!=8": true} {
		fields, err := selector.ParseFields(text, Selectable(&changed))
		require.NoError(t, err, text)
		sel := &Selection{Fields: fields, Type: &changed}
		assert.Equal(t, want, sel.Matches(d), text)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The limits of the history count documents by their size.
func TestADocumentTakesNoMoreMemoryThanItsSize(t *testing.T) {
	labels := Tree{}
	for i := range 5_000 {
		labels[strconv.Itoa(i)] = ""
	}
	before := heap()
	d, err := New(custom, Tree{"metadata": Tree{"labels": labels}}, 1, store.Added)
	require.NoError(t, err)
	assert.LessOrEqual(t, int(heap()-before), d.Size())
	runtime.KeepAlive(labels)
}
