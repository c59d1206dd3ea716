package fakeapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDeleting(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, widgetsPath, []try{
			{"the uid of another object conflicts", "DELETE", "/web-1",
				`{"preconditions":{"uid":"x"}}`, 409, 0, `"kind":"Widget"},"code":409`},
			{"an empty uid conflicts", "DELETE", "/web-1",
				`{"preconditions":{"uid":""}}`, 409, 0,
				"the UID in the precondition () does not match"},
			{"an older version conflicts", "DELETE", "/web-1",
				`{"preconditions":{"resourceVersion":"1"}}`, 409, 0, "the ResourceVersion in " +
					"the precondition (1) does not match the ResourceVersion in record (2)"},
			{"the query has preconditions, too", "DELETE", "/web-1?uid=x", "", 409, 0,
				"precondition (x)"},
			{"the query may have a version, too", "DELETE", "/web-1?resourceVersion=1", "", 409, 0,
				"precondition (1)"},
			{"an unknown policy", "DELETE", "/web-1", `{"propagationPolicy":"Foo"}`, 422, 0,
				`supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"`},
			{"a policy given in both forms", "DELETE", "/web-1",
				`{"propagationPolicy":"Orphan","orphanDependents":true}`, 422, 0,
				"orphanDependents and deletionPropagation cannot be both set"},
			{"a dry run", "DELETE", "/web-1?dryRun=All", "", 200, 0, `"status":"Success"`},
			{"an unknown stage of a dry run", "DELETE", "/web-1?dryRun=x", "", 422, 0,
				`Unsupported value: [\"x\"]`},
			{"options of another kind", "DELETE", "/web-1", `{"kind":"Foo","apiVersion":"v1"}`, 400,
				0, `no kind \"Foo\" is registered for version \"v1\"`},
			{"options of the wrong type", "DELETE", "/web-1", `{"gracePeriodSeconds":"x"}`, 400, 0,
				"json: cannot unmarshal string into field " +
					"DeleteOptions.gracePeriodSeconds of type int64"},
			{"options of the wrong type in the query", "DELETE", "/web-1?gracePeriodSeconds=x", "", 400, 0,
				`strconv.ParseInt: parsing \"x\"`},
			{"if there is a body, the query is ignored", "DELETE", "/web-1?dryRun=All&uid=x",
				`{"preconditions":{"uid":"$U","resourceVersion":"$V"},"unknown":1}`, 200, 1,
				`"status":"Success","details":{"name":"web-1","group":"workshop.example.dev",` +
					`"kind":"widgets","uid":`},
			{"a removed object is not found", "DELETE", "/web-1", "", 404, 0, `"reason":"NotFound"`},
		})
	})
}

func TestFinalizers(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		tap := open(t, s, "")
		play(t, s, widgetsPath, []try{
			{"an object with finalizers", "POST", "", w("web-1", `,"finalizers":["a/b","c/d"]`,
				""), 201, 1, ""},
			{"is marked, not removed", "DELETE", "/web-1", `{"gracePeriodSeconds":30}`, 200, 1,
				`"deletionGracePeriodSeconds":0,"deletionTimestamp":"2000-01-01T00:00:00Z",` +
					`"finalizers":["a/b","c/d"],"generation":2`},
			{"a second delete writes nothing", "DELETE", "/web-1", "", 200, 0, `"resourceVersion":"3"`},
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
			{"one finalizer is removed",
				"PATCH", "/web-1", `merge:{"metadata":{"finalizers":["c/d"]}}`, 200, 1,
				`"finalizers":["c/d"]`},
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

func TestPropagation(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, widgetsPath, []try{
			{"Foreground adds a finalizer", "DELETE",
				"/web-1?propagationPolicy=Foreground", "", 200, 1,
				`"finalizers":["foregroundDeletion"]`},
			{"Foreground again writes nothing",
				"DELETE", "/web-1?propagationPolicy=Foreground", "", 200, 0, ""},
			{"Orphan replaces the finalizer; the deletionTimestamp stays", "DELETE",
				"/web-1?propagationPolicy=Orphan", "", 200, 1,
				`"finalizers":["orphan"],"generation":2`},
			{"no policy writes nothing", "DELETE", "/web-1", "", 200, 0, `"finalizers":["orphan"]`},
			{"Background removes the finalizer, and so the object", "DELETE",
				"/web-1?propagationPolicy=Background", "", 200, 1, `"status":"Success"`},
			{"the object is gone", "GET", "/web-1", "", 404, 0, ""},
		})
	})
}

func TestDeletingCollections(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for i, color := range []string{"red", "red", "blue", "red", "blue"} {
			create(t, s, fmt.Sprintf("web-%d", i+1), color)
		}
		play(t, s, widgetsPath, []try{
			{"a dry run", "DELETE", "?fieldSelector=spec.color%3Dred&dryRun=All", "", 200, 0,
				`"name":"web-4"`},
			{"options that a list refuses", "DELETE", "?resourceVersionMatch=Exact", "", 422, 0,
				"resourceVersionMatch is forbidden unless resourceVersion is provided"},
			{"a malformed selector", "DELETE", "?labelSelector=a+b", "", 400, 0,
				"unable to parse requirement"},
			{"an invalid policy", "DELETE", "", `{"propagationPolicy":"Foo"}`, 422, 0,
				"DeleteOptions.meta.k8s.io"},
			{"preconditions are checked for each object",
				"DELETE", "", `{"preconditions":{"uid":"x"}}`, 409, 0,
				"web-1"},
			{"the selected objects, in one answer", "DELETE", "?fieldSelector=spec.color%3Dblue", "",
				200, 2, `"kind":"WidgetList"`},
			{"one page", "DELETE", "?limit=2", "", 200, 2, `"remainingItemCount":1`},
			{"the rest", "DELETE", "", "", 200, 1, `"name":"web-4"`},
			{"an empty collection is no error", "DELETE", "", "", 200, 0, `"items":[]`},
		})
	})
}
