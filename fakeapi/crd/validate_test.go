package crd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// levers returns a definition with other fields of metadata and spec, in which VERSION is the definition's
// only version without its closing brace.
func levers(t *testing.T, change string) object.Tree {
	t.Helper()
	const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":` +
		`{"type":"object"}}`
	decode := func(text string) object.Tree {
		tree, err := object.DecodeTree([]byte(strings.ReplaceAll(text, "VERSION", version)))
		require.NoError(t, err, text)
		return tree
	}
	tree := decode(`{"metadata":{"name":"levers.example.dev"},"spec":{"group":"example.dev",
		"scope":"Namespaced","names":{"plural":"levers","kind":"Lever","singular":"lever",
		"listKind":"LeverList"},"versions":[VERSION}]}}`)
	var merge func(into, from object.Tree)
	merge = func(into, from object.Tree) {
		for key, v := range from {
			if o, ok := v.(object.Tree); ok {
				merge(object.Within(into, key), o)
			} else {
				into[key] = v
			}
		}
	}
	merge(tree, decode(change))
	return tree
}

// The messages are those of a real server.
func TestADefinitionIsValidated(t *testing.T) {
	many := func(n int) string { return "[" + strings.Repeat("{},", n-1) + "{}]" }
	texts := "[" + strings.Repeat(`"x",`, 100) + `"x"]`
	const first, types = "spec.versions[0].", "must be one of boolean,date,integer,number,string"
	for _, c := range []struct{ law, change, want string }{
		{"the name is plural and group", `{"metadata":{"name":"x.example.dev"}}`,
			`metadata.name: Invalid value: "x.example.dev": must be spec.names.plural+"."+spec.group`},
		{"a group is needed", `{"spec":{"group":null}}`, "spec.group: Required value"},
		{"a group has a dot", `{"spec":{"group":"foo"}}`,
			`spec.group: Invalid value: "foo": should be a domain with at least one dot`},
		{"a group is a domain name", `{"spec":{"group":"Foo.dev"}}`, `"Foo.dev": a lowercase`},
		{"a group of the Kubernetes project needs an approval", `{"spec":{"group":"foo.k8s.io"}}`,
			`metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have`},
		{"a scope is needed", `{"spec":{"scope":null}}`, "spec.scope: Required value"},
		{"a scope is Cluster or Namespaced", `{"spec":{"scope":"Foo"}}`,
			`spec.scope: Unsupported value: "Foo": supported values: "Cluster", "Namespaced"`},
		{"one version is for storage", `{"spec":{"versions":[]}}`,
			"must have exactly one version marked as storage version"},
		{"only one version is for storage", `{"spec":{"versions":[VERSION},VERSION,"name":"v2"}]}}`,
			`spec.versions: Invalid value: ["v1","v2"]: must have exactly one version marked`},
		{"version names are unique", `{"spec":{"versions":[VERSION},VERSION}]}}`,
			"must contain unique version names"},
		{"a version name is a DNS label", `{"spec":{"versions":[VERSION,"name":"V_1"}]}}`,
			first + `name: Invalid value: "V_1": a DNS-1035 label must consist`},
		{"a version name does not begin with a digit", `{"spec":{"versions":[VERSION,"name":"1v"}]}}`,
			first + `name: Invalid value: "1v"`},
		{"each version has a schema", `{"spec":{"versions":[{"name":"v1"}]}}`,
			first + "schema.openAPIV3Schema: Required value"},
		{"a schema describes an object",
			`{"spec":{"versions":[VERSION,"schema":{"openAPIV3Schema":{"type":"string"}}}]}}`,
			first + `schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root`},
		{"a schema names its type", `{"spec":{"versions":[VERSION,"schema":{"openAPIV3Schema":{}}}]}}`,
			first + "schema.openAPIV3Schema.type: Required value: must not be empty at the root"},
		{"names are needed", `{"spec":{"names":null}}`, "spec.names.plural: Required value, " +
			"spec.names.singular: Required value, spec.names.kind: Required value, " +
			"spec.names.listKind: Required value"},
		{"a plural is in lower case", `{"spec":{"names":{"plural":"Levers"}}}`,
			`spec.names.plural: Invalid value: "Levers"`},
		{"kind and listKind differ", `{"spec":{"names":{"listKind":"Lever"}}}`,
			`spec.names.listKind: Invalid value: "Lever": kind and listKind may not be the same`},
		{"a listKind has no blanks", `{"spec":{"names":{"listKind":"a b"}}}`,
			`"a b": may have mixed case, but should otherwise match: a DNS-1035 label`},
		{"short names are DNS labels", `{"spec":{"names":{"shortNames":["ok","AB"]}}}`,
			`spec.names.shortNames[1]: Invalid value: "AB"`},
		{"categories are DNS labels", `{"spec":{"names":{"categories":["A B"]}}}`,
			`spec.names.categories[0]: Invalid`},
		{"columns have a name, a type and a path", `{"spec":{"versions":[VERSION,` +
			`"additionalPrinterColumns":[{"type":"foo","jsonPath":"spec.x"},{"name":"a"}]}]}}`,
			first + "additionalPrinterColumns[0].name: Required value, " + first +
				`additionalPrinterColumns[0].type: Invalid value: "foo": ` + types + `, ` + first +
				`additionalPrinterColumns[0].JSONPath: Invalid value: "spec.x": must be a simple json path ` +
				"starting with ., " + first + "additionalPrinterColumns[1].type: Required value: " + types +
				", " + first + "additionalPrinterColumns[1].JSONPath: Required value"},
		{"scale needs its paths", `{"spec":{"versions":[VERSION,"subresources":{"scale":{}}}]}}`,
			first + "subresources.scale.specReplicasPath: Required value, " + first +
				"subresources.scale.statusReplicasPath: Required value"},
		{"scale's paths are below spec and status", `{"spec":{"versions":[VERSION,"subresources":{"scale":` +
			`{"specReplicasPath":"n","statusReplicasPath":".spec.n","labelSelectorPath":"n"}}}]}}`,
			`specReplicasPath: Invalid value: "n": must be a simple json path starting with ., ` + first +
				`subresources.scale.statusReplicasPath: Invalid value: ".spec.n": should be a json path ` +
				`under .status, ` + first + `subresources.scale.labelSelectorPath: Invalid value: "n": must`},
		{"a selectable field has a path", `{"spec":{"versions":[VERSION,"selectableFields":[{"jsonPath":"x"}]}]}}`,
			first + `selectableFields[0].jsonPath: Invalid value: "x": is an invalid path: expected [ or . but got: x`},
		{"there are at most 8 selectable fields",
			`{"spec":{"versions":[VERSION,"selectableFields":` + many(9) + `}]}}`,
			first + "selectableFields: Too many: 9: must have at most 8 items"},
		{"there are at most 100 columns",
			`{"spec":{"versions":[VERSION,"additionalPrinterColumns":` + many(101) + `}]}}`,
			first + "additionalPrinterColumns: Too many: 101: must have at most 100 items"},
		{"there are at most 100 versions", `{"spec":{"versions":` + many(101) + `}}`,
			"spec.versions: Too many: 101: must have at most 100 items"},
		{"there are at most 100 short names", `{"spec":{"names":{"shortNames":` + texts + `}}}`,
			"spec.names.shortNames: Too many: 101: must have at most 100 items"},
		{"preserveUnknownFields cannot be set", `{"spec":{"preserveUnknownFields":true}}`,
			"spec.preserveUnknownFields: Invalid value: true: cannot set to true"},
		{"a conversion strategy is None or Webhook", `{"spec":{"conversion":{"strategy":"Foo"}}}`,
			`spec.conversion.strategy: Unsupported value: "Foo": supported values: "None", "Webhook"`},
	} {
		var errs status.FieldErrors
		require.NoError(t, Validate(&errs, nil, levers(t, c.change)), c.law)
		assert.Contains(t, status.Invalid(status.About{}, errs).Message, c.want, c.law)
	}
	var errs status.FieldErrors
	require.NoError(t, Validate(&errs, nil, levers(t, `{"spec":{"versions":[VERSION,`+
		`"additionalPrinterColumns":[{"name":"a","type":"string","jsonPath":".a[0:2]..b[?(@.c>3)]["}]}]}}`)))
	assert.Empty(t, errs, "any path that begins with a dot is accepted")
	require.NoError(t, Validate(&errs, levers(t, `{}`), levers(t, `{"spec":{"scope":"Cluster"}}`)))
	assert.ErrorContains(t, status.Invalid(status.About{}, errs), "field is immutable")
}

func TestADefinitionIsDecodedExactly(t *testing.T) {
	for change, want := range map[string]string{
		`{"spec":{"versions":"x"}}`:                            "string into field spec.versions of type list",
		`{"spec":[]}`:                                          "array into field spec of type object",
		`{"spec":{"versions":[{"served":"x"}]}}`:               "string into field spec.versions[0].served of type bool",
		`{"spec":{"group":5}}`:                                 "number into field spec.group of type string",
		`{"spec":{"versions":[{"subresources":{"scale":5}}]}}`: "subresources.scale of type object",
	} {
		var errs status.FieldErrors
		err := Validate(&errs, nil, levers(t, change))
		assert.Equal(t, 400, status.Of(err).Code, change)
		assert.ErrorContains(t, err, want, change)
	}
	d, err := Read(levers(t, `{"spec":{"GROUP":"x.dev","names":{"Kind":"X"},"x":5}}`))
	require.NoError(t, err)
	assert.Equal(t, "example.dev Lever", d.Group+" "+d.Names.Kind, "letter case counts")
	assert.Empty(t, StatusOf(object.Tree{"status": object.Tree{"conditions": "x"}}),
		"a status of the wrong type is none")
}
