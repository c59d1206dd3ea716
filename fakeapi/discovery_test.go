package fakeapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const acceptDiscovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

func TestDiscoveryIsNegotiated(t *testing.T) {
	beta := strings.Replace(acceptDiscovery, "v2", "v2beta1", 1)
	for _, c := range []struct {
		promise, accept string
		isRoot          bool
		want            string
	}{
		{"no header is the plain document", "", true, "plain"},
		{"JSON is the plain document", "application/json", true, "plain"},
		{"everything at once", acceptDiscovery, true, "v2"},
		{"kubectl's header", acceptDiscovery + "," + beta + ",application/json", true, "v2"},
		{"the older version", beta + ",application/json", true, "v2beta1"},
		{"a version that does not exist falls back",
			strings.Replace(acceptDiscovery, "v2", "v3", 1) + ",application/json", true, "plain"},
		{"quality first", acceptDiscovery + ";q=0.1,application/json", true, "plain"},
		{"below the roots there is the plain document only",
			acceptDiscovery + ",application/json", false, "plain"},
		{"and 406 for who wants nothing else", acceptDiscovery, false, "406"},
		{"protobuf is not offered", acceptProtobuf, true, "406"},
		{"a table is no discovery", acceptTable, true, "406"},
	} {
		version, ok := negotiateDiscovery(c.accept, c.isRoot)
		got := version
		switch {
		case !ok:
			got = "406"
		case version == "":
			got = "plain"
		}
		assert.Equal(t, c.want, got, c.promise)
	}
}

func TestDiscoveryDocuments(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, c := range []struct {
			path string
			code int
			want string // the beginning
		}{
			{"/api", 200, `{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{`},
			{"/apis", 200, `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apps","versions":` +
				`[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1",` +
				`"version":"v1"}},{`},
			{"/apis/workshop.example.dev", 200, `{"kind":"APIGroup","apiVersion":"v1",` +
				`"name":"workshop.example.dev","versions":[{"groupVersion":"workshop.example.dev/v1",` +
				`"version":"v1"}],"preferredVersion":{`},
			{"/apis/workshop.example.dev/v1", 200, `{"kind":"APIResourceList","apiVersion":"v1",` +
				`"groupVersion":"workshop.example.dev/v1","resources":[{"name":"widgets",` +
				`"singularName":"widget","namespaced":true,"kind":"Widget","verbs":["delete",` +
				`"deletecollection","get","list","patch","create","update","watch"],"shortNames":["wd"]},` +
				`{"name":"widgets/status","singularName":"","namespaced":true,"kind":"Widget",` +
				`"verbs":["get","patch","update"]}]}`},
			{"/api/v1", 200, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"v1",` +
				`"resources":[{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":` +
				`["create","delete","deletecollection","get","list","patch","update","watch"],` +
				`"shortNames":["po"],"categories":["all"]},`},
			{"/version", 200, "{\n  \"major\": \"1\",\n  \"minor\": \"36\",\n"},
			{"/", 200, "{\n  \"paths\": [\n    \"/api\",\n    \"/api/v1\",\n    \"/apis\",\n"},
			{"/nope", 404, "{\n  \"paths\": [\n"},
			{"/api/v9", 404, "{\n  \"paths\": [\n"},
			{"/livez/nope", 404, "{\n  \"paths\": [\n"},
			{"/openapi", 404, "{\n  \"paths\": [\n"},
			{"/openapi/v3/apis/nope/v1", 404, "{\n  \"paths\": [\n"},
			{"/apis/nope", 404, "404 page not found\n"},
			{"/apis/apps/v9", 404, "404 page not found\n"},
		} {
			resp, body := send(t, s, "GET", c.path, "")
			assert.Equal(t, c.code, resp.StatusCode, c.path)
			assert.True(t, strings.HasPrefix(body, c.want), "%s: %s", c.path, body)
		}
	})
}

func TestEveryPathThatIsListedIsThere(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		_, body := send(t, s, "GET", "/", "")
		var doc struct{ Paths []string }
		require.NoError(t, json.Unmarshal([]byte(body), &doc))
		assert.True(t, slices.IsSorted(doc.Paths))
		assert.Contains(t, doc.Paths, "/apis/workshop.example.dev/v1")
		for _, path := range doc.Paths {
			resp, _ := send(t, s, "GET", path, "")
			assert.Equal(t, http.StatusOK, resp.StatusCode, path)
		}
	})
}

func TestDiscoveryIsForReading(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, path := range []string{"/api", "/apis", "/version", "/api/v1"} {
			resp, body := send(t, s, "POST", path, "")
			assert.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode, path)
			assert.Contains(t, body, `"reason":"MethodNotAllowed"`)
		}
	})
}

func TestAggregatedDiscoveryIsEverythingAtOnce(t *testing.T) {
	resources := append(DefaultResources(), Resource{Group: "workshop.example.dev",
		Version: "v1beta1", Plural: "gadgets", Kind: "Gadget", Cluster: true})
	bubble(t, Options{Resources: resources}, func(t *testing.T, s *Server) {
		resp, core := send(t, s, "GET", "/api", "", "Accept", acceptDiscovery)
		assert.Equal(t, acceptDiscovery, resp.Header.Get("Content-Type"), "clients look at the type")
		assert.Equal(t, "Accept", resp.Header.Get("Vary"), "caches have to know")
		assert.Contains(t, core, `"apiVersion":"apidiscovery.k8s.io/v2"`)
		assert.Contains(t, core, `{"resource":"pods","responseKind":{"group":"","version":"",`+
			`"kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":["create",`)
		assert.NotContains(t, core, "deployments")

		_, groups := send(t, s, "GET", "/apis", "", "Accept", acceptDiscovery)
		assert.NotContains(t, groups, `"pods"`)
		widgets := `"metadata":{"name":"workshop.example.dev","creationTimestamp":null},"versions":[{` +
			`"version":"v1","resources":[{"resource":"widgets","responseKind":{"group":` +
			`"workshop.example.dev","version":"v1","kind":"Widget"},"scope":"Namespaced",` +
			`"singularResource":"widget","verbs":["delete","deletecollection","get","list","patch",` +
			`"create","update","watch"],"shortNames":["wd"],"subresources":[{"subresource":"status",` +
			`"responseKind":{"group":"workshop.example.dev","version":"v1","kind":"Widget"},` +
			`"verbs":["get","patch","update"]}]}],"freshness":"Current"},{"version":"v1beta1",`
		assert.Contains(t, groups, widgets)
		assert.Contains(t, groups, `"scope":"Cluster","singularResource":"gadget"`)

		tag := resp.Header.Get("Etag")
		resp, body := send(t, s, "GET", "/api", "", "Accept", acceptDiscovery, "If-None-Match", tag)
		assert.Equal(t, http.StatusNotModified, resp.StatusCode, "a client that has it")
		assert.Empty(t, body)
	})
}

func TestProbes(t *testing.T) {
	bubble(t, Options{Token: "secret"}, func(t *testing.T, s *Server) {
		for _, c := range []struct{ promise, path, want string }{
			{"healthy", "/healthz", "ok"},
			{"alive", "/livez", "ok"},
			{"ready", "/readyz", "ok"},
			{"one check", "/livez/ping", "ok"},
			{"in detail", "/livez?verbose", "[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n"},
			{"more has to be ready", "/readyz?verbose", "[+]ping ok\n[+]log ok\n[+]etcd ok\n" +
				"[+]informer-sync ok\n[+]shutdown ok\nreadyz check passed\n"},
			{"without one", "/livez?verbose&exclude=etcd", "[+]ping ok\n[+]log ok\nlivez check passed\n"},
			{"without what is not there", "/livez?verbose&exclude=foo", "[+]ping ok\n[+]log ok\n" +
				"[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for \"foo\"\n" +
				"livez check passed\n"},
		} {
			resp, body := send(t, s, "GET", c.path, "")
			assert.Equal(t, http.StatusOK, resp.StatusCode, "%s, and without a token", c.promise)
			assert.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"), c.promise)
			assert.Equal(t, c.want, body, c.promise)
		}
		resp, _ := send(t, s, "GET", "/version", "")
		assert.Equal(t, http.StatusUnauthorized, resp.StatusCode, "all else needs the token")
	})
}
