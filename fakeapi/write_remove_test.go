package fakeapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFinalizers(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		tap := open(t, s, "")
		play(t, s, widgetsPath, []try{
			{"an object with finalizers", "POST", "", w("web-1", `,"finalizers":["a/b","c/d"]`,
				""), 201, 1, ""},
			{"is marked, not removed", "DELETE", "/web-1", `{"gracePeriodSeconds":30}`, 200, 1,
				`"deletionGracePeriodSeconds":0,"deletionTimestamp":"2000-01-01T00:00:00Z",` +
					`"finalizers":["a/b","c/d"],"generation":2`},
			{"its name is still taken", "POST", "", w("web-1", "", ""), 409, 0,
				`object is being deleted: widgets.workshop.example.dev \"web-1\" already exists`},
			{"no finalizer can be added", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":["a/b","e/f"]}}`, 422, 0, `no new finalizers ` +
					`can be added if the object is being deleted, found new finalizers ` +
					`[]string{\"e/f\"}`},
			{"it can still be changed", "PATCH", "/web-1", `merge:{"spec":{"x":1}}`, 200, 1,
				`"generation":3`},
			{"the deletionTimestamp cannot be removed", "PATCH", "/web-1",
				`merge:{"metadata":{"deletionTimestamp":null,"deletionGracePeriodSeconds":null}}`,
				200, 0, `"deletionTimestamp":"2000-01-01T00:00:00Z"`},
			{"the deletionTimestamp cannot be changed", "PATCH", "/web-1",
				`merge:{"metadata":{"deletionTimestamp":"2001-01-01T00:00:00Z"}}`, 200, 0,
				`"deletionTimestamp":"2000-01-01T00:00:00Z"`},
			{"the deletionGracePeriodSeconds cannot be changed", "PATCH", "/web-1",
				`merge:{"metadata":{"deletionGracePeriodSeconds":9}}`, 422, 0,
				"metadata.deletionGracePeriodSeconds: Invalid value: 9: field is immutable"},
			{"one finalizer is removed", "PATCH", "/web-1", `merge:{"metadata":{"finalizers":["c/` +
				`d"]}}`, 200, 1, `"finalizers":["c/d"]`},
			{"a dry run removes the last finalizer", "PATCH", "/web-1?dryRun=All",
				`merge:{"metadata":{"finalizers":null}}`, 200, 0, ""},
			{"the last finalizer is removed: the answer has the old version", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":null}}`, 200, 1,
				`"deletionTimestamp":"2000-01-01T00:00:00Z","generation":3,"name":"web-1",` +
					`"namespace":"default","resourceVersion":"5"`},
			{"the object is gone", "GET", "/web-1", "", 404, 0, ""},
		})
		for _, want := range []string{"ADDED web-1@2", "MODIFIED web-1@3", "MODIFIED web-1@4",
			"MODIFIED web-1@5", "DELETED web-1@6"} {
			assert.Equal(t, want, tap.next(), "watchers receive the version of the removal")
		}
	})
}

// The change by a request that removes the last finalizer is never stored. Watchers get
// the last stored state, and that state decides whether the object was selected.
func TestTheLastStateIsTheLastStored(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, widgetsPath, []try{
			{"web-1 has a finalizer of a client", "POST", "", w("web-1", `,"finalizers":["a/b"],`+
				`"labels":{"app":"old"}`, ""), 201, 1, ""},
			{"web-2 has the finalizer orphan", "POST", "", w("web-2", `,"finalizers":["orphan"],`+
				`"labels":{"app":"old"}`, ""), 201, 1, ""},
			{"", "DELETE", "/web-1", "", 200, 1, ""},
			{"", "DELETE", "/web-2", "", 200, 1, ""},
		})
		from := "resourceVersion=" + s.ResourceVersion()
		all, old, young := open(t, s, from), open(t, s, from+"&labelSelector=app%3Dold"),
			open(t, s, from+"&labelSelector=app%3Dnew&timeoutSeconds=1")
		play(t, s, widgetsPath, []try{
			{"the answer has the labels of the request", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":null,"labels":{"app":"new"}}}`, 200, 1,
				`"labels":{"app":"new"},"name"`},
			{"web-2 is removed immediately",
				"DELETE", "/web-2?propagationPolicy=Background", "", 200, 1, ""},
		})
		for _, tap := range []*tap{all, old} {
			_, one := tap.object(t)
			assert.Contains(t, one, `"finalizers":["a/b"],"generation":2,"labels":{"app":"old"}`)
			_, two := tap.object(t)
			assert.Contains(t, two, `"finalizers":["orphan"],"generation":2,"labels":{"app":"old"}`)
		}
		assert.Equal(t, []string{"EOF"}, young.rest(), "its last stored state was not selected")
	})
}
