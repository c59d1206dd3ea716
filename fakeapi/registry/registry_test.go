package registry

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// A rig is a registry without a server.
type rig struct {
	t *testing.T
	*Registry
}

func newRig(t *testing.T) rig {
	limits := store.Limits{Events: 1000, Age: time.Hour, Bytes: 1 << 30, Behind: 1000}
	r, err := New(store.New(limits, nil), resource.Defaults(), true)
	require.NoError(t, err)
	return rig{t, r}
}

func (r rig) collection(name string) *Collection {
	r.t.Helper()
	e := r.Catalog().Stored(name)
	require.NotNil(r.t, e, name)
	return e.Collection
}

func (r rig) create(name, text string) {
	r.t.Helper()
	t, err := object.DecodeTree([]byte(text))
	require.NoError(r.t, err)
	c := r.collection(name)
	t["kind"], t["apiVersion"] = c.Type.Kind, c.Type.APIVersion()
	_, err = c.Create(r.t.Context(), 0, func() (object.Tree, error) { return t, nil }, false)
	require.NoError(r.t, err, text)
}

func (r rig) remove(resource, namespace, name string) {
	r.t.Helper()
	_, _, err := r.collection(resource).Remove(r.t.Context(), Removal{Namespace: namespace, Name: name})
	require.NoError(r.t, err)
}

// change changes an object, for instance lets it go by removing its finalizers.
func (r rig) change(resource, namespace, name string, change func(object.Tree)) {
	r.t.Helper()
	_, err := r.collection(resource).Update(r.t.Context(), Update{Namespace: namespace, Name: name,
		Patch: true, Change: func(present object.Tree) (object.Tree, error) {
			t := patch.Copy(present).(object.Tree)
			change(t)
			return t, nil
		}})
	require.NoError(r.t, err)
}

func letGo(t object.Tree) { delete(object.MetaOf(t), "finalizers") }

const levers = `{"metadata":{"name":"levers.example.dev"},"spec":{"group":"example.dev",
	"scope":"Namespaced","names":{"plural":"levers","kind":"Lever"},"versions":[{"name":"v1",
	"served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`

// The namespace or the definition of an object may be deleted after a create has passed
// all checks. The create has to notice that when it commits.
func TestACreateThatComesTooLateIsRefused(t *testing.T) {
	r := newRig(t)
	const definitions = "customresourcedefinitions"
	r.create(definitions, levers)
	r.create("namespaces", `{"metadata":{"name":"shop","finalizers":["a/b"]}}`)
	c := r.collection("levers")
	late := func() error {
		_, err := c.createAs(object.Tree{"kind": "Lever", "apiVersion": "example.dev/v1",
			"metadata": object.Tree{"name": "web-1", "namespace": "shop"}}, false)
		return err
	}
	r.remove("namespaces", "", "shop")
	assert.ErrorContains(t, late(), "because it is being terminated")
	r.change("namespaces", "", "shop", letGo)
	assert.ErrorContains(t, late(), `namespaces "shop" not found`)
	r.create("namespaces", `{"metadata":{"name":"shop"}}`)
	require.NoError(t, late(), "namespace and definition exist")

	r.remove(definitions, "", "levers.example.dev")
	assert.ErrorContains(t, late(), `levers.example.dev "web-1" not found`, "the definition is deleted")
	r.create(definitions, levers)
	assert.ErrorContains(t, late(), `levers.example.dev "web-1" not found`,
		"the definition was created anew, with another collection")
}

// A namespace that a finalizer keeps terminating does not slow down writes elsewhere:
// they do not look through its objects.
func TestWritesElsewhereLeaveATerminatingNamespaceAlone(t *testing.T) {
	r := newRig(t)
	const held = `{"metadata":{"name":"web-1","namespace":"shop","finalizers":["a/b"]}}`
	r.create("namespaces", `{"metadata":{"name":"shop"}}`)
	r.create("pods", held)
	r.create("secrets", held)
	r.create("pods", `{"metadata":{"name":"db-1","namespace":"default"}}`)
	r.remove("namespaces", "", "shop")

	s := &r.terminating
	s.sweep.Lock() // requested sweeps wait, and stay counted in wanted
	r.create("configmaps", `{"metadata":{"name":"web-1","namespace":"default"}}`)
	r.remove("pods", "default", "db-1")
	r.change("pods", "shop", "web-1", func(t object.Tree) {
		object.SetAt(t, ".spec.nodeName", "node-1")
	})
	assert.Zero(t, s.wanted.Load(),
		"a write that removes nothing from the namespace requests no sweep")
	r.change("pods", "shop", "web-1", letGo)
	assert.NotZero(t, s.wanted.Load(), "a write that removes one of its objects requests a sweep")
	s.sweep.Unlock()

	r.change("secrets", "shop", "web-1", letGo)
	assert.Nil(t, r.collection("namespaces").Get("shop"), "removing the last object removes the namespace")
}

func TestGeneratedNames(t *testing.T) {
	assert.Regexp(t, `^web-[bcdfghjklmnpqrstvwxz2456789]{5}$`, generateName("web-"))
	assert.Len(t, generateName(strings.Repeat("x", 58)), 63, "no longer than a DNS label")
	assert.Len(t, generateName(strings.Repeat("x", 200)), 63, "however long the prefix is")
	assert.NotEqual(t, generateName("web-"), generateName("web-"), "no two are alike")
}

// The propagation policy of a deletion becomes finalizers of the object.
func TestPropagationIsFinalizers(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		law, policy string
		orphan      *bool
		present     []string
		want        []string
	}{
		{"no policy adds nothing", "", nil, []string{"a/b"}, []string{"a/b"}},
		{"no policy keeps that of an earlier deletion",
			"", nil, []string{"orphan", "a/b"}, []string{"orphan",
				"a/b"}},
		{"Foreground adds its finalizer", query.Foreground, nil, []string{"a/b"}, []string{"a/b",
			"foregroundDeletion"}},
		{"Orphan adds its finalizer", query.Orphan, nil, nil, []string{"orphan"}},
		{"orphanDependents=true is Orphan", "", &yes, nil, []string{"orphan"}},
		{"a finalizer is not added twice", query.Orphan, nil, []string{"orphan"}, []string{"orphan"}},
		{"Foreground replaces Orphan", query.Foreground, nil, []string{"orphan"}, []string{
			"foregroundDeletion"}},
		{"Orphan replaces Foreground", query.Orphan, nil, []string{"foregroundDeletion"}, []string{
			"orphan"}},
		{"Background removes both", query.Background, nil, []string{"orphan", "a/b",
			"foregroundDeletion"}, []string{"a/b"}},
		{"orphanDependents=false removes both", "", &no, []string{"orphan", "foregroundDeletion"},
			[]string{}},
	} {
		before := append([]string(nil), c.present...)
		got := Removal{Delete: query.Delete{Propagation: c.policy,
			Orphan: c.orphan}}.finalizers(c.present)
		assert.ElementsMatch(t, c.want, got, c.law)
		assert.Equal(t, before, c.present, "%s: the object's own list is not changed", c.law)
	}
}
