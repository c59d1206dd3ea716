package fakeapi

import (
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
				"you requested PartialObjectMetadata, but the requested object is a list"},
			{"nor is a list of built-in types", "/api/v1/pods", acceptMetadata, 406, "is a list"},
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
