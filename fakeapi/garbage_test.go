package fakeapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// Each law makes config maps in the namespace default, deletes some, and says which are left, with
// their owners. "b<a,c!" is owned by a and by c, and blocks the deletion of c in the foreground; a
// letter may be followed by finalizers. A word "-a=Orphan" deletes a with a policy, "free" takes
// the finalizer example.dev/x from all, and "a:b<a" gives the owners of b<a to b, which is there.
// Deleted ones that are still there have a *.
func TestGarbage(t *testing.T) {
	for _, c := range []struct{ law, steps, left string }{
		{"dependents of a removed owner are deleted, and theirs", "a b<a c<b d<a e -a", "e"},
		{"in the background, dependents may go later", "a b+example.dev/x<a -a=Background", "b*<a"},
		{"an orphan stays, without the reference, and keeps its own dependents",
			"a b<a c<b d<a,b! -a=Orphan", "b c<b d<b!"},
		{"a dependent with another owner loses only the reference", "a b c<a,b -a", "b c<b"},
		{"a dependent without the last owner is deleted", "a b c<a,b -a -b", ""},
		{"in the foreground, the owner waits for dependents that block",
			"a b+example.dev/x<a! -a=Foreground", "a* b*<a!"},
		{"and goes after them", "a b+example.dev/x<a! -a=Foreground free", ""},
		{"but not for others", "a b+example.dev/x<a -a=Foreground", "b*<a"},
		{"a dependent blocks only the owner whose reference says so",
			"a c b+example.dev/x<a!,c -b -a=Foreground -c=Foreground", "a* b*<a!,c"},
		{"it waits for the dependents of its dependents, too",
			"a b<a! c+example.dev/x<b! -a=Foreground", "a* b*<a! c*<b!"},
		{"and goes after these, too", "a b<a! c+example.dev/x<b! -a=Foreground free", ""},
		{"a dependent with another owner does not keep it", "a b c<a!,b -a=Foreground", "b c<b"},
		{"two that own each other do not wait for each other", "a b<a! a:a<b! -a=Foreground", ""},
		{"two that own each other stay until one is deleted", "a b<a a:a<b", "a<b b<a"},
		{"a dependent that is to orphan its own does so", "a b+orphan<a c<b -a", "c"},
		{"a dependent that is to wait for its own does so",
			"a b+foregroundDeletion<a c+example.dev/x<b! -a", "b*<a c*<b!"},
		{"an object whose owner was never there is deleted", "a b<ghost", "a"},
		{"so is one whose owner has another UID", "a b<imposter-a", "a"},
		{"one whose owner is in another namespace has none", "b<elsewhere", ""},
		{"a cluster-wide owner counts", "b<node", "b<node"},
		{"an owner of a type that is not served is left alone", "a b<unknown", "a b<unknown"},
		{"and one of a kind that another group has", "b<foreign", "b<ghost"},
		{"so is one that has such an owner besides", "b<unknown,ghost", "b<unknown,ghost"},
		{"what is deleted already is not deleted again", "a b+example.dev/x<a -b -a", "b*<a"},
		{"its reference stays", "a c b+example.dev/x<a,c -b -a", "b*<a,c c"},
	} {
		t.Run(c.law, func(t *testing.T) {
			bubble(t, Options{CollectGarbage: true}, func(t *testing.T, s *Server) {
				h := newHeap(t, s)
				for step := range strings.FieldsSeq(c.steps) {
					h.step(step)
					settled()
				}
				assert.Equal(t, c.left, h.left())
			})
		})
	}
}

func TestWithoutTheOptionGarbageStays(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		h := newHeap(t, s)
		for step := range strings.FieldsSeq("a b<a c d<c! e f<e -a=Background -c=Foreground -e=Orphan") {
			h.step(step)
		}
		settled()
		assert.Equal(t, "b<a c* d<c! e* f<e", h.left())
	})
}

// An object without dependents has nothing to wait for: no finalizer is added to it, and removed.
func TestOnlyAnOwnerIsDeletedInTheForeground(t *testing.T) {
	bubble(t, Options{CollectGarbage: true}, func(t *testing.T, s *Server) {
		h := newHeap(t, s)
		h.step("a")
		h.step("b+example.dev/x<a!")
		before := s.store.Version()
		h.step("-a=Foreground")
		settled()
		assert.Equal(t, before+2, s.store.Version(), "a and b are marked")
	})
}

// Custom resources are owners and dependents like others. Events are left to expire, and what is in
// no namespace cannot be owned by what is in one.
func TestGarbageOfOtherTypes(t *testing.T) {
	o := Options{CollectGarbage: true, Resources: append(DefaultResources(),
		Resource{Group: "example.dev", Version: "v1", Plural: "events", Kind: "Event"})}
	bubble(t, o, func(t *testing.T, s *Server) {
		h := newHeap(t, s)
		create(t, s, "web", "red")
		h.owner("web", "workshop.example.dev/v1", "Widget", h.get("widgets", "default", "web"))
		h.step("a<web")
		for resource, owner := range map[string]string{
			"widgets": "web", "events": "ghost", "events.events.k8s.io": "ghost",
			"events.example.dev": "ghost", "nodes": "elsewhere"} {
			_, err := s.Create(resource, fmt.Sprintf(`{"metadata":{"name":"x","ownerReferences":[%s]}}`,
				h.owners[owner]))
			require.NoError(t, err)
		}
		settled()
		require.NoError(t, s.Delete("widgets", "default", "web"))
		settled()
		assert.Empty(t, h.left())
		for resource, left := range map[string]int{
			"widgets": 0, "events": 1, "events.events.k8s.io": 1, "events.example.dev": 0,
			"nodes": 2} {
			all, _, err := s.List(resource, "")
			require.NoError(t, err)
			assert.Len(t, all, left, resource)
		}
	})
}

// A heap is what the laws of garbage work on.
type heap struct {
	t      *testing.T
	s      *Server
	owners map[string]string // references to them, in JSON, by the names that laws give them
}

func newHeap(t *testing.T, s *Server) heap {
	h := heap{t, s, map[string]string{}}
	for resource, text := range map[string]string{"nodes": `{"metadata":{"name":"node"}}`,
		"configmaps": `{"metadata":{"name":"elsewhere","namespace":"kube-system"}}`} {
		_, err := s.Create(resource, text)
		require.NoError(t, err)
	}
	h.owner("node", "v1", "Node", h.get("nodes", "", "node"))
	h.owner("elsewhere", "v1", "ConfigMap", h.get("configmaps", "kube-system", "elsewhere"))
	ghost := []byte(`{"metadata":{"name":"ghost","uid":"u"}}`)
	h.owner("ghost", "v1", "ConfigMap", ghost)
	h.owner("unknown", "example.dev/v1", "Unknown", ghost)
	h.owner("foreign", "example.dev/v1", "ConfigMap", ghost)
	h.owner("imposter-a", "v1", "ConfigMap", []byte(`{"metadata":{"name":"a","uid":"u"}}`))
	return h
}

func (h heap) get(resource, namespace, name string) json.RawMessage {
	raw, err := h.s.Get(resource, namespace, name)
	require.NoError(h.t, err)
	return raw
}

// owner lets laws refer to an object.
func (h heap) owner(name, apiVersion, kind string, raw []byte) {
	t, err := object.DecodeTree(raw)
	require.NoError(h.t, err)
	h.owners[name] = fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"name":%q,"uid":%q}`, apiVersion, kind,
		object.TextAt(t, ".metadata.name"), object.TextAt(t, ".metadata.uid"))
}

func (h heap) step(step string) {
	h.t.Helper()
	const path = "/api/v1/namespaces/default/configmaps/"
	if name, isDeletion := strings.CutPrefix(step, "-"); isDeletion {
		name, policy, hasPolicy := strings.Cut(name, "=")
		url := path + name
		if hasPolicy {
			url += "?propagationPolicy=" + policy
		}
		resp, body := send(h.t, h.s, "DELETE", url, "")
		require.Equal(h.t, 200, resp.StatusCode, body)
		return
	}
	if step == "free" {
		all, _, _ := h.s.List("configmaps", "default")
		for _, raw := range all {
			t, _ := object.DecodeTree(raw)
			m := object.MetaOf(t)
			m.SetList("finalizers", slices.DeleteFunc(m.List("finalizers"),
				func(f string) bool { return f == "example.dev/x" }))
			_, err := h.s.Update("configmaps", t)
			require.NoError(h.t, err)
		}
		return
	}
	_, text, isChange := strings.Cut(step, ":")
	if !isChange {
		text = step
	}
	named, owners, _ := strings.Cut(text, "<")
	finalizers := strings.Split(named, "+")
	refs := []string{}
	for owner := range strings.SplitSeq(owners, ",") {
		name, blocks := strings.CutSuffix(owner, "!")
		if name != "" {
			refs = append(refs, fmt.Sprintf(`%s,"blockOwnerDeletion":%t}`,
				strings.TrimSuffix(h.owners[name], "}"), blocks))
		}
	}
	body := fmt.Sprintf(`{"metadata":{"name":%q,"finalizers":%s,"ownerReferences":[%s]}}`,
		finalizers[0], object.JSON(finalizers[1:]), strings.Join(refs, ","))
	if isChange {
		_, err := h.s.Patch("configmaps", "default", finalizers[0], body)
		require.NoError(h.t, err)
		return
	}
	raw, err := h.s.Create("configmaps", body)
	require.NoError(h.t, err)
	h.owner(finalizers[0], "v1", "ConfigMap", raw)
}

// left returns the objects that are there.
func (h heap) left() string {
	var left []string
	all, _, err := h.s.List("configmaps", "default")
	require.NoError(h.t, err)
	for _, raw := range all {
		var d struct {
			Metadata struct {
				Name, DeletionTimestamp string
				OwnerReferences         []struct {
					Name, Kind         string
					BlockOwnerDeletion bool
				}
			}
		}
		require.NoError(h.t, json.Unmarshal(raw, &d))
		var owners []string
		for _, r := range d.Metadata.OwnerReferences {
			name := r.Name
			if r.Kind == "Unknown" {
				name = "unknown"
			}
			owners = append(owners, name+map[bool]string{true: "!"}[r.BlockOwnerDeletion])
		}
		text := d.Metadata.Name
		if d.Metadata.DeletionTimestamp != "" {
			text += "*"
		}
		if owners != nil {
			text += "<" + strings.Join(owners, ",")
		}
		left = append(left, text)
	}
	return strings.Join(left, " ")
}
