package object

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

var (
	custom  = resource.New(resource.Resource{Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"})
	builtin = resource.New(resource.Resource{Version: "v1", Plural: "configmaps", Kind: "ConfigMap"})
)

// thing is a body with this metadata.
func thing(metadata string) string {
	return `{"apiVersion":"g.example/v1","kind":"Thing","metadata":` + metadata + `}`
}

func TestBodiesThatAreNoObject(t *testing.T) {
	const unknown = "the object provided is unrecognized (must be of type Thing): "
	const parse = unknown + "couldn't get version/kind; json parse error: "
	for body, want := range map[string]string{
		``:               parse + "unexpected end of JSON input (<empty>)",
		`{"apiVersion":`: parse + `unexpected end of JSON input ({"apiVersion":)`,
		`hello`: parse +
			"invalid character 'h' looking for beginning of value (68656c6c6f)",
		`null`: unknown + "Object 'Kind' is missing in 'null' (6e756c6c)",
		`{}`:   unknown + "Object 'Kind' is missing in '{}' ({})",
		`{"kind":5}`: parse +
			`json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})`,
		`{"kind":"Thing"}`: "the API version in the data () does not match the expected API " +
			"version (g.example/v1)",
		`{"apiVersion":"a/b/c","kind":"Thing"}`: unknown + `unexpected GroupVersion string: a/b/c ` +
			`({"apiVersion":"a/b/c","kind":" ...)`,
		thing(`{}`) + ` trailing`: parse + "invalid character 't' after top-level value " +
			`({"apiVersion":"g.example/v1"," ...)`,
	} {
		_, _, err := Decode(custom, []byte(body), "")
		assertRefused(t, err, body, 400, []string{want})
	}
	_, _, err := Decode(custom, []byte(
		`{"apiVersion":"g.example/v1","kind":"Gadget","metadata":{"name":"a"}}`), "")
	assertRefused(t, err, "another kind", 422, []string{`Invalid value: "Gadget": must be Thing`})
	assert.Equal(t, "Gadget", status.Of(err).Details.Kind, "details name the kind in the body")
}

func TestBuiltinTypesGetKindAndAPIVersion(t *testing.T) {
	for _, body := range []string{`{}`, `{"kind":"ConfigMap"}`, `{"apiVersion":"v1"}`} {
		o, _, err := Decode(builtin, []byte(body), "")
		require.NoError(t, err, body)
		assert.Equal(t, Tree{"kind": "ConfigMap", "apiVersion": "v1", "metadata": Tree{}}, o, body)
	}
	_, _, err := Decode(builtin, []byte(`{"kind":"Pod"}`), "")
	assertRefused(t, err, "another kind", 400, []string{
		`Pod in version "v1" cannot be handled as a ConfigMap: no kind "Pod" is registered for ` +
			`version "v1"`})
	_, _, err = Decode(builtin, []byte(`null`), "")
	assert.Error(t, err, "null is not an object")
}

func TestMetadataOfTheWrongType(t *testing.T) {
	const handled = `Thing in version "v1" cannot be handled as a Thing: `
	for metadata, want := range map[string]string{
		`5`:                       "number into field metadata of type object",
		`{"name":5}`:              "number into field metadata.name of type string",
		`{"generation":"x"}`:      "string into field metadata.generation of type int64",
		`{"generation":1.5}`:      "number into field metadata.generation of type int64",
		`{"labels":[]}`:           "array into field metadata.labels of type object",
		`{"labels":{"a":1}}`:      "number into field metadata.labels of type string",
		`{"finalizers":"x"}`:      "string into field metadata.finalizers of type list",
		`{"finalizers":[true]}`:   "bool into field metadata.finalizers[0] of type string",
		`{"ownerReferences":{}}`:  "object into field metadata.ownerReferences of type list",
		`{"ownerReferences":[5]}`: "number into field metadata.ownerReferences[0] of type object",
		`{"ownerReferences":[{"uid":5}]}`: "number into field " +
			"metadata.ownerReferences[0].uid of type string",
		`{"ownerReferences":[{"controller":"x"}]}`: "string into field " +
			"metadata.ownerReferences[0].controller of type bool",
		`{"creationTimestamp":5}`: "number into field metadata.creationTimestamp of type time",
		`{"name":"a"},"spec":{"n":1e999}`: "number 1e999 into Go value " +
			"of type float64",
	} {
		_, _, err := Decode(custom, []byte(thing(metadata)), "")
		assertRefused(t, err, metadata, 400, []string{handled + "json: cannot unmarshal " + want})
	}
	_, _, err := Decode(custom, []byte(thing(`{"deletionTimestamp":"soon"}`)), "")
	assertRefused(t, err, "a time", 400, []string{handled + `parsing time "soon" as ` +
		`"2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"`})
}

func TestMetadataIsNormalized(t *testing.T) {
	for _, c := range []struct{ law, metadata, want string }{
		{"null metadata is empty", `null`, `{}`},
		{"a null field is removed", `{"name":null,"labels":null}`, `{}`},
		{"null among values is an empty string", `{"labels":{"a":null}}`, `{"labels":{"a":""}}`},
		{"null among strings is an empty one", `{"finalizers":[null]}`, `{"finalizers":[""]}`},
		{"null among objects is an empty one", `{"ownerReferences":[null]}`,
			`{"ownerReferences":[{}]}`},
		{"an unknown field is dropped", `{"name":"a","colour":"red","Name":"b"}`, `{"name":"a"}`},
		{"an unknown field in a list element is dropped", `{"ownerReferences":[{"uid":"u","x":1}]}`,
			`{"ownerReferences":[{"uid":"u"}]}`},
		{"fieldsV1 may be any object", `{"managedFields":[{"fieldsV1":{"f:x":{}}}]}`,
			`{"managedFields":[{"fieldsV1":{"f:x":{}}}]}`},
	} {
		o, _, err := Decode(custom, []byte(thing(c.metadata)), "")
		require.NoError(t, err, c.law)
		assert.JSONEq(t, c.want, jsonOf(t, o["metadata"]), c.law)
	}
}

func TestFlawsAreWarnedOfOrRefused(t *testing.T) {
	body := []byte(`{"kind":"Thing","kind":"Thing","apiVersion":"g.example/v1",` +
		`"metadata":{"zz":1,"name":"a","aa":1,"ownerReferences":[{},{"x":1}]},` +
		`"spec":{"a":[{"x":1,"x":2,"x":3}],"a.b":{"q":1,"q":2},"big":12345678901234567890123},"spec":{}}`)
	flaws := []string{`duplicate field "kind"`, `duplicate field "spec.a[0].x"`,
		`duplicate field "spec.a.b.q"`, `duplicate field "spec"`, `unknown field "metadata.aa"`,
		`unknown field "metadata.ownerReferences[1].x"`, `unknown field "metadata.zz"`}
	for _, s := range []Strictness{"", StrictWarn} {
		o, got, err := Decode(custom, body, s)
		require.NoError(t, err)
		assert.Equal(t, flaws, got, "%q: each is reported once", s)
		assert.Equal(t, Tree{}, o["spec"], "the last of two fields counts")
	}
	_, got, err := Decode(custom, body, StrictIgnore)
	require.NoError(t, err)
	assert.Empty(t, got, "Ignore reports no flaws")
	_, _, err = Decode(custom, body, StrictFail)
	assertRefused(t, err, "Strict refuses flaws", 400, []string{
		`Thing in version "v1" cannot be ` +
			`handled as a Thing: strict decoding error: ` + strings.Join(flaws, ", ")})
	_, _, err = Decode(custom, []byte(thing(`{"name":"a"}`)), StrictFail)
	assert.NoError(t, err, "Strict accepts a body without flaws")
}

func TestNumbersKeepTheirValue(t *testing.T) {
	for in, want := range map[string]string{"1": "1", "1.0": "1", "1e3": "1000", "-0.0": "0",
		"9007199254740993": "9007199254740993", "9223372036854775807": "9223372036854775807",
		"9223372036854775808": "9223372036854776000", // too large for int64
		"1.5":                 "1.5",
		"1e21":                "1e+21"} {
		assert.Equal(t, want, jsonOf(t, valueOf(t, in)), in)
	}
}

func TestAnUnknownFieldIsNamedByTheBeginningOfItsPath(t *testing.T) {
	flaws := UnknownFields([]string{"metadata." + strings.Repeat("x", 1<<20), "metadata.y"})
	assert.Len(t, flaws[0], len(`unknown field ""`)+maxFlaw)
	assert.Equal(t, `unknown field "metadata.y"`, flaws[1])
	assert.Len(t, UnknownFields(make([]string, 10*maxFlaws)), maxFlaws)
}
