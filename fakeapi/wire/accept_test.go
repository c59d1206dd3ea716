package wire

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

func TestAcceptIsNegotiated(t *testing.T) {
	for _, c := range []struct{ promise, accept, want string }{
		{"no header is JSON", "", ""},
		{"JSON is JSON", "application/json", ""},
		{"anything is JSON", "*/*", ""},
		{"any application is JSON", "application/*", ""},
		{"parameters that mean nothing are ignored", "application/json;charset=utf-8;x=y", ""},
		{"a trailing semicolon is ignored", "application/json;", ""},
		{"empty parts are ignored", ",,application/json", ""},
		{"an empty as is no media type", "application/json;as=", "406"},
		{"stream=watch is ignored", "application/json;stream=watch", ""},

		{"text is not offered", "text/html", "406"},
		{"YAML is not offered", "application/yaml", "406"},
		{"protobuf is not offered", acceptProtobuf, "406"},
		{"CBOR is not offered", "application/cbor", "406"},
		{"a list of empty parts accepts nothing", ",", "406"},
		{"a type without a subtype is no media type", "application", "406"},
		{"three parts are no media type", "application/json/x", "406"},
		{"types are compared without case", "APPLICATION/JSON", ""},
		{"another stream is not offered", "application/json;stream=foo", "406"},

		{"protobuf falls back to the JSON after it", acceptProtobuf + ",application/json", ""},
		{"CBOR falls back to JSON of lower quality",
			"application/cbor,application/json;q=0.5", ""},
		{"browsers get JSON", "text/html, */*;q=0.1", ""},
		{"a metadata client gets JSON metadata for protobuf metadata",
			strings.Replace(acceptMetadata, "json", "vnd.kubernetes.protobuf", 1) + "," +
				acceptMetadata + ",application/json", "PartialObjectMetadata v1"},

		{"a table", acceptTable, "Table v1"},
		{"an old table", "application/json;as=Table;v=v1beta1;g=meta.k8s.io", "Table v1beta1"},
		{"kubectl's header", acceptTable + ",application/json;as=Table;v=v1beta1;g=meta.k8s.io," +
			"application/json", "Table v1"},
		{"a table of any type", "*/*;as=Table;v=v1;g=meta.k8s.io", "Table v1"},
		{"metadata", acceptMetadata, "PartialObjectMetadata v1"},
		{"a list of metadata", acceptMetaList, "PartialObjectMetadataList v1"},
		{"spaces do not matter", " application/json ; as=Table ; v=v1 ; g=meta.k8s.io ", "Table v1"},
		{"values may be quoted", `application/json;as="Table";v=v1;g=meta.k8s.io`, "Table v1"},
		{"names of parameters are compared without case",
			"application/json;AS=Table;V=v1;G=meta.k8s.io", "Table v1"},
		{"a form of an unknown version is not offered",
			"application/json;as=Table;v=v2;g=meta.k8s.io", "406"},
		{"a form of another group is not offered", "application/json;as=Table;v=v1;g=apps", "406"},
		{"a form needs its group", "application/json;as=Table;v=v1", "406"},
		{"a form needs its version", "application/json;as=Table;g=meta.k8s.io", "406"},
		{"two equal parameters are no media type",
			"application/json;as=Foo;as=Table;v=v1;g=meta.k8s.io", "406"},
		{"an unknown form is not offered", "application/json;as=Foo;v=v1;g=meta.k8s.io", "406"},
		{"a version without a form is not offered", "application/json;v=v1", "406"},
		{"an unknown form falls back", "application/json;as=Foo;v=v1;g=meta.k8s.io,*/*", ""},

		{"the first of equals", "application/json," + acceptTable, ""},
		{"the first of equals, the other way round", acceptTable + ",application/json", "Table v1"},
		{"quality first", "application/json;q=0.1," + acceptTable + ";q=0.9", "Table v1"},
		{"quality first, the other way round", acceptTable + ";q=0.1,application/json;q=0.9", ""},
		{"no quality is 1", "application/json;q=0.9," + acceptTable, "Table v1"},
		{"a named type before a wildcard", "*/*," + acceptTable, "Table v1"},
		{"but not against the quality", acceptTable + ";q=0.1,*/*;q=0.9", ""},
		{"quality 0 is last, but not excluded", "application/json;q=0", ""},
		{"a malformed quality is last", "application/json;q=abc," + acceptTable, "Table v1"},
		{"the quality NaN is last", "application/json;q=NaN," + acceptTable, "Table v1"},
	} {
		f, ok := negotiate(c.accept)
		got := "406"
		if ok {
			got = strings.TrimSpace(f.As + " " + f.Version)
		}
		assert.Equal(t, c.want, got, "%s: Accept: %s", c.promise, c.accept)
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
			assert.Equal(t, Accepted{}, got)
		} else {
			assert.Equal(t, got.As == "", got.Version == "", "all forms have a version")
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
