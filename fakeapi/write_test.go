package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/patch"
)

// A try is one request and its expected answer. $V and $U in a body or path are the
// version and the uid of web-1.
type try struct {
	law    string
	method string
	path   string // below the collection, with the query
	body   string // a patch begins with its type: "merge:", "json:" or "strategic:"
	code   int
	writes int    // how many versions the write takes
	says   string // a part of the answer
}

// play makes all tries, one after the other, on one server.
func play(t *testing.T, s *Server, collection string, tries []try) {
	t.Helper()
	for _, c := range tries {
		before := s.store.Version()
		fill := strings.NewReplacer("$V", metaField(t, s, collection, "resourceVersion"),
			"$U", metaField(t, s, collection, "uid"))
		media, body := mediaOf(c.body)
		resp, got := send(t, s, c.method, collection+fill.Replace(c.path), fill.Replace(body),
			"Content-Type", media)
		what := fmt.Sprintf("%s: %s %s %s\n%s", c.law, c.method, c.path, c.body, got)
		assert.Equal(t, c.code, resp.StatusCode, what)
		assert.Contains(t, got, c.says, what)
		assert.Equal(t, c.writes, int(s.store.Version()-before), "versions taken. %s", what)
		for _, typ := range s.registry.Catalog().Types() {
			if e := s.registry.Catalog().Stored(typ.QualifiedName()); e != nil { // not a view
				assert.NoError(t, check(e.Collection), what)
			}
		}
	}
}

func mediaOf(body string) (media, rest string) {
	for prefix, media := range map[string]string{"merge:": patch.MediaMerge, "json:": patch.MediaJSON,
		"strategic:": patch.MediaStrategic} {
		if rest, ok := strings.CutPrefix(body, prefix); ok {
			return media, rest
		}
	}
	return "application/json", body
}

// metaField is a metadata field of web-1; empty if there is none.
func metaField(t *testing.T, s *Server, collection, field string) string {
	t.Helper()
	resp, body := send(t, s, "GET", collection+"/web-1", "")
	if resp.StatusCode != http.StatusOK {
		return ""
	}
	var o struct{ Metadata map[string]any }
	require.NoError(t, json.Unmarshal([]byte(body), &o))
	v, _ := o.Metadata[field].(string)
	return v
}

// w is a widget's body with further metadata and further fields.
func w(name, metadata, fields string) string {
	return fmt.Sprintf(
		`{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":%q%s}%s}`,
		name, metadata, fields)
}

func TestCreating(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, widgetsPath, []try{
			{"a new object has generation 1", "POST", "", w("web-1", "",
				`,"spec":{"color":"red"},"status":{"x":1}`), 201, 1, `"generation":1`},
			{"a new object has no status", "GET", "/web-1", "", 200, 0,
				`"spec":{"color":"red"}}`},
			{"a name cannot be used twice", "POST", "", w("web-1", "", ""), 409, 0,
				`"reason":"AlreadyExists","details":{"name":"web-1","group":` +
					`"workshop.example.dev","kind":"widgets"},"code":409`},
			{"the server can generate a name", "POST", "", w("", `,"generateName":"gen-"`, ""), 201, 1,
				`"name":"gen-`},
			{"a generated name is not longer than a label", "POST", "", w("", `,"generateName":"`+
				strings.Repeat("g", 100)+`"`, ""), 201, 1, `"name":"` + strings.Repeat("g", 58)},
			{"a name is required", "POST", "", w("", "", ""), 422, 0,
				"name or generateName is required"},
			{"a name must be valid", "POST", "", w("Web", "", ""), 422, 0, `"field":"metadata.name"`},
			{"a create must not have a version", "POST", "", w("web-2", `,"resourceVersion":"5"`, ""), 500,
				0,
				`"message":"resourceVersion should not be set on objects to be created","code":500`},
			{"a version that is not a number is ignored", "POST", "?dryRun=All",
				w("web-2", `,"resourceVersion":"x"`, ""), 201, 0, ""},
			{"version 0 is ignored", "POST", "", w("web-2", `,"resourceVersion":"0"`, ""), 201, 1, ""},
			{"a dry run changes nothing", "POST", "?dryRun=All", w("web-3", "", ""), 201, 0, `"uid":`},
			{"an unknown stage of a dry run is refused", "POST", "?dryRun=Some", w("web-3", "", ""), 422,
				0, `Unsupported value: [\"Some\"]: supported values: \"All\"`},
			{"fields that only the server sets are ignored", "POST", "", w("web-3",
				`,"uid":"mine","generation":7,"creationTimestamp":"2001-01-01T00:00:00Z",`+
					`"deletionTimestamp":"2001-01-01T00:00:00Z","deletionGracePeriodSeconds":3,`+
					`"selfLink":"/x","managedFields":[]`, ""), 201, 1,
				`"generation":1,"name":"web-3"`},
			{"a namespace other than the path's is refused", "POST", "", w("web-4", `,"namespace":"other"`,
				""), 400, 0, "does not match the namespace sent on the request"},
			{"a fieldManager has at most 128 bytes", "POST", "?fieldManager=" + strings.Repeat("x",
				129), w("web-4", "", ""), 422, 0, "Too long: may not be more than 128 bytes"},
			{"a fieldManager is printable", "POST", "?fieldManager=a%01b", w("web-4", "", ""), 422, 0,
				`invalid character U+0001 (at position 1)`},
			{"fieldValidation has three values", "POST", "?fieldValidation=Foo", w("web-4", "", ""),
				422, 0, `supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"`},
			{"force is ignored in a create", "POST", "?force=true", w("web-4", "", ""), 201, 1, ""},
			{"an object that is too large for storage is refused", "POST", "", w("big", "", `,"x":"`+
				strings.Repeat("x", 3<<19)+`"`), 500, 0, "etcdserver: request is too large"},
		})
	})
}

func TestUpdating(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		red, blue := `,"spec":{"color":"red"}`, `,"spec":{"color":"blue"}`
		play(t, s, widgetsPath, []try{
			{"an update that changes nothing takes no version", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V"`, red), 200, 0, `"resourceVersion":"2"`},
			{"a version is required", "PUT", "/web-1", w("web-1", "", red), 422, 0,
				`widgets.workshop.example.dev \"web-1\" is invalid: metadata.resourceVersion: ` +
					`Invalid value: 0: must be specified for an update`},
			{"an older version conflicts",
				"PUT", "/web-1", w("web-1", `,"resourceVersion":"1"`, red), 409, 0,
				"the object has been modified; please apply your changes to the latest version " +
					"and try again"},
			{"a version is a number", "PUT", "/web-1", w("web-1", `,"resourceVersion":"x"`, red),
				500, 0, `"message":"strconv.ParseUint: parsing \"x\": invalid syntax","code":500`},
			{"the uid of another object conflicts", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","uid":"x"`, red), 409, 0,
				"Precondition failed: UID in precondition: x, UID in object meta: "},
			{"its own uid is accepted", "PUT", "/web-1", w("web-1", `,"resourceVersion":"$V","uid":"$U"`,
				red), 200, 0, ""},
			{"a change of the spec increases the generation", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V"`, blue), 200, 1, `"generation":2`},
			{"a change of metadata does not", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","labels":{"a":"b"}`, blue), 200, 1, `"generation":2`},
			{"a client cannot set the generation", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","generation":9,"labels":{"a":"b"}`, blue), 200, 0,
				`"generation":2`},
			{"fields that are left out are removed", "PUT", "/web-1", w("web-1", `,"resourceVersion":"$V"`,
				blue), 200, 1, `"generation":2,"name"`},
			{"empty fields count as left out",
				"PUT", "/web-1", w("web-1", `,"resourceVersion":"$V","labels":`+
					`{},"annotations":{},"finalizers":[],"ownerReferences":[]`, blue), 200, 0, ""},
			{"the deletionTimestamp cannot be set", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","deletionTimestamp":"2001-01-01T00:00:00Z"`, blue), 422, 0,
				`"field":"metadata.deletionTimestamp"`},
			{"the deletionGracePeriodSeconds cannot be set", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","deletionGracePeriodSeconds":7`, blue), 422, 0,
				"metadata.deletionGracePeriodSeconds: Invalid value: 7: field is immutable"},
			{"the creationTimestamp cannot be changed", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","creationTimestamp":"2001-01-01T00:00:00Z"`, blue), 200, 0,
				""},
			{"a dry run answers with the new object", "PUT", "/web-1?dryRun=All", w("web-1",
				`,"resourceVersion":"$V"`, red), 200, 0, `"generation":3`},
			{"a dry run changes nothing", "GET", "/web-1", "", 200, 0, `"color":"blue"`},
			{"a missing object is not created", "PUT", "/web-9", w("web-9", "", ""), 404, 0,
				`widgets.workshop.example.dev \"web-9\" not found`},
			{"the body must have the path's name", "PUT", "/web-1", w("web-2", "", ""), 400, 0,
				"the name of the object (web-2) does not match the name on the URL (web-1)"},
			{"the body must have a name", "PUT", "/web-1", w("", "", ""), 400, 0, "the name of the object " +
				"(web-1 based on URL) was undeterminable: name must be provided"},
			{"a collection cannot be updated", "PUT", "", w("web-1", "", ""), 400, 0,
				`"message":"name must be provided"`},
		})
	})
}

func TestStatusIsWrittenApart(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, widgetsPath, []try{
			{"an update of the object does not change the status", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V"`, `,"spec":{"color":"red"},"status":{"a":1}`), 200, 0, ""},
			{"an update of the status changes nothing else", "PUT", "/web-1/status", w("web-1",
				`,"resourceVersion":"$V","labels":{"a":"b"}`,
				`,"spec":{"color":"blue"},"status":{"a":1}`), 200, 1,
				`"generation":1,"name":"web-1"`},
			{"only the status has changed", "GET", "/web-1/status", "", 200, 0,
				`"spec":{"color":"red"},"status":{"a":1}}`},
			{"an update of the status ignores invalid metadata", "PUT", "/web-1/status", w(
				"web-1", `,"resourceVersion":"$V","labels":{"a":"not `+
					`ok"},"deletionTimestamp":"2001-01-01T00:00:00Z"`, `,"status":{"a":1}`), 200, 0,
				""},
			{"an update of the status checks the version", "PUT", "/web-1/status", w("web-1",
				`,"resourceVersion":"1"`, `,"status":{"a":2}`), 409, 0, `"reason":"Conflict"`},
			{"a patch of the status", "PATCH", "/web-1/status",
				`merge:{"spec":{"color":"x"},"status":{"b":2}}`, 200, 1,
				`"spec":{"color":"red"},"status":{"a":1,"b":2}}`},
			{"a status can be removed", "PATCH", "/web-1/status", `merge:{"status":null}`, 200, 1,
				`"spec":{"color":"red"}}`},
			{"a status cannot be created", "POST", "/web-1/status", w("web-1", "", ""), 405, 0,
				`create is not supported on resources of kind \"widgets.workshop.example.dev\"`},
			{"a status cannot be deleted",
				"DELETE", "/web-1/status", "", 405, 0, `"delete is not supported on ` +
					`resources of kind \"widgets.workshop.example.dev\"","reason":` +
					`"MethodNotAllowed","details":{"group":"workshop.example.dev","kind":"widgets"}`},
			{"a missing object has no status", "GET", "/web-9/status", "", 404, 0, `\"web-9\" not found`},
			{"an unknown subresource is not found", "DELETE", "/web-1/foo", "", 404, 0,
				`\"web-1\" not found`},
		})
	})
}

// Writes of built-in types that are answered differently from those of custom resources.
func TestWritesOfBuiltinTypes(t *testing.T) {
	const configmaps = "/api/v1/namespaces/default/configmaps"
	cm := func(metadata, fields string) string {
		return `{"metadata":{"name":"web-1"` + metadata + `}` + fields + `}`
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, configmaps, []try{
			{"kind and apiVersion are filled in", "POST", "", cm("", `,"data":{"a":"1"}`), 201, 1,
				`{"kind":"ConfigMap","apiVersion":"v1","metadata":{`},
			{"a config map has no generation", "GET", "/web-1", "", 200, 0, `Z","name":"web-1"`},
			{"an update needs no version", "PUT", "/web-1", cm("", `,"data":{"a":"2"}`),
				200, 1, ""},
			{"a version in an update is checked", "PUT", "/web-1", cm(`,"resourceVersion":"1"`, ""), 409,
				0, ""},
			{"strategic merge patches are accepted",
				"PATCH", "/web-1", `strategic:{"data":{"b":"3"}}`, 200, 1,
				`"data":{"a":"2","b":"3"}`},
			{"finalizers have a domain", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":["x"]}}`, 422, 0,
				"name is neither a standard finalizer name nor is it fully qualified"},
			{"a POST to an object has no route", "POST", "/web-1", cm("", ""), 405, 0,
				"the server does not allow this method on the requested resource"},
			{"a PUT to a collection has no route", "PUT", "", cm("", ""), 405, 0, `"details":{}`},
			{"another kind is refused", "POST", "", `{"kind":"Pod"}`, 400, 0,
				"cannot be handled as a ConfigMap"},
		})
	})
}

func TestWarnings(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		warnings := func(method, path, body string) []string {
			media, body := mediaOf(body)
			resp, _ := send(t, s, method, widgetsPath+path, body, "Content-Type", media)
			return resp.Header.Values("Warning")
		}
		unknown := `299 - "unknown field \"metadata.foo\""`
		assert.Equal(t, []string{unknown}, warnings("POST", "", w("web-1", `,"foo":1`, "")))
		assert.Equal(t, []string{unknown}, warnings("POST", "", w("web-1", `,"foo":1`, "")),
			"warnings about the body are sent even if the request fails")
		assert.Empty(t, warnings("POST", "?fieldValidation=Ignore", w("web-2", `,"foo":1`, "")))
		assert.Equal(t, []string{unknown}, warnings("PATCH", "/web-1",
			`merge:{"metadata":{"foo":1}}`))
		assert.Equal(t, []string{`299 - "duplicate field \"a\""`}, warnings("PATCH", "/web-1",
			`merge:{"a":1,"a":2}`))
		assert.Empty(t, warnings("PATCH", "/web-1?fieldValidation=Strict", `merge:{"a":1,"a":2}`),
			"no warnings about flaws that are in the error")
		assert.Len(t, warnings("PATCH", "/web-1", `merge:{"metadata":{"finalizers":["x"]}}`), 1,
			"a finalizer without a domain")
		assert.Empty(t, warnings("PATCH", "/web-1", `merge:{"metadata":{"finalizers":["x","a/b"]}}`),
			"a finalizer that is not new causes no warning")
		assert.Empty(t, warnings("POST", "", w("web-1", `,"finalizers":["x"]`, "")),
			"no warning about an object that is not stored")
	})
}
