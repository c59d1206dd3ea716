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

// assertRefused checks that the message of a refusal ends like this.
func assertRefused(t *testing.T, err error, code int, law, ends string) {
	t.Helper()
	s := status.Of(err)
	assert.Equal(t, code, s.Code, "%s: %v", law, err)
	assert.Contains(t, s.Message, ends, law)
}

func TestBodiesThatAreRefused(t *testing.T) {
	const meta = `{"metadata":`
	for _, c := range []struct {
		law  string
		typ  *resource.Type
		body string
		code int
		ends string
	}{
		{"a body is JSON", custom, `hello`, 400, "json parse error: invalid character 'h' looking for " +
			"beginning of value"},
		{"a body is complete", custom, `{"apiVersion":`, 400, "unexpected end of JSON input"},
		{"a body is not empty", custom, ``, 400, "unexpected end of JSON input"},
		{"a body is one object", custom, thing(`{}`) + `x`, 400, "invalid character after top-level value"},
		{"a body is an object", builtin, `[]`, 400, "cannot unmarshal array into an object"},
		{"numbers are finite", custom, `{"n":1e999}`, 400, "cannot unmarshal number 1e999"},
		{"null has no kind", custom, `null`, 400, "Object 'Kind' is missing in 'null'"},
		{"a kind is text", custom, `{"kind":5}`, 400, "number into field kind of type string"},
		{"a kind is written kind", custom, `{"KIND":"Thing","apiVersion":"g.example/v1"}`, 400,
			"Object 'Kind' is missing"},
		{"an apiVersion is needed", custom, `{"kind":"Thing","APIVERSION":"g.example/v1"}`, 400,
			"the API version in the data () does not match the expected API version (g.example/v1)"},
		{"an apiVersion has one slash", custom, `{"kind":"Thing","apiVersion":"a/b/c"}`, 400,
			"unexpected GroupVersion string: a/b/c"},
		{"a custom resource is of its kind", custom, `{"kind":"Gadget","apiVersion":"g.example/v1"}`, 422,
			`kind: Invalid value: "Gadget": must be Thing`},
		{"a built-in type is of its kind", builtin, `{"kind":"Pod"}`, 400,
			`Pod in version "v1" cannot be handled as a ConfigMap: no kind "Pod" is registered`},
		{"metadata is an object", builtin, meta + `5}`, 400, "number into field metadata of type object"},
		{"a name is text", builtin, meta + `{"name":5}}`, 400, "field metadata.name of type string"},
		{"a generation is whole", builtin, meta + `{"generation":1.5}}`, 400, "of type int64"},
		{"labels are texts", builtin, meta + `{"labels":{"a":1}}}`, 400,
			"number into field metadata.labels of type string"},
		{"finalizers are a list", builtin, meta + `{"finalizers":"x"}}`, 400, "of type list"},
		{"finalizers are texts", builtin, meta + `{"finalizers":[true]}}`, 400,
			"bool into field metadata.finalizers[0] of type string"},
		{"owners are objects", builtin, meta + `{"ownerReferences":[{"controller":"x"}]}}`, 400,
			"string into field metadata.ownerReferences[0].controller of type bool"},
		{"a time is RFC 3339", builtin, meta + `{"deletionTimestamp":"soon"}}`, 400,
			`cannot parse "soon" as "2006"`},
	} {
		_, _, err := Decode(c.typ, []byte(c.body), "")
		assertRefused(t, err, c.code, c.law, c.ends)
	}
	_, _, err := Decode(custom, []byte(`{"kind":"Gadget","apiVersion":"g.example/v1"}`), "")
	assert.Equal(t, "Gadget", status.Of(err).Details.Kind, "details name the kind in the body")
}

// One such object in a list, and a typed client cannot decode the list any more.
func TestABuiltinObjectThatTypedClientsCannotDecodeIsRefused(t *testing.T) {
	for _, c := range []struct{ plural, group, good, bad string }{
		{"pods", "", `{"spec":{},"other":5}`, `{"spec":"x"}`},
		{"pods", "", `{"spec":{"containers":[{"name":"a"},null]}}`, `{"spec":{"containers":{}}}`},
		{"pods", "", `{"status":{"startTime":null}}`, `{"status":{"startTime":"soon"}}`},
		{"pods", "", `{"spec":{"priority":2147483647}}`, `{"spec":{"priority":2147483648}}`},
		{"pods", "", `{"spec":{"containers":[{"resources":{"limits":{"cpu":0.5,"a":1,"b":"1Gi","c":null}}}]}}`,
			`{"spec":{"containers":[{"resources":{"limits":{"cpu":"much"}}}]}}`},
		{"pods", "", `{"spec":{"nodeSelector":{"a":"b","c":null}}}`, `{"spec":{"nodeSelector":{"a":true}}}`},
		{"secrets", "", `{"data":{"a":"eA=="}}`, `{"data":{"a":"x"}}`},
		{"services", "", `{"spec":{"ports":[{"targetPort":"http"},{"targetPort":80}]}}`,
			`{"spec":{"ports":[{"targetPort":1.5}]}}`},
		{"deployments", "apps", `{"spec":{"template":{"metadata":{"labels":{}}}}}`,
			`{"spec":{"template":{"metadata":{"labels":[]}}}}`},
		{"leases", "coordination.k8s.io", `{"spec":{"renewTime":"2000-01-01T00:00:00.000000Z"}}`,
			`{"spec":{"renewTime":"2000-01-01T00:00:00Z"}}`},
		{"events", "events.k8s.io", `{"note":"x"}`, `{"note":{}}`},
	} {
		typ := resource.New(resource.Resource{Group: c.group, Version: "v1", Plural: c.plural, Kind: "K"})
		_, _, err := Decode(typ, []byte(c.good), StrictFail)
		assert.NoError(t, err, c.good)
		_, _, err = Decode(typ, []byte(c.bad), "")
		assertRefused(t, err, 400, c.bad, `K in version "v1" cannot be handled as a K: `)
		typ.Defined = true
		_, err = Fit(typ, valueOf(t, c.bad).(Tree), "", nil)
		assert.NoError(t, err, "a defined type has no such fields: %s", c.bad)
	}
}

func TestBodiesAreNormalized(t *testing.T) {
	const typed = `"kind":"ConfigMap","apiVersion":"v1",`
	for _, c := range []struct{ law, body, want string }{
		{"a built-in type gets its kind and apiVersion", `{}`, `{` + typed + `"metadata":{}}`},
		{"null is an empty object", `null`, `{` + typed + `"metadata":{}}`},
		{"a null field is removed", `{"metadata":{"name":null,"labels":null}}`,
			`{` + typed + `"metadata":{}}`},
		{"null among values is an empty string", `{"metadata":{"labels":{"a":null}},"data":{"b":null}}`,
			`{` + typed + `"metadata":{"labels":{"a":""}},"data":{"b":""}}`},
		{"null in a list is an empty element", `{"metadata":{"finalizers":[null],"ownerReferences":[null]}}`,
			`{` + typed + `"metadata":{"finalizers":[""],"ownerReferences":[{}]}}`},
		{"unknown fields are dropped, and letter case counts",
			`{"metadata":{"name":"a","Name":"b","ownerReferences":[{"uid":"u","UID":"v"}]}}`,
			`{` + typed + `"metadata":{"name":"a","ownerReferences":[{"uid":"u"}]}}`},
		{"fieldsV1 may be anything", `{"metadata":{"managedFields":[{"fieldsV1":{"f:x":{}}}]}}`,
			`{` + typed + `"metadata":{"managedFields":[{"fieldsV1":{"f:x":{}}}]}}`},
		{"other fields stay, also null", `{"metadatA":{"name":"b"},"x":null}`,
			`{` + typed + `"metadata":{},"metadatA":{"name":"b"},"x":null}`},
		{"whole numbers keep their digits", `{"x":[1.0,1e3,-0.0,9007199254740993,9223372036854775807,1.5]}`,
			`{` + typed + `"metadata":{},"x":[1,1000,0,9007199254740993,9223372036854775807,1.5]}`},
	} {
		o, _, err := Decode(builtin, []byte(c.body), "")
		require.NoError(t, err, c.law)
		assert.Equal(t, string(JSON(valueOf(t, c.want))), string(JSON(o)), c.law)
	}
}

func TestFlawsAreWarnedOfOrRefused(t *testing.T) {
	body := []byte(`{"kind":"Thing","kind":"Thing","apiVersion":"g.example/v1",` +
		`"metadata":{"zz":1,"name":"a","aa":1,"ownerReferences":[{},{"x":1}]},` +
		`"spec":{"a":[{"x":1,"x":2,"x":3}],"a.b":{"q":1,"q":2},"big":12345678901234567890123},"spec":{}}`)
	flaws := []string{`duplicate field "kind"`, `duplicate field "spec.a[0].x"`,
		`duplicate field "spec.a.b.q"`, `duplicate field "spec"`, `unknown field "metadata.aa"`,
		`unknown field "metadata.ownerReferences[1].x"`, `unknown field "metadata.zz"`}
	for s, want := range map[Strictness][]string{"": flaws, StrictWarn: flaws, StrictIgnore: nil} {
		o, got, err := Decode(custom, body, s)
		require.NoError(t, err)
		assert.Equal(t, want, got, "%q: each is reported once", s)
		assert.Equal(t, Tree{}, o["spec"], "the last of two fields counts")
	}
	_, _, err := Decode(custom, body, StrictFail)
	assertRefused(t, err, 400, "Strict refuses flaws", "strict decoding error: "+strings.Join(flaws, ", "))
	_, _, err = Decode(custom, []byte(thing(`{"name":"a"}`)), StrictFail)
	assert.NoError(t, err, "Strict accepts a body without flaws")
}

func TestAnUnknownFieldIsNamedByTheBeginningOfItsPath(t *testing.T) {
	flaws := UnknownFields([]string{"metadata." + strings.Repeat("x", 1<<20), "metadata.y"})
	assert.Len(t, flaws[0], len(`unknown field ""`)+maxFlaw)
	assert.Equal(t, `unknown field "metadata.y"`, flaws[1])
	assert.Len(t, UnknownFields(make([]string, 10*maxFlaws)), maxFlaws)
}
