package wire_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/rest"
)

const (
	widgets = fakeapi.URL + "/apis/workshop.example.dev/v1/namespaces/default/widgets"
	web1    = widgets + "/web-1"
)

type widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  color `json:"spec,omitzero"`
	Status                color `json:"status,omitzero"`
}

type color struct {
	Color string `json:"color,omitempty"`
}

func red(namespace, name string) *widget {
	return &widget{Spec: color{"red"}, ObjectMeta: watchglass.ObjectMeta{Namespace: namespace, Name: name},
		TypeMeta: watchglass.TypeMeta{APIVersion: "workshop.example.dev/v1", Kind: "Widget"}}
}

// A fixture is a server, and a client of its widgets.
func newFixture(t *testing.T, path string) (*fakeapi.Server, *rest.Client[*widget]) {
	server := fakeapi.New(fakeapi.Options{})
	t.Cleanup(func() { server.Close() })
	c, err := rest.NewClient[widget](rest.ClientOptions{
		URL: fakeapi.URL + "/apis/workshop.example.dev/v1" + path, HTTPClient: server.Client()})
	require.NoError(t, err)
	return server, c
}

// refused checks that only the func of that name says what err is, and that its text has the reason.
func refused(t *testing.T, err error, reason string) {
	is := fmt.Sprint(rest.IsConflict(err), rest.IsAlreadyExists(err), rest.IsNotFound(err))
	assert.Equal(t, map[string]string{"Conflict": "true false false", "AlreadyExists": "false true false",
		"NotFound": "false false true"}[reason], is)
	assert.Regexp(t, "^[A-Z]+ http://fakeapi/.*widgets.*: server says 4.. "+reason+": ", err)
}

func TestClient(t *testing.T) {
	ctx := t.Context()
	t.Run("it creates, reads, changes and deletes, and leaves the caller's object as it was",
		func(t *testing.T) {
			server, c := newFixture(t, "/widgets/?fieldManager=me")
			sent := red("shop", "web-1")
			created, err := c.Create(ctx, sent)
			require.NoError(t, err)
			assert.Equal(t, red("shop", "web-1"), sent)
			assert.NotEmpty(t, created.ResourceVersion+created.UID)
			read, err := c.Get(ctx, "shop", "web-1")
			require.NoError(t, err)
			assert.Equal(t, created, read)

			_, err = c.Create(ctx, sent)
			refused(t, err, "AlreadyExists")

			read.Spec.Color, read.Status.Color = "blue", "red"
			updated, err := c.Update(ctx, read)
			require.NoError(t, err)
			_, err = c.Update(ctx, read)
			refused(t, err, "Conflict")
			assert.Equal(t, []string{"blue", ""}, []string{updated.Spec.Color, updated.Status.Color})
			assert.Equal(t, created.ResourceVersion, read.ResourceVersion)
			updated.Spec.Color, updated.Status.Color = "white", "blue"
			now, err := c.UpdateStatus(ctx, updated)
			require.NoError(t, err)
			assert.Equal(t, []string{"blue", "blue"}, []string{now.Spec.Color, now.Status.Color})
			now, err = c.Patch(ctx, "shop", "web-1", widget{Spec: color{"green"}})
			require.NoError(t, err)
			assert.Equal(t, []string{"green", "blue"}, []string{now.Spec.Color, now.Status.Color})
			now, err = c.Patch(ctx, "shop", "web-1", widget{Status: color{"green"}}, "status")
			require.NoError(t, err)
			assert.Equal(t, "green", now.Status.Color)

			require.NoError(t, c.Delete(ctx, "shop", "web-1", rest.DeleteOptions{}))
			read, err = c.Get(ctx, "shop", "web-1")
			refused(t, err, "NotFound")
			assert.Nil(t, read)
			assert.Equal(t, 10, server.Requests("", "widgets"), "one for each call")
		})
	t.Run("an object is deleted only if it is the one that was meant", func(t *testing.T) {
		_, c := newFixture(t, "/widgets")
		created, err := c.Create(ctx, red("shop", "web-1"))
		require.NoError(t, err)
		for _, other := range []rest.Preconditions{{UID: "u-0"}, {ResourceVersion: "1"}} {
			err := c.Delete(ctx, "shop", "web-1", rest.DeleteOptions{Preconditions: other})
			assert.True(t, rest.IsConflict(err), "%v", err)
		}
		assert.NoError(t, c.Delete(ctx, "shop", "web-1", rest.DeleteOptions{
			Preconditions: rest.Preconditions{UID: created.UID}, PropagationPolicy: "Background"}))
	})
	t.Run("a dry run stores nothing", func(t *testing.T) {
		server, c := newFixture(t, "/namespaces/shop/widgets?dryRun=All")
		answer, err := c.Create(ctx, red("shop", "web-1"))
		require.NoError(t, err)
		assert.NotEmpty(t, answer.UID)
		_, err = c.Get(ctx, "shop", "web-1")
		require.True(t, rest.IsNotFound(err))
		_, err = server.Create("widgets", `{"metadata":{"name":"web-1","namespace":"shop"}}`)
		require.NoError(t, err)
		assert.NoError(t, c.Delete(ctx, "shop", "web-1", rest.DeleteOptions{}))
		_, err = c.Get(ctx, "shop", "web-1")
		assert.NoError(t, err, "it was only a dry run that has deleted it")
	})
	t.Run("a URL in a namespace is for this namespace", func(t *testing.T) {
		server, c := newFixture(t, "/namespaces/shop/widgets")
		created, err := c.Create(ctx, red("", "web-1"))
		require.NoError(t, err)
		assert.Equal(t, "shop", created.Namespace)
		_, err = c.Get(ctx, "default", "web-1")
		assert.EqualError(t, err,
			`GET widgets: namespace is "default", want "shop", that of the client's URL`)
		assert.Zero(t, server.Requests("get", "widgets"))
	})
	// The URL would be that of the collection: all objects would be deleted.
	t.Run("what is no name is an error", func(t *testing.T) {
		server, c := newFixture(t, "/widgets")
		_, updateErr := c.UpdateStatus(ctx, &widget{})
		assert.ErrorContains(t, updateErr, `PUT widgets: "" is no name of an object`)
		for _, name := range []string{"", ".", "..", "/", "web-1/", "a%2Fb"} {
			_, err := c.Get(ctx, "shop", name)
			assert.ErrorContains(t, err, " is no name of an object")
			assert.ErrorContains(t, c.Delete(ctx, "shop", name, rest.DeleteOptions{}), " is no name")
			if name != "" {
				assert.ErrorContains(t, c.Delete(ctx, name, "a", rest.DeleteOptions{}), "of a namespace")
			}
		}
		assert.Zero(t, server.Requests("", ""))
	})
	t.Run("a connection is used again after an answer that the caller does not want",
		func(t *testing.T) {
			_, c := newFixture(t, "/widgets")
			_, err := c.Create(ctx, red("shop", "web-1"))
			require.NoError(t, err)
			reused := false
			trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }}
			require.NoError(t, c.Delete(ctx, "shop", "web-1", rest.DeleteOptions{}))
			_, err = c.Get(httptrace.WithClientTrace(ctx, trace), "shop", "web-1")
			assert.True(t, rest.IsNotFound(err) && reused)
		})
	t.Run("objects in no namespace, and namespaces themselves", func(t *testing.T) {
		server, _ := newFixture(t, "/widgets")
		c, err := rest.NewClient[watchglass.Unstructured](rest.ClientOptions{
			URL: fakeapi.URL + "/api/v1/namespaces", HTTPClient: server.Client()})
		require.NoError(t, err)
		u, err := c.Get(ctx, "", "kube-system")
		require.NoError(t, err)
		assert.Equal(t, "Namespace", u.GetKind())
	})
	_, err := rest.NewClient[widget](rest.ClientOptions{URL: "host/widgets"})
	assert.ErrorContains(t, err, "URL of the collection: want http(s)://host/path")
}

func TestAWriteThatMayHaveBeenMadeSaysSo(t *testing.T) {
	const may = "the server may have carried it out: "
	server, c := newFixture(t, "/widgets")
	for _, kind := range []fakeapi.FaultKind{fakeapi.FaultLost, fakeapi.FaultReset, fakeapi.FaultStatus} {
		server.Inject(fakeapi.Fault{Kind: kind, Verb: "create"})
		_, err := c.Create(t.Context(), red("default", string(kind)))
		assert.Equal(t, kind != fakeapi.FaultStatus, strings.Contains(err.Error(), may), "%v", err)
		_, err = c.Get(t.Context(), "default", string(kind))
		assert.Equal(t, kind == fakeapi.FaultLost, err == nil, "%s: %v", kind, err)
	}
	server.Inject(fakeapi.Fault{Kind: fakeapi.FaultReset, Verb: "get", Count: -1})
	_, err := c.Get(t.Context(), "default", "web-1")
	require.Error(t, err)
	assert.NotContains(t, err.Error(), may, "a read")
	c, err = rest.NewClient[widget](rest.ClientOptions{URL: "http://127.0.0.1:1/widgets"})
	require.NoError(t, err)
	_, err = c.Create(t.Context(), red("default", "web-1"))
	require.ErrorContains(t, err, "POST http://127.0.0.1:1/namespaces/default/widgets: ")
	assert.NotContains(t, err.Error(), may, "a request that was not sent")

	server.Heal()
	moved := &http.Client{Transport: moving{server.Client().Transport}} // as a proxy that wants https does
	c, err = rest.NewClient[widget](rest.ClientOptions{URL: "http://old/apis/workshop.example.dev/v1/widgets",
		HTTPClient: moved})
	require.NoError(t, err)
	const became = may + "it was redirected and became a GET of http"
	_, err = c.Update(t.Context(), red("default", string(fakeapi.FaultLost)))
	assert.ErrorContains(t, err, became)
	assert.ErrorContains(t, c.Delete(t.Context(), "default", "web-1", rest.DeleteOptions{}), became)
	_, err = c.Get(t.Context(), "default", string(fakeapi.FaultLost))
	assert.NoError(t, err, "a read may be redirected")

	for law, body := range map[string]string{"a cut answer": `{"metadata":{"na`, "no object": `{"items":[]}`} {
		answer := &http.Client{Transport: says{201, "application/json", body}}
		c, err := rest.NewClient[widget](rest.ClientOptions{URL: widgets, HTTPClient: answer})
		require.NoError(t, err)
		written, err := c.Create(t.Context(), red("default", "web-1"))
		assert.ErrorContains(t, err, "POST "+widgets+": "+may+"cannot read answer: ", law)
		assert.Nil(t, written)
	}
}

// moving redirects each request for the host old to the server.
type moving struct{ http.RoundTripper }

func (m moving) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "old" {
		return m.RoundTripper.RoundTrip(r)
	}
	return &http.Response{StatusCode: 301, Header: http.Header{"Location": {fakeapi.URL + r.URL.Path}},
		Body: http.NoBody}, nil
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
	}
}
