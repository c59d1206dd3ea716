package wire_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/rest"
)

const (
	widgets = fakeapi.URL + "/apis/workshop.example.dev/v1/namespaces/default/widgets"
	web1    = widgets + "/web-1"
)

// A widget is an object as a map, with a short way to its color.
type widget map[string]any

func (w widget) color() any { return w["spec"].(map[string]any)["color"] }

func red(name string) widget {
	return widget{"apiVersion": "workshop.example.dev/v1", "kind": "Widget",
		"metadata": widget{"name": name}, "spec": widget{"color": "red"}}
}

func TestDo(t *testing.T) {
	server := fakeapi.New(fakeapi.Options{})
	t.Cleanup(func() { server.Close() })
	do := func(method, url string, object, answer any) error {
		return rest.Do(t.Context(), server.Client(), method, url, object, answer)
	}
	var first, now widget
	require.NoError(t, do(http.MethodPost, widgets, red("web-1"), &first))
	t.Run("it creates, changes, reads and deletes", func(t *testing.T) {
		require.NoError(t, do(http.MethodPatch, web1, widget{"spec": widget{"color": "blue"}}, &now))
		require.Equal(t, "blue", now.color())
		now["spec"].(map[string]any)["color"] = "green"
		require.NoError(t, do(http.MethodPut, web1, now, nil))
		require.NoError(t, do(http.MethodGet, web1, nil, &now))
		assert.Equal(t, "green", now.color())
		require.NoError(t, do(http.MethodPost, widgets, red("web-2"), nil))
		require.NoError(t, do(http.MethodDelete, widgets+"/web-2", nil, nil))
	})
	for law, c := range map[string]struct {
		err  error
		is   func(error) bool
		text string
	}{
		"an older state is a conflict": {do(http.MethodPut, web1, first, nil), rest.IsConflict,
			"PUT " + web1 + ": server says 409 Conflict: "},
		"an object of that name exists": {do(http.MethodPost, widgets, red("web-1"), nil),
			rest.IsAlreadyExists, "server says 409 AlreadyExists: "},
		"there is no such object": {do(http.MethodGet, widgets+"/web-2", nil, &now), rest.IsNotFound,
			"server says 404 NotFound: "},
	} {
		t.Run(law, func(t *testing.T) {
			assert.ErrorContains(t, c.err, c.text)
			assert.True(t, c.is(c.err))
			asked := fmt.Sprint(rest.IsConflict(c.err), rest.IsAlreadyExists(c.err), rest.IsNotFound(c.err))
			assert.Equal(t, 1, strings.Count(asked, "true"), "only one of the three: %s", asked)
		})
	}
}

// says is a server that gives the same answer to each request.
type says struct {
	code            int
	mediaType, body string
}

func (s says) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: s.code, Header: http.Header{"Content-Type": {s.mediaType}},
		Body: io.NopCloser(strings.NewReader(s.body))}, nil
}

func TestAnAnswerThatIsNoObjectIsAShortError(t *testing.T) {
	const isJSON = "application/json"
	page := strings.Repeat("<html>", 9999)
	for law, c := range map[string]struct {
		answer says
		want   string
	}{
		"a page":            {says{200, "text/html", page}, "want application/json, have text/html"},
		"half an object":    {says{201, isJSON, `{"metadata":`}, "cannot read answer: unexpected end"},
		"another object":    {says{200, isJSON, `[]`}, "cannot read answer: json: cannot unmarshal"},
		"nothing":           {says{200, isJSON, ""}, "cannot read answer: unexpected end"},
		"no content":        {says{204, "", ""}, "server says 204: No Content: no body"},
		"a page of a proxy": {says{502, "text/html", page}, "server says 502: Bad Gateway: a body of"},
		"a sentence":        {says{403, "text/plain", "no\n"}, "server says 403: Forbidden: no"},
		"a long Status": {says{403, isJSON, `{"kind":"Status","reason":"` + strings.Repeat("R", 9000) +
			`","message":"` + strings.Repeat("m", 9000) + `"}`}, "server says 403 RRRR"},
		"more than the limit": {says{200, isJSON, strings.Repeat(" ", 17<<20)}, "answer is larger than"},
	} {
		t.Run(law, func(t *testing.T) {
			err := rest.Do(t.Context(), &http.Client{Transport: c.answer}, http.MethodGet, web1, nil, &widget{})
			assert.ErrorContains(t, err, "GET "+web1+": ")
			assert.ErrorContains(t, err, c.want)
			assert.Less(t, len(err.Error()), 1300)
		})
	}
	t.Run("a password in the URL is not shown", func(t *testing.T) {
		c := &http.Client{Transport: says{403, "text/plain", "no"}}
		err := rest.Do(t.Context(), c, http.MethodGet, "http://me:secret@server/w", nil, nil)
		assert.ErrorContains(t, err, "GET http://me:xxxxx@server/w: server says 403")
	})
	t.Run("a request that cannot be made", func(t *testing.T) {
		assert.ErrorContains(t, rest.Do(t.Context(), http.DefaultClient, "PUT", web1, func() {}, nil),
			"PUT "+web1+": json: unsupported type")
	})
}

// endless is a body without end, which counts what is read of it.
type endless struct{ code, read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > 100<<20 {
		return 0, io.EOF
	}
	return len(p), nil
}

func (e *endless) Close() error { return nil }

// RoundTrip implements http.RoundTripper.
func (e *endless) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: e.code, Body: e}, nil
}

func TestAnEndlessBodyIsNotReadToItsEnd(t *testing.T) {
	for code, most := range map[int]int{200: 40 << 20, 500: 1 << 20} {
		body := &endless{code: code}
		assert.Error(t, rest.Do(t.Context(), &http.Client{Transport: body}, http.MethodGet, web1, nil, &widget{}))
		assert.Less(t, body.read, most, "bytes of a response %d", code)
	}
}

// A proxy, or the path of an unknown resource, answers with a code and no reason.
func TestWithoutAReasonTheCodeCounts(t *testing.T) {
	for code, is := range map[int]func(error) bool{409: rest.IsConflict, 404: rest.IsNotFound} {
		assert.True(t, is(fmt.Errorf("put: %w", &reflector.StatusError{Code: code})), code)
		assert.False(t, is(&reflector.StatusError{Code: code, Reason: "Other"}), code)
	}
	assert.False(t, rest.IsAlreadyExists(&reflector.StatusError{Code: 409}), "it may be a conflict")
	assert.False(t, rest.IsConflict(errors.New("409 Conflict")))
}

func TestTheWaitThatARefusalAsksFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble stands at the beginning of 2000
		wait := func(header, body string) time.Duration {
			status, _ := errors.AsType[*reflector.StatusError](rest.Check(&http.Response{StatusCode: 429,
				Header: http.Header{"Retry-After": {header}}, Body: io.NopCloser(strings.NewReader(body))}))
			return status.RetryAfter
		}
		for value, want := range map[string]time.Duration{
			"7": 7 * time.Second, "Sat, 01 Jan 2000 00:01:00 GMT": time.Minute, "soon": 0, "-5": 0,
			"Fri, 31 Dec 1999 12:01:00 GMT": 0, "9223372036854775807": 1 << 30 * time.Second,
		} {
			assert.Equal(t, want, wait(value, ""), value)
		}
		for header, want := range map[string]time.Duration{"": 5, "2": 5, "7": 7} {
			assert.Equal(t, want*time.Second, wait(header, `{"kind":"Status","details":{"retryAfterSeconds":5}}`),
				"the longer of 5 s in the body and %q", header)
		}
	})
}

func TestResourcePath(t *testing.T) {
	for want, r := range map[string]rest.Resource{
		"/api/v1/pods":                     {Version: "v1", Resource: "pods"},
		"/api/v1/namespaces/shop/pods":     {Version: "v1", Resource: "pods", Namespace: "shop"},
		"/apis/apps/v1/deployments":        {Group: "apps", Version: "v1", Resource: "deployments"},
		"/apis/g/v1/namespaces/a%2Fb/c%3F": {Group: "g", Version: "v1", Resource: "c?", Namespace: "a/b"},
	} {
		assert.Equal(t, want, r.Path())
		assert.Equal(t, want+"/a%2Fb/status", r.Path("a/b", "status"))
	}
}
