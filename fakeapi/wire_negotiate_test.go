package fakeapi

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	acceptTable    = "application/json;as=Table;v=v1;g=meta.k8s.io"
	acceptMetadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
	acceptMetaList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
	acceptProtobuf = "application/vnd.kubernetes.protobuf"
)

// name is the form in a word, for the tables of these tests.
func (f form) name() string {
	return strings.TrimSpace([]string{"object", "metadata", "metadata list", "table"}[f.kind] +
		" " + f.version)
}

func TestAcceptIsNegotiated(t *testing.T) {
	for _, c := range []struct{ promise, accept, want string }{
		{"no header is JSON", "", "object"},
		{"JSON is JSON", "application/json", "object"},
		{"anything is JSON", "*/*", "object"},
		{"any application is JSON", "application/*", "object"},
		{"parameters that mean nothing are ignored", "application/json;charset=utf-8;x=y", "object"},
		{"a trailing semicolon is ignored", "application/json;", "object"},
		{"empty parts are ignored", ",,application/json", "object"},
		{"an empty as is no media type", "application/json;as=", "406"},
		{"stream=watch is ignored", "application/json;stream=watch", "object"},

		{"text is not offered", "text/html", "406"},
		{"YAML is not offered", "application/yaml", "406"},
		{"protobuf is not offered", acceptProtobuf, "406"},
		{"CBOR is not offered", "application/cbor", "406"},
		{"a list of empty parts accepts nothing", ",", "406"},
		{"a type without a subtype is no media type", "application", "406"},
		{"three parts are no media type", "application/json/x", "406"},
		{"types are compared without case", "APPLICATION/JSON", "object"},
		{"another stream is not offered", "application/json;stream=foo", "406"},

		{"protobuf falls back to the JSON after it", acceptProtobuf + ",application/json", "object"},
		{"CBOR falls back to JSON of lower quality",
			"application/cbor,application/json;q=0.5", "object"},
		{"browsers get JSON", "text/html, */*;q=0.1", "object"},
		{"a metadata client gets JSON metadata for protobuf metadata",
			strings.Replace(acceptMetadata, "json", "vnd.kubernetes.protobuf", 1) + "," +
				acceptMetadata + ",application/json", "metadata v1"},

		{"a table", acceptTable, "table v1"},
		{"an old table", "application/json;as=Table;v=v1beta1;g=meta.k8s.io", "table v1beta1"},
		{"kubectl's header", acceptTable + ",application/json;as=Table;v=v1beta1;g=meta.k8s.io," +
			"application/json", "table v1"},
		{"a table of any type", "*/*;as=Table;v=v1;g=meta.k8s.io", "table v1"},
		{"metadata", acceptMetadata, "metadata v1"},
		{"a list of metadata", acceptMetaList, "metadata list v1"},
		{"spaces do not matter", " application/json ; as=Table ; v=v1 ; g=meta.k8s.io ", "table v1"},
		{"values may be quoted", `application/json;as="Table";v=v1;g=meta.k8s.io`, "table v1"},
		{"names of parameters are compared without case",
			"application/json;AS=Table;V=v1;G=meta.k8s.io", "table v1"},
		{"a form of an unknown version is not offered",
			"application/json;as=Table;v=v2;g=meta.k8s.io", "406"},
		{"a form of another group is not offered", "application/json;as=Table;v=v1;g=apps", "406"},
		{"a form needs its group", "application/json;as=Table;v=v1", "406"},
		{"a form needs its version", "application/json;as=Table;g=meta.k8s.io", "406"},
		{"two equal parameters are no media type",
			"application/json;as=Foo;as=Table;v=v1;g=meta.k8s.io", "406"},
		{"an unknown form is not offered", "application/json;as=Foo;v=v1;g=meta.k8s.io", "406"},
		{"a version without a form is not offered", "application/json;v=v1", "406"},
		{"an unknown form falls back", "application/json;as=Foo;v=v1;g=meta.k8s.io,*/*", "object"},

		{"the first of equals", "application/json," + acceptTable, "object"},
		{"the first of equals, the other way round", acceptTable + ",application/json", "table v1"},
		{"quality first", "application/json;q=0.1," + acceptTable + ";q=0.9", "table v1"},
		{"quality first, the other way round", acceptTable + ";q=0.1,application/json;q=0.9", "object"},
		{"no quality is 1", "application/json;q=0.9," + acceptTable, "table v1"},
		{"a named type before a wildcard", "*/*," + acceptTable, "table v1"},
		{"but not against the quality", acceptTable + ";q=0.1,*/*;q=0.9", "object"},
		{"quality 0 is last, but not excluded", "application/json;q=0", "object"},
		{"a malformed quality is last", "application/json;q=abc," + acceptTable, "table v1"},
		{"the quality NaN is last", "application/json;q=NaN," + acceptTable, "table v1"},
	} {
		f, ok := negotiate(c.accept)
		got := "406"
		if ok {
			got = f.name()
		}
		assert.Equal(t, c.want, got, "%s: Accept: %s", c.promise, c.accept)
	}
}

func TestErrorsAreIndentedForClientsThatAcceptNoPlainJSON(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, c := range []struct {
			promise, accept string
			indented        bool
		}{
			{"no header: one line", "", false},
			{"JSON: one line", "application/json", false},
			{"a table or JSON: one line", acceptTable + ",application/json", false},
			{"only a table: indented", acceptTable, true},
			{"only metadata: indented", acceptMetadata, true},
		} {
			resp, body := send(t, s, "GET", widgetsPath+"/nope", "", "Accept", c.accept)
			assert.Equal(t, 404, resp.StatusCode, c.promise)
			assert.Equal(t, "application/json", resp.Header.Get("Content-Type"), c.promise)
			assert.Equal(t, c.indented, strings.Contains(body, "\n  \"kind\""), c.promise)
			assert.Equal(t, !c.indented, strings.HasSuffix(body, "\n"),
				"%s: only one line ends with a newline", c.promise)
		}
		_, body := send(t, s, "GET", widgetsPath, "", "Accept", "application/json;pretty=1")
		assert.Contains(t, body, "\n  \"items\"", "pretty=1 asks for indented JSON")
	})
}

// A client that does not accept JSON gets 406, and the server does nothing else: no write,
// no watch, and no 404 that the client could not read.
func TestNothingIsDoneIfTheClientDoesNotAcceptTheAnswer(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		before := s.ResourceVersion()
		for _, c := range []struct{ method, path, body string }{
			{"GET", widgetsPath, ""},
			{"GET", widgetsPath + "?watch=1", ""},
			{"GET", widgetsPath + "/nope", ""},
			{"POST", widgetsPath, fullWidget("web-2")},
			{"PUT", widgetsPath + "/web-1", fullWidget("web-1")},
			{"DELETE", widgetsPath + "/web-1", ""},
			{"DELETE", widgetsPath, ""},
		} {
			resp, body := send(t, s, c.method, c.path, c.body,
				"Accept", acceptProtobuf, "Content-Type", "application/json")
			assert.Equal(t, 406, resp.StatusCode, "%s %s", c.method, c.path)
			assert.Contains(t, body, "only the following media types are accepted: application/json")
		}
		assert.Equal(t, before, s.ResourceVersion(), "nothing has been written")
	})
}

func fullWidget(name string) string {
	return `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"` +
		name + `"}}`
}

func TestFormsThatDoNotFit(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		for _, c := range []struct {
			promise, path, accept string
			code                  int
			message               string
		}{
			{"a list is not one object's metadata", widgetsPath, acceptMetadata, 406,
				"you requested PartialObjectMetadata, but the requested object is a list " +
					"(*unstructured.UnstructuredList)"},
			{"nor is a list of built-in types", "/api/v1/pods", acceptMetadata, 406, "(*core.PodList)"},
			{"nor one of a group", "/apis/apps/v1/deployments", acceptMetadata, 406,
				"(*apps.DeploymentList)"},
			{"one object is no list", widgetsPath + "/web-1", acceptMetaList, 500,
				"content is not a list"},
			{"includeObject has three values", widgetsPath + "?includeObject=Foo", acceptTable, 400,
				`includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty`},
			{"includeObject is checked for one object, too",
				widgetsPath + "/web-1?includeObject=Foo", acceptTable, 400,
				"includeObject"},
			{"includeObject is checked before a watch begins", widgetsPath + "?watch=1&includeObject=Foo",
				acceptTable, 400, "includeObject"},
			{"includeObject is ignored without a table", widgetsPath + "?includeObject=Foo",
				"application/json", 200, "WidgetList"},
		} {
			resp, body := send(t, s, "GET", c.path, "", "Accept", c.accept)
			assert.Equal(t, c.code, resp.StatusCode, c.promise)
			assert.Contains(t, body, c.message, c.promise)
		}
	})
}

func TestTheAnswerToAnUnreadableBodySaysWhatToDo(t *testing.T) {
	const apply = "application/apply-patch+yaml"
	const goClients = `in Go, set ContentType to \"application/json\" in the rest.Config`
	for _, c := range []struct{ method, path, sent, accepted, hint string }{
		{"POST", "/api/v1/namespaces/default/pods", acceptProtobuf, "application/json", goClients},
		{"PUT", widgetsPath + "/web-1", acceptProtobuf + ";stream=watch", "application/json", goClients},
		{"DELETE", widgetsPath + "/web-1", acceptProtobuf, "application/json", goClients},
		{"PATCH", widgetsPath + "/web-1", apply,
			"application/json-patch+json, application/merge-patch+json", "no server-side apply"},
		{"PATCH", "/api/v1/namespaces/default/pods/p", apply, "application/strategic-merge-patch+json",
			"no server-side apply"},
		{"POST", widgetsPath, "application/yaml", "application/json", `application/json"`},
		{"POST", widgetsPath, "application/cbor", "application/json", `application/json"`},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			resp, body := send(t, s, c.method, c.path, "k8s\x00", "Content-Type", c.sent)
			assert.Equal(t, 415, resp.StatusCode, "%s %s", c.method, c.sent)
			assert.Contains(t, body, "unknown format - accepted media types include: ", c.sent)
			assert.Contains(t, body, c.accepted, c.sent)
			assert.Contains(t, body, c.hint, c.sent)
		})
	}
}

// FuzzNegotiate looks for headers that break a promise of negotiation.
func FuzzNegotiate(f *testing.F) {
	for _, seed := range []string{"", "*/*", acceptTable, "a/b;q=0.5,*;q=x", acceptMetaList +
		";q=1e309,application/json;q=-1", ";;;,,,===", "application/json;as=Table;g=meta.k8s.io"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		got, ok := negotiate(accept)
		again, okAgain := negotiate(accept)
		assert.Equal(t, got, again, "the same header, the same form")
		assert.Equal(t, ok, okAgain)
		if !ok {
			assert.False(t, takesPlainJSON(accept), "406 only for clients that do not take JSON")
			assert.Equal(t, form{}, got)
		} else {
			assert.Equal(t, got.kind == asObject, got.version == "", "all forms have a version")
		}
		// A client that adds plain JSON as a last resort never gets 406.
		if accept != "" && len(accept) < maxAccept/2 {
			_, ok = negotiate(accept + ",application/json")
			assert.True(t, ok, "JSON as a last resort")
		}
		all := mediaRanges(accept)
		assert.LessOrEqual(t, len(all), 1+strings.Count(accept, ","))
		for i := 1; i < len(all); i++ {
			assert.GreaterOrEqual(t, cmp.Compare(all[i-1].quality, all[i].quality), 0, "best first")
		}
	})
}
