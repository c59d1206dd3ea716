package registry

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/defaults"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

func TestDefaultsAreFilledIn(t *testing.T) {
	r := newRig(t)
	for _, row := range story.Laws(t, "defaults") {
		var d defaults.Defaults
		typ := r.collection(row[1]).Type
		o, err := object.DecodeTree([]byte(row[2]))
		require.NoError(t, err, row)
		again := patch.Copy(o).(object.Tree)
		d.Complete(typ, nil, o)
		d.Complete(typ, o, again)
		assert.Equal(t, o, again, "an update that leaves out the same fields changes nothing: %s", row)
		got := "none"
		if v := object.Lookup(o, row[3]); v != nil {
			got = string(object.JSON(v))
		}
		assert.Equal(t, row[4], got, row)
	}
}

func TestAServiceKeepsItsAddress(t *testing.T) {
	var d defaults.Defaults
	typ := newRig(t).collection("services").Type
	service := func(was, spec object.Tree) object.Tree {
		o := object.Tree{"spec": spec}
		d.Complete(typ, was, o)
		return o
	}
	address := func(o object.Tree) string { return object.TextAt(o, ".spec.clusterIP") }
	one, two := service(nil, object.Tree{}), service(nil, object.Tree{})
	assert.Equal(t, "10.96.1.1 10.96.1.2", address(one)+" "+address(two))
	assert.Equal(t, "10.96.1.1", address(service(one, object.Tree{"type": "NodePort"})))
	external := service(one, object.Tree{"type": "ExternalName", "clusterIP": "10.96.1.1"})
	assert.NotContains(t, external["spec"], "clusterIP", "an ExternalName loses it")

	d.Given.Store(1<<20 - 256 - 3)
	assert.Equal(t, "10.111.255.254", address(service(nil, object.Tree{})),
		"no service gets the broadcast address")
	assert.Equal(t, "10.96.1.0", address(service(nil, object.Tree{})),
		"addresses are reused after all others")
}
