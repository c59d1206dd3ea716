package fakeapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/resource"
)

// While a change is computed, which may take long, everything else goes on: reads,
// watches, writes of other objects, and writes of the same one. If the store were
// locked, this test would hang.
func TestAChangeIsComputedWithoutTheLock(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red") // 2
		rounds := 0
		u := registry.Update{Namespace: "default", Name: "web-1", Patch: true,
			Change: func(present object.Tree) (object.Tree, error) {
				rounds++
				create(t, s, fmt.Sprint("other-", rounds), "red")
				_, _, err := s.List("widgets", "")
				require.NoError(t, err)
				w := open(t, s, "resourceVersion=2")
				assert.Equal(t, "ADDED other-1@3", w.next())
				if rounds == 1 { // a write of the same object: this round is lost
					must(s.Patch("widgets", "default", "web-1", `{"spec":{"size":7}}`))
				}
				next := patch.Copy(present).(object.Tree)
				next["spec"].(object.Tree)["color"] = "blue"
				return next, nil
			}}
		d := must(widgets(t, s).Update(t.Context(), u))
		assert.Equal(t, 2, rounds,
			"the change is computed again, from the state that the other write has made")
		assert.Contains(t, string(d.Raw), `"spec":{"color":"blue","size":7}`, "no write is lost")
		assert.Contains(t, string(d.Raw), `"generation":3`)
	})
}

// A change is checked against the state that it replaces in the end.
func TestAChangeThatComesTooLateIsCheckedAgain(t *testing.T) {
	for want, meanwhile := range map[string]func(s *Server) error{
		"the object has been modified": func(s *Server) error {
			_, err := s.Patch("widgets", "default", "web-1", `{"spec":{"size":7}}`)
			return err
		},
		"not found": func(s *Server) error { return s.Delete("widgets", "default", "web-1") },
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red") // 2
			rounds := 0
			_, err := widgets(t, s).Update(t.Context(), registry.Update{Namespace: "default", Name: "web-1",
				Change: func(object.Tree) (object.Tree, error) {
					if rounds++; rounds == 1 {
						require.NoError(t, meanwhile(s))
					}
					return object.DecodeTree([]byte(made(`web-1","resourceVersion":"2`, "")))
				}})
			assert.ErrorContains(t, err, want)
		})
	}
}

// A change may be computed again. It must have the same result as a first computation.
func TestAChangeCanBeComputedAgain(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		first := `{"kind":"Widget","apiVersion":"workshop.example.dev/v1","metadata":{"name":"web-1",` +
			`"namespace":"default","uid":"a","resourceVersion":"2"},"spec":{"list":[1]}}`
		second := strings.NewReplacer(`"a"`, `"b"`, `"2"`, `"9"`, `[1]`, `[2]`).Replace(first)
		req := &request{typ: widgets(t, s).Type, collection: widgets(t, s), namespace: "default",
			name: "web-1", verb: resource.VerbPatch}
		warn := query.Write{Fields: object.StrictWarn}
		for media, body := range map[string]string{
			patch.MediaMerge: `{"metadata":{"odd":1,"finalizers":["x"]},"spec":{"a":{"b":1},"a":{"b":1}}}`,
			patch.MediaJSON: `[{"op":"add","path":"/spec/list/-","value":{"b":1}},` +
				`{"op":"copy","from":"/spec/list/1","path":"/spec/c"},` +
				`{"op":"add","path":"/metadata/odd","value":1}]`,
		} {
			in := input{media: media, body: []byte(body), options: warn}
			twice, once := &draft{input: in, req: req}, &draft{input: in, req: req}
			spoil(must(twice.change(must(object.DecodeTree([]byte(first))))))
			present := must(object.DecodeTree([]byte(second)))
			got, want := must(twice.change(present)), must(once.change(present))
			assert.Equal(t, want, got, media)
			assert.Equal(t, must(object.DecodeTree([]byte(second))), present, "%s: it is not altered", media)
			assert.Equal(t, once.flaws, twice.flaws, "%s: warnings are not given twice", media)
		}
		present := must(object.DecodeTree([]byte(second)))
		d := &draft{input: input{media: patch.MediaMerge, body: []byte(`{"spec":{}}`)}, req: req}
		object.MetaOf(must(d.change(present)))["resourceVersion"] = "10"
		assert.Equal(t, "9", object.MetaOf(present).Text("resourceVersion"), "metadata is not shared")
	})
}

// spoil changes everything that can be reached from a value.
func spoil(v any) {
	switch v := v.(type) {
	case object.Tree:
		for k := range v {
			spoil(v[k])
			v[k] = "spoilt"
		}
	case []any:
		for i := range v {
			spoil(v[i])
			v[i] = "spoilt"
		}
	}
}
