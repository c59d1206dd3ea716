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
		for accept, indented := range map[string]bool{"": false, acceptTable + ",application/json": false,
			acceptTable: true, acceptMetadata: true} {
			resp, body := send(t, s, "GET", widgetsPath+"/nope", "", "Accept", accept)
			assert.Equal(t, 404, resp.StatusCode, accept)
			assert.Equal(t, indented, strings.Contains(body, "\n  \"kind\""), accept)
			assert.Equal(t, !indented, strings.HasSuffix(body, "\n"), accept)
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
		for _, c := range [][3]string{{"GET", widgetsPath}, {"GET", widgetsPath + "?watch=1"},
			{"GET", widgetsPath + "/nope"}, {"POST", widgetsPath, fullWidget("web-2")},
			{"DELETE", widgetsPath + "/web-1"}, {"DELETE", widgetsPath}} {
			resp, body := send(t, s, c[0], c[1], c[2], "Accept", acceptProtobuf)
			assert.Equal(t, 406, resp.StatusCode, c)
			assert.Contains(t, body, "only the following media types are accepted: application/json")
		}
		assert.Equal(t, "2", s.ResourceVersion(), "nothing has been written")
	})
}

func TestFormsThatDoNotFit(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		const one, foo = widgetsPath + "/web-1", "?includeObject=Foo"
		for _, c := range []struct {
			law, path, accept string
			code              int
			message           string
		}{
			{"a list is not one object's metadata", widgetsPath, acceptMetadata, 406,
				"you requested PartialObjectMetadata, but the requested object is a list"},
			{"one object is no list", one, acceptMetaList, 500, "content is not a list"},
			{"includeObject has three values", widgetsPath + foo, acceptTable, 400,
				`includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty`},
			{"it is checked for one object, too", one + foo, acceptTable, 400, "includeObject"},
			{"it is checked before a watch", widgetsPath + foo + "&watch=1", acceptTable, 400, "Foo"},
			{"it is ignored without a table", widgetsPath + foo, "application/json", 200, "WidgetList"},
		} {
			resp, body := send(t, s, "GET", c.path, "", "Accept", c.accept)
			assert.Equal(t, c.code, resp.StatusCode, c.law)
			assert.Contains(t, body, c.message, c.law)
		}
	})
}

func TestTheAnswerToAnUnreadableBodySaysWhatToDo(t *testing.T) {
	const apply = "application/apply-patch+yaml"
	const goClients = `in Go, set ContentType to \"application/json\" in the rest.Config`
	for _, c := range [][4]string{
		{"POST", podsPath, acceptProtobuf, goClients},
		{"DELETE", widgetsPath + "/web-1", acceptProtobuf, goClients},
		{"PATCH", widgetsPath + "/web-1", apply, "no server-side apply"},
		{"PATCH", podsPath + "/p", apply, "application/strategic-merge-patch+json"},
		{"POST", widgetsPath, "application/yaml", `application/json"`},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			resp, body := send(t, s, c[0], c[1], "k8s\x00", "Content-Type", c[2])
			assert.Equal(t, 415, resp.StatusCode, c)
			assert.Contains(t, body, "unknown format - accepted media types include: ", c)
			assert.Contains(t, body, c[3], c)
		})
	}
}
