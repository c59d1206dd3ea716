package client_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/client"
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
	return &widget{
		TypeMeta:   watchglass.TypeMeta{APIVersion: "workshop.example.dev/v1", Kind: "Widget"},
		ObjectMeta: watchglass.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       color{"red"},
	}
}

// A fixture is a server, and a client of its widgets.
func newFixture(t *testing.T, path string) (*fakeapi.Server, *client.Client[widget]) {
	server := fakeapi.New(fakeapi.Options{})
	t.Cleanup(func() { server.Close() })
	c, err := client.New[widget](client.Options{
		URL: fakeapi.URL + "/apis/workshop.example.dev/v1" + path, HTTPClient: server.Client()})
	require.NoError(t, err)
	return server, c
}

// refused checks that only the func of that name says what err is, and that its text has the
// reason.
func refused(t *testing.T, err error, reason string) {
	is := fmt.Sprint(client.IsConflict(err), client.IsAlreadyExists(err), client.IsNotFound(err))
	assert.Equal(t, map[string]string{
		"Conflict": "true false false", "AlreadyExists": "false true false",
		"NotFound": "false false true",
	}[reason], is)
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

			require.NoError(t, c.Delete(ctx, "shop", "web-1", client.DeleteOptions{}))
			read, err = c.Get(ctx, "shop", "web-1")
			refused(t, err, "NotFound")
			assert.Nil(t, read)
			assert.Equal(t, 10, server.Requests("", "widgets"), "one for each call")
		})
	t.Run("an object is deleted only if it is the one that was meant", func(t *testing.T) {
		_, c := newFixture(t, "/widgets")
		created, err := c.Create(ctx, red("shop", "web-1"))
		require.NoError(t, err)
		for _, other := range []client.Preconditions{{UID: "u-0"}, {ResourceVersion: "1"}} {
			err := c.Delete(ctx, "shop", "web-1", client.DeleteOptions{Preconditions: other})
			assert.True(t, client.IsConflict(err), "%v", err)
		}
		assert.NoError(t, c.Delete(ctx, "shop", "web-1", client.DeleteOptions{
			Preconditions: client.Preconditions{UID: created.UID}, PropagationPolicy: "Background"}))
	})
	t.Run("a dry run stores nothing", func(t *testing.T) {
		server, c := newFixture(t, "/namespaces/shop/widgets?dryRun=All")
		answer, err := c.Create(ctx, red("shop", "web-1"))
		require.NoError(t, err)
		assert.NotEmpty(t, answer.UID)
		_, err = c.Get(ctx, "shop", "web-1")
		require.True(t, client.IsNotFound(err))
		_, err = server.Create("widgets", `{"metadata":{"name":"web-1","namespace":"shop"}}`)
		require.NoError(t, err)
		assert.NoError(t, c.Delete(ctx, "shop", "web-1", client.DeleteOptions{}))
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
			`GET widgets.workshop.example.dev in shop: namespace is "default", want "shop", `+
				`that of the client's URL`)
		assert.Zero(t, server.Requests("get", "widgets"))
	})
	// The URL would be that of the collection: all objects would be deleted.
	t.Run("what is no name is an error", func(t *testing.T) {
		server, c := newFixture(t, "/widgets")
		_, updateErr := c.UpdateStatus(ctx, &widget{})
		assert.ErrorContains(t, updateErr, `PUT widgets.workshop.example.dev: "" is no name of an object`)
		for _, name := range []string{"", ".", "..", "/", "web-1/", "a%2Fb"} {
			_, err := c.Get(ctx, "shop", name)
			assert.ErrorContains(t, err, " is no name of an object")
			assert.ErrorContains(t, c.Delete(ctx, "shop", name, client.DeleteOptions{}), " is no name")
			if name != "" {
				assert.ErrorContains(t, c.Delete(ctx, name, "a", client.DeleteOptions{}), "of a namespace")
			}
		}
		assert.Zero(t, server.Requests("", ""))
	})
	t.Run("a name with a question mark is a name, and no query", func(t *testing.T) {
		network := &sees{RoundTripper: says{404, "", ""}}
		c := reads(t, "http://server/widgets", network)
		assert.Error(t, c.Delete(ctx, "a?b", "c?d", client.DeleteOptions{}))
		assert.Equal(t, []string{"DELETE watchglass application/json application/json"}, network.seen)
	})
	t.Run("a connection is used again after an answer that the caller does not want",
		func(t *testing.T) {
			_, c := newFixture(t, "/widgets")
			_, err := c.Create(ctx, red("shop", "web-1"))
			require.NoError(t, err)
			reused := false
			trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }}
			require.NoError(t, c.Delete(ctx, "shop", "web-1", client.DeleteOptions{}))
			_, err = c.Get(httptrace.WithClientTrace(ctx, trace), "shop", "web-1")
			assert.True(t, client.IsNotFound(err) && reused)
		})
	t.Run("objects in no namespace, and namespaces themselves", func(t *testing.T) {
		server, _ := newFixture(t, "/widgets")
		c, err := client.New[watchglass.Unstructured](client.Options{
			URL: fakeapi.URL + "/api/v1/namespaces", HTTPClient: server.Client()})
		require.NoError(t, err)
		u, err := c.Get(ctx, "", "kube-system")
		require.NoError(t, err)
		assert.Equal(t, "Namespace", u.GetKind())
	})
	t.Run("an answer of another kind is an error", func(t *testing.T) {
		server, c := newFixture(t, "/widgets")
		_, err := c.Create(ctx, red("shop", "web-1"))
		require.NoError(t, err)
		gadgets, err := client.New[watchglass.Unstructured](client.Options{
			URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
			HTTPClient: server.Client(), Kind: "Gadget",
		})
		require.NoError(t, err)
		const other = `cannot read answer: its kind is "Widget", want "Gadget"`
		_, err = gadgets.Get(ctx, "shop", "web-1")
		assert.ErrorContains(t, err, other)
		_, err = gadgets.Patch(ctx, "shop", "web-1", struct{}{})
		assert.ErrorContains(t, err, "the server may have carried it out: "+other)
	})
	t.Run("each request has the header, which cannot change how it is encoded", func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		t.Cleanup(func() { server.Close() })
		network := &sees{RoundTripper: server.Client().Transport}
		c, err := client.New[widget](client.Options{
			URL:           fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
			HTTPClient:    &http.Client{Transport: network},
			LabelSelector: "app=none", FieldSelector: "metadata.name=none",
			Header: http.Header{
				"user-agent": {"me"}, "Accept": {"text/html"}, "Content-Type": {"text/html"},
			},
		})
		require.NoError(t, err)
		_, err = c.Create(ctx, red("shop", "web-1"))
		require.NoError(t, err)
		_, err = c.Get(ctx, "shop", "web-1")
		require.NoError(t, err, "a selector is for lists and watches")
		_, err = c.Patch(ctx, "shop", "web-1", widget{Spec: color{"green"}})
		require.NoError(t, err)
		assert.Equal(t, []string{
			"POST me application/json application/json", "GET me application/json ",
			"PATCH me application/json application/merge-patch+json",
		}, network.seen)
	})
}

// sees is a transport that keeps what matters of each request, and that it has no selector.
type sees struct {
	http.RoundTripper
	seen []string
}

func (s *sees) RoundTrip(r *http.Request) (*http.Response, error) {
	h := r.Header
	s.seen = append(s.seen, r.Method+" "+h.Get("User-Agent")+" "+h.Get("Accept")+" "+
		h.Get("Content-Type")+r.URL.RawQuery)
	return s.RoundTripper.RoundTrip(r)
}

func TestAWriteThatMayHaveBeenMadeSaysSo(t *testing.T) {
	const may = "the server may have carried it out: "
	server, c := newFixture(t, "/widgets")
	for _, kind := range []fakeapi.FaultKind{
		fakeapi.FaultLost, fakeapi.FaultReset, fakeapi.FaultStatus,
	} {
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
	c = reads(t, "http://down/widgets", &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}})
	_, err = c.Create(t.Context(), red("default", "web-1"))
	require.ErrorContains(t, err,
		"POST http://down/namespaces/default/widgets: dial: connection refused")
	assert.NotContains(t, err.Error(), may, "a request that was not sent")

	server.Heal()
	// This is what a proxy does that wants https.
	moved := &http.Client{Transport: moving{server.Client().Transport}}
	c, err = client.New[widget](client.Options{URL: "http://old/apis/workshop.example.dev/v1/widgets",
		HTTPClient: moved})
	require.NoError(t, err)
	const became = may + "it was redirected and became a GET of http"
	_, err = c.Update(t.Context(), red("default", string(fakeapi.FaultLost)))
	assert.ErrorContains(t, err, became)
	assert.ErrorContains(t, c.Delete(t.Context(), "default", "web-1", client.DeleteOptions{}), became)
	_, err = c.Get(t.Context(), "default", string(fakeapi.FaultLost))
	assert.NoError(t, err, "a read may be redirected")

	for law, body := range map[string]string{
		"a cut answer": `{"metadata":{"na`, "no object": `{"items":[]}`,
	} {
		c := reads(t, widgets, says{201, "application/json", body})
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

// reads returns a client of a collection that a transport answers for.
func reads(t *testing.T, url string, network http.RoundTripper) *client.Client[widget] {
	c, err := client.New[widget](client.Options{
		URL: url, HTTPClient: &http.Client{Transport: network}})
	require.NoError(t, err)
	return c
}

func TestAnAnswerThatIsNoObjectIsAShortError(t *testing.T) {
	const isJSON = "application/json"
	page := strings.Repeat("<html>", 9999)
	for law, c := range map[string]struct {
		answer says
		want   string
	}{
		"another object":    {says{200, isJSON, `[]`}, "cannot read answer: json: cannot unmarshal"},
		"a page of a proxy": {says{502, "text/html", page}, "server says 502: Bad Gateway: a body of"},
		"a sentence":        {says{403, "text/plain", "no\n"}, "server says 403: Forbidden: no"},
		"a long Status": {says{403, isJSON, `{"kind":"Status","reason":"` + strings.Repeat("R", 9000) +
			`","message":"` + strings.Repeat("m", 9000) + `"}`}, "server says 403 RRRR"},
		"as much as the limit": {says{200, isJSON, strings.Repeat(" ", 16<<20)}, "cannot read answer: "},
		"more than the limit":  {says{200, isJSON, strings.Repeat(" ", 16<<20+1)}, "answer is larger than"},
	} {
		t.Run(law, func(t *testing.T) {
			_, err := reads(t, widgets, c.answer).Get(t.Context(), "", "web-1")
			assert.ErrorContains(t, err, "GET "+web1+": ")
			assert.ErrorContains(t, err, c.want)
			assert.Less(t, len(err.Error()), 500)
		})
	}
	t.Run("a password in the URL is not shown", func(t *testing.T) {
		c := reads(t, "http://me:secret@server/w", says{403, "text/plain", "no"})
		_, err := c.Get(t.Context(), "", "a")
		assert.ErrorContains(t, err, "GET http://me:xxxxx@server/w/a: server says 403")
		for _, url := range []string{"http://me:secret@server/w", "http://me:secret@server/%zz",
			"http://me:sec/ret@server/w", "http://me:secret@[server/w", "ftp://me:secret@server/w"} {
			_, err := client.New[widget](client.Options{URL: url + "/\x00"})
			assert.ErrorContains(t, err, "server")
			assert.NotContains(t, err.Error(), "sec", url)
		}
		_, err = c.Patch(t.Context(), "", "a", func() {})
		assert.EqualError(t, err, "PATCH http://server/w/a: json: unsupported type: func()")
	})
}

func TestTheCodesOfASuccess(t *testing.T) {
	for code, want := range map[int]bool{199: false, 200: true, 201: true, 202: true, 203: false} {
		answer := says{code, "application/json", `{"metadata":{"name":"web-1"}}`}
		_, err := reads(t, widgets, answer).Get(t.Context(), "", "web-1")
		assert.Equal(t, want, err == nil, code)
	}
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
		_, err := reads(t, widgets, body).Get(t.Context(), "", "web-1")
		assert.Error(t, err)
		assert.Less(t, body.read, most, "bytes of a response %d", code)
	}
}

func TestResourcePath(t *testing.T) {
	for want, r := range map[string]client.Resource{
		"/api/v1/pods":                 {Version: "v1", Resource: "pods"},
		"/api/v1/namespaces/shop/pods": {Version: "v1", Resource: "pods", Namespace: "shop"},
		"/apis/apps/v1/deployments":    {Group: "apps", Version: "v1", Resource: "deployments"},
		"/apis/g%3F/v%2F/namespaces/a%2Fb/c%3F": {
			Group: "g?", Version: "v/", Resource: "c?", Namespace: "a/b"},
	} {
		assert.Equal(t, want, r.Path())
	}
}
