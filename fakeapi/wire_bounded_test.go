package fakeapi

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/status"
)

// mistakes are metadata with a great many errors, or with an error in a very long value.
func mistakes() map[string]string {
	long, bad := repeat(60_000, `\u0001`), `-`+repeat(100, `\u0001`)
	many := func(format string) string {
		var b strings.Builder
		for i := range 3 * status.MaxErrors {
			fmt.Fprintf(&b, `,`+format, fmt.Sprint(bad, i))
		}
		return b.String()[1:]
	}
	return map[string]string{
		"generateName":      `"generateName":"` + long + `"`,
		"labels":            `"labels":{` + many(`"%s":"v"`) + `}`,
		"values of labels":  `"labels":{` + many(`"%[1]s":"%[1]s"`) + `}`,
		"a long label":      `"labels":{"` + long + `":"` + long + `"}`,
		"annotations":       `"annotations":{` + many(`"%s":"v"`) + `}`,
		"a long annotation": `"annotations":{"` + long + `":"v"}`,
		"finalizers":        `"finalizers":[` + many(`"%s"`) + `]`,
		"a long finalizer":  `"finalizers":["` + long + `"]`,
		"owners":            `"ownerReferences":[` + many(`{"apiVersion":"a/b/%s"}`) + `]`,
		"controllers":       `"ownerReferences":[` + many(`{"kind":"%s","controller":true}`) + `]`,
		"a long owner": `"ownerReferences":[{"apiVersion":"v1","kind":"Event","name":"` + long +
			`"}]`,
		"a long time":             `"creationTimestamp":"` + long + `"`,
		"a long version":          `"resourceVersion":"` + long + `"`,
		"a number for a long key": `"labels":{"` + long + `":5}`,
	}
}

// However bad a request is, its answer is short: each error quotes the beginning of a
// value, and there are a hundred errors at most. This holds for all kinds of requests.
func TestAnswersToBadRequestsAreShort(t *testing.T) {
	const patched = widgetsPath + "/web-1"
	for name, metadata := range mistakes() {
		body := `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"web-1",` +
			metadata + `}}`
		merge := `{"metadata":{` + metadata + `}}`
		pod := strings.Replace(strings.Replace(body, "Widget", "Pod", 1),
			"workshop.example.dev/", "", 1)
		for _, c := range []struct{ way, method, path, body, media string }{
			{"create", "POST", widgetsPath, strings.Replace(body, "web-1", "web-2", 1), ""},
			{"create, built-in", "POST", podsPath, strings.Replace(pod, "web-1", "web-2", 1), ""},
			{"update", "PUT", patched, body, ""},
			{"update, built-in", "PUT", podsPath + "/web-1", pod, ""},
			{"status", "PUT", podsPath + "/web-1/status", pod, ""},
			{"merge patch", "PATCH", patched, merge, patch.MediaMerge},
			{"strategic", "PATCH", podsPath + "/web-1", merge, patch.MediaStrategic},
			{"JSON patch", "PATCH", patched, `[{"op":"add","path":"/metadata","value":{"name":` +
				`"web-1",` + metadata + `}}]`, patch.MediaJSON},
		} {
			assertShort(t, name+": "+c.way, c.method, c.path, c.body, c.media)
		}
	}
}

const podsPath = "/api/v1/namespaces/default/pods"

// assertShort: the request is refused, or accepted, in few bytes and with little memory.
func assertShort(t *testing.T, law, method, path, body, media string) {
	t.Helper()
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		_, err := s.Create("pods", `{"metadata":{"name":"web-1"}}`)
		require.NoError(t, err)
		before := allocated()
		resp, answer := send(t, s, method, path, body, "Content-Type", media)
		spent := allocated() - before
		if resp.StatusCode >= 400 {
			assert.Less(t, len(answer), 256<<10, "bytes answered, %s", law)
		}
		assert.Less(t, headerBytes(resp.Header), 8<<10, "bytes of headers, %s", law)
		assert.Less(t, resp.StatusCode, 501, law)
		assert.Less(t, spent, 16<<20+40*uint64(len(path)+len(body)), "bytes allocated, %s", law)
	})
}

func headerBytes(h http.Header) int {
	var b bytes.Buffer
	_ = h.Write(&b)
	return b.Len()
}

func TestAnswersToBadParametersAreShort(t *testing.T) {
	evil := repeat(60_000, "%01")
	const one = widgetsPath + "/web-1"
	for _, param := range []string{"fieldManager", "fieldValidation", "dryRun", "fieldSelector",
		"labelSelector", "resourceVersion", "resourceVersionMatch", "continue", "limit", "pretty",
		"propagationPolicy", "includeObject", "gracePeriodSeconds", "uid"} {
		query := "?" + param + "=" + evil
		for _, c := range []struct{ method, path, body, media string }{
			{"GET", widgetsPath, "", ""},
			{"GET", widgetsPath, "", "watch"},
			{"POST", widgetsPath, made("web-2", ""), ""},
			{"PUT", one, made("web-1", ""), ""},
			{"PATCH", one, `{}`, patch.MediaMerge},
			{"DELETE", one, "", ""},
			{"DELETE", widgetsPath, "", ""},
		} {
			path := c.path + query
			if c.media == "watch" {
				path, c.media = path+"&watch=1&timeoutSeconds=1", ""
			}
			assertShort(t, c.method+" "+param, c.method, path, c.body, c.media)
		}
	}
	for _, path := range []string{widgetsPath + "/" + evil, "/apis/" + evil + "/v1/widgets",
		"/" + evil, "/apis/workshop.example.dev/v1/namespaces/" + evil + "/widgets"} {
		assertShort(t, "the path", "GET", path, "", "")
	}
}

// Unknown and duplicate fields whose names, or the paths to them, are as long as the body.
func TestFlawsOfLargeBodiesAreFewBytes(t *testing.T) {
	long := repeat(500_000, "x")
	head := `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"web-2"`
	for law, body := range map[string]string{
		"10,000 unknown fields":   head + `,` + numbered(10_000, `"`+repeat(100, "x")+`%d":1`) + `}}`,
		"a long unknown field":    head + `,"` + long + `":1}}`,
		"10,000 duplicate fields": head + `},"spec":{"a":1` + repeat(10_000, `,"a":1,"b":2`) + `}}`,
		"fields twice, below a long one": head + `},"spec":{"` + long + `":{` +
			numbered(5_000, `"f%[1]d":1,"f%[1]d":2`) + `}}}`,
		"fields twice, far down": head + `},"spec":` + repeat(9_000, `{"aa":`) + `{` +
			numbered(5_000, `"f%[1]d":1,"f%[1]d":2`) + repeat(9_001, `}`) + `}`,
		"many finalizers": head + `,"finalizers":[` + numbered(10_000, `"f%d"`) + `]}}`,
	} {
		for _, validation := range []string{"", "?fieldValidation=Warn", "?fieldValidation=Strict",
			"?fieldValidation=Ignore"} {
			assertFewFlaws(t, law+validation, validation, body)
		}
	}
}

func assertFewFlaws(t *testing.T, law, query, body string) {
	t.Helper()
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		before := allocated()
		resp, answer := send(t, s, "POST", widgetsPath+query, body)
		spent := allocated() - before
		assert.Less(t, headerBytes(resp.Header), 12<<10, "bytes of headers, %s", law)
		if resp.StatusCode != 201 {
			assert.Less(t, len(answer), 512<<10, "bytes answered, %s", law)
		}
		assert.Less(t, spent, 16<<20+60*uint64(len(body)), "bytes allocated, %s", law)
	})
}
