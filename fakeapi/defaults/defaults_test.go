package defaults

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
)

func typeOf(name string) *resource.Type {
	for _, r := range resource.Defaults() {
		if r.QualifiedName() == name {
			return resource.New(r)
		}
	}
	panic(name)
}

func TestDefaultsAreFilledIn(t *testing.T) {
	text, err := os.ReadFile("testdata/filled.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		var d Defaults
		o, err := object.DecodeTree([]byte(row[2]))
		require.NoError(t, err, row)
		again := patch.Copy(o).(object.Tree)
		d.Complete(typeOf(row[1]), nil, o)
		d.Complete(typeOf(row[1]), o, again)
		assert.Equal(t, o, again, "an update that leaves out the same fields changes nothing: %s", row)
		got := "none"
		if v := object.Lookup(o, row[3]); v != nil {
			got = string(object.JSON(v))
		}
		assert.Equal(t, row[4], got, row)
	}
}

func TestAServiceKeepsItsAddress(t *testing.T) {
	var d Defaults
	service := func(was object.Tree, spec object.Tree) object.Tree {
		o := object.Tree{"spec": spec}
		d.Complete(typeOf("services"), was, o)
		return o
	}
	one, two := service(nil, object.Tree{}), service(nil, object.Tree{})
	assert.Equal(t, "10.96.1.1 10.96.1.2", object.TextAt(one, ".spec.clusterIP")+" "+
		object.TextAt(two, ".spec.clusterIP"))
	assert.Equal(t, "10.96.1.1", object.TextAt(service(one, object.Tree{"type": "NodePort"}), ".spec.clusterIP"))
	external := service(one, object.Tree{"type": "ExternalName", "clusterIP": "10.96.1.1"})
	assert.NotContains(t, external["spec"], "clusterIP", "an ExternalName loses it")
}

func TestAddressesAreReusedAfterAllOthers(t *testing.T) {
	d := &Defaults{}
	d.given.Store(1<<20 - 256 - 2)
	assert.Equal(t, "10.96.1.0", d.next(), "the first address follows the last")
	d.given.Store(1<<20 - 256 - 3)
	assert.Equal(t, "10.111.255.254", d.next(), "no service gets the broadcast address")
}
