package fakeapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/wire"
)

const acceptProtobuf = "application/vnd.kubernetes.protobuf"

func accepting(accept string) *http.Request {
	return &http.Request{Header: http.Header{"Accept": {accept}}}
}

func TestAcceptIsNegotiated(t *testing.T) {
	for _, c := range []struct{ promise, accept, want string }{
		{"no header is JSON", "", ""},
		{"parameters that mean nothing are ignored", "application/json;charset=utf-8;stream=watch", ""},
		{"another stream is not offered", "application/json;stream=foo", "406"},
		{"protobuf falls back to the JSON after it", acceptProtobuf + ",application/json", ""},
		{"browsers get JSON", "text/html, */*;q=0.1", ""},
		{"a metadata client gets JSON metadata for protobuf metadata",
			acceptProtobuf + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io," +
				strings.Replace(acceptTable, "Table", "PartialObjectMetadata", 1) + ",application/json",
			"PartialObjectMetadata v1"},
		{"kubectl's header", acceptTable + ",application/json;as=Table;v=v1beta1;g=meta.k8s.io," +
			"application/json", "Table v1"},
		{"spaces, case and quotes do not matter", ` application/JSON ; AS="Table" ; v=v1 ; g=meta.k8s.io `,
			"Table v1"},
		{"a form of another version is not offered", "application/json;as=Table;v=v2;g=meta.k8s.io", "406"},
		{"a form of another group is not offered", "application/json;as=Table;v=v1;g=apps", "406"},
		{"two equal parameters are no media type", "application/json;as=Foo;as=Table;v=v1", "406"},
		{"an unknown form falls back", "application/json;as=Foo;v=v1;g=meta.k8s.io,*/*", ""},
		{"the first of equals", acceptTable + ",application/json", "Table v1"},
		{"quality first", "application/json;q=0.1," + acceptTable + ";q=0.9", "Table v1"},
		{"a named type before a wildcard", "*/*," + acceptTable, "Table v1"},
		{"but not against the quality", acceptTable + ";q=0.1,*/*;q=0.9", ""},
		{"quality 0 is last, but not excluded", "application/json;q=0", ""},
		{"a malformed quality is last", "application/json;q=abc," + acceptTable, "Table v1"},
		{"JSON in the first KiB", strings.Repeat("a/b,", 250) + "application/json", ""},
		{"JSON after the first KiB", strings.Repeat("a/b,", 256) + "application/json", "406"},
	} {
		f, ok := wire.Negotiate(accepting(c.accept))
		got := "406"
		if ok {
			got = strings.TrimSpace(f.As + " " + f.Version)
		}
		assert.Equal(t, c.want, got, "%s: Accept: %s", c.promise, c.accept)
	}
}

// FuzzNegotiate checks that only a client that does not take JSON gets 406, that all forms have a
// version, and that a header of any length costs the same.
func FuzzNegotiate(f *testing.F) {
	for _, seed := range []string{"", "*/*", acceptTable, "a/b;q=0.5,*;q=x", ";;;,,,===",
		strings.Repeat("a/b;c=d,", 64_000), strings.Repeat(",", 500_000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		r, before := accepting(accept), allocated()
		got, ok := wire.Negotiate(r)
		assert.Less(t, allocated()-before, uint64(128<<10))
		if !ok {
			assert.False(t, wire.TakesPlainJSON(r))
		}
		assert.Equal(t, got.As == "", got.Version == "")
		if accept != "" && len(accept) < 512 {
			_, ok = wire.Negotiate(accepting(accept + ",application/json"))
			assert.True(t, ok, "JSON as a last resort")
		}
	})
}
