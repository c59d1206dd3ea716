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
			{"another one of this name is another", "DELETE", "/web-1",
				`{"preconditions":{"uid":"x"}}`, 409, 0, `"kind":"Widget"},"code":409`},
			{"no uid at all is one that is not its own", "DELETE", "/web-1",
				`{"preconditions":{"uid":""}}`, 409, 0,
				"the UID in the precondition () does not match"},
			{"a later version is not meant", "DELETE", "/web-1",
				`{"preconditions":{"resourceVersion":"1"}}`, 409, 0, "the ResourceVersion in " +
					"the precondition (1) does not match the ResourceVersion in record (2)"},
			{"the query has preconditions, too", "DELETE", "/web-1?uid=x", "", 409, 0,
				"precondition (x)"},
			{"of the version as well", "DELETE", "/web-1?resourceVersion=1", "", 409, 0,
				"precondition (1)"},
			{"a policy that is none", "DELETE", "/web-1", `{"propagationPolicy":"Foo"}`, 422, 0,
				`supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"`},
			{"a policy said in two ways", "DELETE", "/web-1",
				`{"propagationPolicy":"Orphan","orphanDependents":true}`, 422, 0,
				"orphanDependents and deletionPropagation cannot be both set"},
			{"a trial", "DELETE", "/web-1?dryRun=All", "", 200, 0, `"status":"Success"`},
			{"a trial of something else", "DELETE", "/web-1?dryRun=x", "", 422, 0,
				`Unsupported value: [\"x\"]`},
			{"options of another kind", "DELETE", "/web-1", `{"kind":"Foo","apiVersion":"v1"}`, 400,
				0, `no kind \"Foo\" is registered for version \"v1\"`},
			{"options of the wrong type", "DELETE", "/web-1", `{"gracePeriodSeconds":"x"}`, 400, 0,
				"json: cannot unmarshal string into Go struct field " +
					"DeleteOptions.gracePeriodSeconds of type int64"},
			{"also in the query", "DELETE", "/web-1?gracePeriodSeconds=x", "", 400, 0,
				`strconv.ParseInt: parsing \"x\"`},
			{"a body counts alone: the query is not looked at", "DELETE", "/web-1?dryRun=All&uid=x",
				`{"preconditions":{"uid":"$U","resourceVersion":"$V"},"unknown":1}`, 200, 1,
				`"status":"Success","details":{"name":"web-1","group":"workshop.example.dev",` +
					`"kind":"widgets","uid":`},
			{"gone is gone", "DELETE", "/web-1", "", 404, 0, `"reason":"NotFound"`},
		})
	})
}

func TestFinalizers(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		tap := open(t, s, "")
		play(t, s, widgetsPath, []try{
			{"an object that finalizers hold", "POST", "", w("web-1", `,"finalizers":["a/b","c/d"]`,
				""), 201, 1, ""},
			{"is marked, not removed", "DELETE", "/web-1", `{"gracePeriodSeconds":30}`, 200, 1,
				`"deletionGracePeriodSeconds":0,"deletionTimestamp":"2000-01-01T00:00:00Z",` +
					`"finalizers":["a/b","c/d"],"generation":2`},
			{"twice is once", "DELETE", "/web-1", "", 200, 0, `"resourceVersion":"3"`},
			{"its name is not free", "POST", "", w("web-1", "", ""), 409, 0,
				`object is being deleted: widgets.workshop.example.dev \"web-1\" already exists`},
			{"no finalizer can be added", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":["a/b","e/f"]}}`, 422, 0, `no new finalizers ` +
					`can be added if the object is being deleted, found new finalizers ` +
					`[]string{\"e/f\"}`},
			{"it can still be written", "PATCH", "/web-1", `merge:{"spec":{"x":1}}`, 200, 1,
				`"generation":3`},
			{"a mark is never taken back", "PATCH", "/web-1",
				`merge:{"metadata":{"deletionTimestamp":null,"deletionGracePeriodSeconds":null}}`,
				200, 0, `"deletionTimestamp":"2000-01-01T00:00:00Z"`},
			{"nor moved", "PATCH", "/web-1",
				`merge:{"metadata":{"deletionTimestamp":"2001-01-01T00:00:00Z"}}`, 200, 0,
				`"deletionTimestamp":"2000-01-01T00:00:00Z"`},
			{"nor are its seconds", "PATCH", "/web-1",
				`merge:{"metadata":{"deletionGracePeriodSeconds":9}}`, 422, 0,
				"metadata.deletionGracePeriodSeconds: Invalid value: 9: field is immutable"},
			{"one lets go", "PATCH", "/web-1", `merge:{"metadata":{"finalizers":["c/d"]}}`, 200, 1,
				`"finalizers":["c/d"]`},
			{"a trial of the last letting go", "PATCH", "/web-1?dryRun=All",
				`merge:{"metadata":{"finalizers":null}}`, 200, 0, ""},
			{"the last lets go: answered at the old version", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":null}}`, 200, 1,
				`"deletionTimestamp":"2000-01-01T00:00:00Z","generation":3,"name":"web-1",` +
					`"namespace":"default","resourceVersion":"5"`},
			{"and it is gone", "GET", "/web-1", "", 404, 0, ""},
		})
		for _, want := range []string{"ADDED web-1@2", "MODIFIED web-1@3", "MODIFIED web-1@4",
			"MODIFIED web-1@5", "DELETED web-1@6"} {
			assert.Equal(t, want, tap.next(), "watchers are told the version of the removal")
		}
	})
}

// Nothing was stored of the request that lets an object go: who watches is shown
// what was, and whether it was selected is judged by that.
func TestTheLastStateIsTheLastStored(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, widgetsPath, []try{
			{"web-1 is held by a finalizer", "POST", "", w("web-1", `,"finalizers":["a/b"],`+
				`"labels":{"app":"old"}`, ""), 201, 1, ""},
			{"web-2 by its dependents", "POST", "", w("web-2", `,"finalizers":["orphan"],`+
				`"labels":{"app":"old"}`, ""), 201, 1, ""},
			{"", "DELETE", "/web-1", "", 200, 1, ""},
			{"", "DELETE", "/web-2", "", 200, 1, ""},
		})
		from := "resourceVersion=" + s.ResourceVersion()
		all, old, young := open(t, s, from), open(t, s, from+"&labelSelector=app%3Dold"),
			open(t, s, from+"&labelSelector=app%3Dnew&timeoutSeconds=1")
		play(t, s, widgetsPath, []try{
			{"the answer is what was asked for", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":null,"labels":{"app":"new"}}}`, 200, 1,
				`"labels":{"app":"new"},"name"`},
			{"web-2 goes at once", "DELETE", "/web-2?propagationPolicy=Background", "", 200, 1, ""},
		})
		for _, tap := range []*tap{all, old} {
			_, one := tap.object(t)
			assert.Contains(t, one, `"finalizers":["a/b"],"generation":2,"labels":{"app":"old"}`)
			_, two := tap.object(t)
			assert.Contains(t, two, `"finalizers":["orphan"],"generation":2,"labels":{"app":"old"}`)
		}
		assert.Equal(t, []string{"EOF"}, young.rest(), "it was never selected by what came last")
	})
}

func TestPropagation(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, widgetsPath, []try{
			{"dependents first: a client has to delete them", "DELETE",
				"/web-1?propagationPolicy=Foreground", "", 200, 1,
				`"finalizers":["foregroundDeletion"]`},
			{"said again", "DELETE", "/web-1?propagationPolicy=Foreground", "", 200, 0, ""},
			{"said otherwise: the mark is old, the finalizer new", "DELETE",
				"/web-1?propagationPolicy=Orphan", "", 200, 1,
				`"finalizers":["orphan"],"generation":2`},
			{"not said: as before", "DELETE", "/web-1", "", 200, 0, `"finalizers":["orphan"]`},
			{"taken back: nothing holds it any more", "DELETE",
				"/web-1?propagationPolicy=Background", "", 200, 1, `"status":"Success"`},
			{"gone", "GET", "/web-1", "", 404, 0, ""},
		})
	})
}

func TestDeletingCollections(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for i, color := range []string{"red", "red", "blue", "red", "blue"} {
			create(t, s, fmt.Sprintf("web-%d", i+1), color)
		}
		play(t, s, widgetsPath, []try{
			{"a trial", "DELETE", "?fieldSelector=spec.color%3Dred&dryRun=All", "", 200, 0,
				`"name":"web-4"`},
			{"what a list would refuse", "DELETE", "?resourceVersionMatch=Exact", "", 422, 0,
				"resourceVersionMatch is forbidden unless resourceVersion is provided"},
			{"a selector that is none", "DELETE", "?labelSelector=a+b", "", 400, 0,
				"unable to parse requirement"},
			{"options that are none", "DELETE", "", `{"propagationPolicy":"Foo"}`, 422, 0,
				"DeleteOptions.meta.k8s.io"},
			{"preconditions hold for each", "DELETE", "", `{"preconditions":{"uid":"x"}}`, 409, 0,
				"web-1"},
			{"what is selected, in one answer", "DELETE", "?fieldSelector=spec.color%3Dblue", "",
				200, 2, `"kind":"WidgetList"`},
			{"a page of it", "DELETE", "?limit=2", "", 200, 2, `"remainingItemCount":1`},
			{"the rest", "DELETE", "", "", 200, 1, `"name":"web-4"`},
			{"nothing is no mistake", "DELETE", "", "", 200, 0, `"items":[]`},
		})
	})
}
