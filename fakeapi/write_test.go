package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A try is one request for widgets, or for what path says, and what must come of
// it. $V and $U in a body or path are the version and the uid of web-1.
type try struct {
	law    string
	method string
	path   string // below the collection, with the query
	body   string // of a patch: what follows "merge:", "json:" or "strategic:"
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
		for _, e := range s.life.catalog.Load().endpoints {
			if e.c == nil {
				continue
			}
			assert.NoError(t, e.c.check(), what)
		}
	}
}

func mediaOf(body string) (media, rest string) {
	for prefix, media := range map[string]string{"merge:": typeMergePatch, "json:": typeJSONPatch,
		"strategic:": typeStrategic} {
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
			{"and no status: that is written elsewhere", "GET", "/web-1", "", 200, 0,
				`"spec":{"color":"red"}}`},
			{"a name is taken once", "POST", "", w("web-1", "", ""), 409, 0,
				`"reason":"AlreadyExists","details":{"name":"web-1","group":` +
					`"workshop.example.dev","kind":"widgets"},"code":409`},
			{"a name can be asked for", "POST", "", w("", `,"generateName":"gen-"`, ""), 201, 1,
				`"name":"gen-`},
			{"a name is no longer than a label", "POST", "", w("", `,"generateName":"`+
				strings.Repeat("g", 100)+`"`, ""), 201, 1, `"name":"` + strings.Repeat("g", 58)},
			{"a name there must be", "POST", "", w("", "", ""), 422, 0,
				"name or generateName is required"},
			{"and a good one", "POST", "", w("Web", "", ""), 422, 0, `"field":"metadata.name"`},
			{"what is new has no version", "POST", "", w("web-2", `,"resourceVersion":"5"`, ""), 500,
				0,
				`"message":"resourceVersion should not be set on objects to be created","code":500`},
			{"nor is what is no number taken for one", "POST", "?dryRun=All",
				w("web-2", `,"resourceVersion":"x"`, ""), 201, 0, ""},
			{"0 is none", "POST", "", w("web-2", `,"resourceVersion":"0"`, ""), 201, 1, ""},
			{"a trial changes nothing", "POST", "?dryRun=All", w("web-3", "", ""), 201, 0, `"uid":`},
			{"a trial of something else is refused", "POST", "?dryRun=Some", w("web-3", "", ""), 422,
				0, `Unsupported value: [\"Some\"]: supported values: \"All\"`},
			{"what only the server sets is not taken", "POST", "", w("web-3",
				`,"uid":"mine","generation":7,"creationTimestamp":"2001-01-01T00:00:00Z",`+
					`"deletionTimestamp":"2001-01-01T00:00:00Z","deletionGracePeriodSeconds":3,`+
					`"selfLink":"/x","managedFields":[]`, ""), 201, 1,
				`"generation":1,"name":"web-3"`},
			{"a namespace that contradicts the path", "POST", "", w("web-4", `,"namespace":"other"`,
				""), 400, 0, "does not match the namespace sent on the request"},
			{"the name of the writer has a length", "POST", "?fieldManager=" + strings.Repeat("x",
				129), w("web-4", "", ""), 422, 0, "Too long: may not be more than 128 bytes"},
			{"and is readable", "POST", "?fieldManager=a%01b", w("web-4", "", ""), 422, 0,
				`invalid character U+0001 (at position 1)`},
			{"there are three ways of strictness", "POST", "?fieldValidation=Foo", w("web-4", "", ""),
				422, 0, `supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"`},
			{"force is for patches", "POST", "?force=true", w("web-4", "", ""), 201, 1, ""},
			{"storage takes no objects beyond its limit", "POST", "", w("big", "", `,"x":"`+
				strings.Repeat("x", maxObject)+`"`), 500, 0, "etcdserver: request is too large"},
		})
	})
}

func TestGeneratedNames(t *testing.T) {
	assert.Regexp(t, `^web-[bcdfghjklmnpqrstvwxz2456789]{5}$`, generateName("web-"))
	assert.Len(t, generateName(strings.Repeat("x", 58)), 63, "no longer than a DNS label")
	assert.Len(t, generateName(strings.Repeat("x", 200)), 63, "whatever the prefix")
	assert.NotEqual(t, generateName("web-"), generateName("web-"), "no two are alike")
}

func TestUpdating(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		red, blue := `,"spec":{"color":"red"}`, `,"spec":{"color":"blue"}`
		play(t, s, widgetsPath, []try{
			{"what changes nothing takes no version", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V"`, red), 200, 0, `"resourceVersion":"2"`},
			{"a version there must be", "PUT", "/web-1", w("web-1", "", red), 422, 0,
				`widgets.workshop.example.dev \"web-1\" is invalid: metadata.resourceVersion: ` +
					`Invalid value: 0: must be specified for an update`},
			{"the present one", "PUT", "/web-1", w("web-1", `,"resourceVersion":"1"`, red), 409, 0,
				"the object has been modified; please apply your changes to the latest version " +
					"and try again"},
			{"a version is a number", "PUT", "/web-1", w("web-1", `,"resourceVersion":"x"`, red),
				500, 0, `"message":"strconv.ParseUint: parsing \"x\": invalid syntax","code":500`},
			{"another object of this name is another", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","uid":"x"`, red), 409, 0,
				"Precondition failed: UID in precondition: x, UID in object meta: "},
			{"its own uid is fine", "PUT", "/web-1", w("web-1", `,"resourceVersion":"$V","uid":"$U"`,
				red), 200, 0, ""},
			{"the specification moves the generation", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V"`, blue), 200, 1, `"generation":2`},
			{"metadata does not", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","labels":{"a":"b"}`, blue), 200, 1, `"generation":2`},
			{"the client does not", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","generation":9,"labels":{"a":"b"}`, blue), 200, 0,
				`"generation":2`},
			{"what is left out is gone", "PUT", "/web-1", w("web-1", `,"resourceVersion":"$V"`,
				blue), 200, 1, `"generation":2,"name"`},
			{"empty is left out", "PUT", "/web-1", w("web-1", `,"resourceVersion":"$V","labels":`+
				`{},"annotations":{},"finalizers":[],"ownerReferences":[]`, blue), 200, 0, ""},
			{"no write deletes", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","deletionTimestamp":"2001-01-01T00:00:00Z"`, blue), 422, 0,
				`"field":"metadata.deletionTimestamp"`},
			{"nor in so many seconds", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","deletionGracePeriodSeconds":7`, blue), 422, 0,
				"metadata.deletionGracePeriodSeconds: Invalid value: 7: field is immutable"},
			{"a birthday stays", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V","creationTimestamp":"2001-01-01T00:00:00Z"`, blue), 200, 0,
				""},
			{"a trial answers as if", "PUT", "/web-1?dryRun=All", w("web-1",
				`,"resourceVersion":"$V"`, red), 200, 0, `"generation":3`},
			{"and leaves it as it was", "GET", "/web-1", "", 200, 0, `"color":"blue"`},
			{"what is not there is not made", "PUT", "/web-9", w("web-9", "", ""), 404, 0,
				`widgets.workshop.example.dev \"web-9\" not found`},
			{"the body says the same name", "PUT", "/web-1", w("web-2", "", ""), 400, 0,
				"the name of the object (web-2) does not match the name on the URL (web-1)"},
			{"and does say it", "PUT", "/web-1", w("", "", ""), 400, 0, "the name of the object " +
				"(web-1 based on URL) was undeterminable: name must be provided"},
			{"a collection is not updated", "PUT", "", w("web-1", "", ""), 400, 0,
				`"message":"name must be provided"`},
		})
	})
}

func TestStatusIsWrittenApart(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, widgetsPath, []try{
			{"the main path leaves the status alone", "PUT", "/web-1", w("web-1",
				`,"resourceVersion":"$V"`, `,"spec":{"color":"red"},"status":{"a":1}`), 200, 0, ""},
			{"the status path leaves all else alone", "PUT", "/web-1/status", w("web-1",
				`,"resourceVersion":"$V","labels":{"a":"b"}`,
				`,"spec":{"color":"blue"},"status":{"a":1}`), 200, 1,
				`"generation":1,"name":"web-1"`},
			{"only the status has changed", "GET", "/web-1/status", "", 200, 0,
				`"spec":{"color":"red"},"status":{"a":1}}`},
			{"what it would refuse elsewhere it does not look at", "PUT", "/web-1/status", w(
				"web-1", `,"resourceVersion":"$V","labels":{"a":"not `+
					`ok"},"deletionTimestamp":"2001-01-01T00:00:00Z"`, `,"status":{"a":1}`), 200, 0,
				""},
			{"the version counts there, too", "PUT", "/web-1/status", w("web-1",
				`,"resourceVersion":"1"`, `,"status":{"a":2}`), 409, 0, `"reason":"Conflict"`},
			{"a patch of the status", "PATCH", "/web-1/status",
				`merge:{"spec":{"color":"x"},"status":{"b":2}}`, 200, 1,
				`"spec":{"color":"red"},"status":{"a":1,"b":2}}`},
			{"a status can go", "PATCH", "/web-1/status", `merge:{"status":null}`, 200, 1,
				`"spec":{"color":"red"}}`},
			{"a status is not made", "POST", "/web-1/status", w("web-1", "", ""), 405, 0,
				`create is not supported on resources of kind \"widgets.workshop.example.dev\"`},
			{"nor deleted", "DELETE", "/web-1/status", "", 405, 0, `"delete is not supported on ` +
				`resources of kind \"widgets.workshop.example.dev\"","reason":` +
				`"MethodNotAllowed","details":{"group":"workshop.example.dev","kind":"widgets"}`},
			{"what is not there has none", "GET", "/web-9/status", "", 404, 0, `\"web-9\" not found`},
			{"another subresource is not there", "DELETE", "/web-1/foo", "", 404, 0,
				`\"web-1\" not found`},
		})
	})
}

func TestPatching(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, widgetsPath, []try{
			{"no version is needed", "PATCH", "/web-1", `merge:{"spec":{"color":"blue"}}`, 200, 1,
				`"generation":2`},
			{"nothing is nothing", "PATCH", "/web-1", `merge:{}`, 200, 0, ""},
			{"a version that is named counts", "PATCH", "/web-1",
				`merge:{"metadata":{"resourceVersion":"1"}}`, 409, 0, "the object has been modified"},
			{"the present one does no harm", "PATCH", "/web-1",
				`merge:{"metadata":{"resourceVersion":"$V"},"spec":{"n":1}}`, 200, 1, `"n":1`},
			{"a version cannot be patched away", "PATCH", "/web-1",
				`merge:{"metadata":{"resourceVersion":null}}`, 422, 0,
				"must be specified for an update"},
			{"a uid stays", "PATCH", "/web-1", `merge:{"metadata":{"uid":"x"}}`, 422, 0,
				"metadata.uid: Invalid value: \\\"x\\\": field is immutable"},
			{"what is malformed comes before what is moved", "PATCH", "/web-1", `merge:{"metadata":` +
				`{"uid":"x","labels":{"a/b/c":"d"},"deletionGracePeriodSeconds":4}}`, 422, 0,
				`metadata.uid: Invalid value: \"x\": field is immutable, ` +
					`metadata.deletionGracePeriodSeconds: Invalid value: 4: field is immutable]`},
			{"a name stays", "PATCH", "/web-1", `merge:{"metadata":{"name":"x"}}`, 400, 0,
				"does not match the name on the URL"},
			{"so does a namespace", "PATCH", "/web-1", `merge:{"metadata":{"namespace":"x"}}`, 400,
				0, "does not match the namespace"},
			{"a kind stays", "PATCH", "/web-1", `merge:{"kind":"X"}`, 422, 0,
				`X.workshop.example.dev \"web-1\" is invalid: kind: Invalid value: \"X\": must ` +
					`be Widget`},
			{"a kind is not lost", "PATCH", "/web-1", `merge:{"kind":null}`, 422, 0,
				`\"\" is invalid: patch: Invalid value: `},
			{"a version of the API stays", "PATCH", "/web-1", `merge:{"apiVersion":"x/v1"}`, 422, 0,
				`Widget.x \"web-1\" is invalid: apiVersion`},
			{"a bare version has no group", "PATCH", "/web-1", `merge:{"apiVersion":"v2"}`, 422, 0,
				`Widget \"web-1\" is invalid: apiVersion`},
			{"and is not lost", "PATCH", "/web-1", `merge:{"apiVersion":null}`, 500, 0,
				`"reason":"InternalError"`},
			{"what comes of it must be metadata", "PATCH", "/web-1",
				`merge:{"metadata":{"labels":5}}`, 422, 0,
				"json: cannot unmarshal number into Go struct field ObjectMeta.labels"},
			{"and valid", "PATCH", "/web-1", `merge:{"metadata":{"labels":{"a":"-"}}}`, 422, 0,
				`"field":"metadata.labels"`},
			{"unknown metadata is dropped", "PATCH", "/web-1", `merge:{"metadata":{"foo":1}}`, 200,
				0, ""},
			{"or refused", "PATCH", "/web-1?fieldValidation=Strict", `merge:{"metadata":{"foo":1}}`,
				422, 0, `strict decoding error: unknown field \"metadata.foo\"`},
			{"a JSON patch", "PATCH", "/web-1", `json:[{"op":"test","path":"/spec/color",` +
				`"value":"blue"},{"op":"replace","path":"/spec/color","value":"red"}]`, 200, 1,
				`"color":"red"`},
			{"that does not apply", "PATCH", "/web-1",
				`json:[{"op":"test","path":"/spec/color","value":"blue"}]`, 422, 0,
				`"message":"the server rejected our request due to an error in our ` +
					`request","reason":"Invalid","details":{},"code":422`},
			{"a custom resource has no strategy", "PATCH", "/web-1", `strategic:{}`, 415, 0,
				"application/json-patch+json, application/merge-patch+json"},
			{"JSON is no patch", "PATCH", "/web-1", `{}`, 415, 0, `"reason":"UnsupportedMediaType"`},
			{"force is for those who apply", "PATCH", "/web-1?force=true", `merge:{}`, 422, 0,
				"may not be specified for non-apply patch"},
			{"what is not there is not patched", "PATCH", "/web-9", `merge:{}`, 404, 0,
				`"reason":"NotFound"`},
			{"a trial", "PATCH", "/web-1?dryRun=All", `merge:{"spec":{"color":"green"}}`, 200, 0,
				`"color":"green"`},
			{"a collection is not patched", "PATCH", "", `merge:{}`, 400, 0, "name must be provided"},
		})
	})
}

// Where built-in types answer otherwise.
func TestBuiltinTypesWriteOtherwise(t *testing.T) {
	const configmaps = "/api/v1/namespaces/default/configmaps"
	cm := func(metadata, fields string) string {
		return `{"metadata":{"name":"web-1"` + metadata + `}` + fields + `}`
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, configmaps, []try{
			{"they know what they are", "POST", "", cm("", `,"data":{"a":"1"}`), 201, 1,
				`{"kind":"ConfigMap","apiVersion":"v1","metadata":{`},
			{"no generation is counted", "GET", "/web-1", "", 200, 0, `Z","name":"web-1"`},
			{"no version is needed to replace them", "PUT", "/web-1", cm("", `,"data":{"a":"2"}`),
				200, 1, ""},
			{"but one that is named counts", "PUT", "/web-1", cm(`,"resourceVersion":"1"`, ""), 409,
				0, ""},
			{"strategy is theirs", "PATCH", "/web-1", `strategic:{"data":{"b":"3"}}`, 200, 1,
				`"data":{"a":"2","b":"3"}`},
			{"finalizers have a domain", "PATCH", "/web-1",
				`merge:{"metadata":{"finalizers":["x"]}}`, 422, 0, mustHaveDomain},
			{"a POST to an object has no route", "POST", "/web-1", cm("", ""), 405, 0,
				"the server does not allow this method on the requested resource"},
			{"nor has a PUT to a collection", "PUT", "", cm("", ""), 405, 0, `"details":{}`},
			{"another kind is another request", "POST", "", `{"kind":"Pod"}`, 400, 0,
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
			"also if the request fails in the end")
		assert.Empty(t, warnings("POST", "?fieldValidation=Ignore", w("web-2", `,"foo":1`, "")))
		assert.Equal(t, []string{unknown}, warnings("PATCH", "/web-1",
			`merge:{"metadata":{"foo":1}}`))
		assert.Equal(t, []string{`299 - "duplicate field \"a\""`}, warnings("PATCH", "/web-1",
			`merge:{"a":1,"a":2}`))
		assert.Empty(t, warnings("PATCH", "/web-1?fieldValidation=Strict", `merge:{"a":1,"a":2}`),
			"the error says it")
		assert.Len(t, warnings("PATCH", "/web-1", `merge:{"metadata":{"finalizers":["x"]}}`), 1,
			"a finalizer without a domain")
		assert.Empty(t, warnings("PATCH", "/web-1", `merge:{"metadata":{"finalizers":["x","a/b"]}}`),
			"told once")
		assert.Empty(t, warnings("POST", "", w("web-1", `,"finalizers":["x"]`, "")),
			"not told if it is not stored")
	})
}
