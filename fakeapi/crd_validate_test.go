package fakeapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// The expected messages are those of the real server.
func TestADefinitionIsValidated(t *testing.T) {
	version := func(i int, change func(v object.Tree)) func(object.Tree) {
		return func(d object.Tree) { change(object.ListAt(d, ".spec.versions")[i].(object.Tree)) }
	}
	set := func(path string, v any) func(object.Tree) { return func(d object.Tree) { object.SetAt(d, path, v) } }
	unset := func(field string) func(object.Tree) {
		return func(d object.Tree) { delete(d["spec"].(object.Tree), field) }
	}
	const first = "spec.versions[0]."
	for _, c := range []struct {
		law    string
		change func(object.Tree)
		want   []string // parts of the message
	}{
		{"the name is plural and group", set(".metadata.name", "x.example.dev"),
			[]string{`metadata.name: Invalid value: "x.example.dev": must be spec.names.plural+"."+spec.group`}},
		{"a group is needed", unset("group"), []string{"[metadata.name: ", "spec.group: Required value"}},
		{"a group has a dot", set(".spec.group", "foo"),
			[]string{`spec.group: Invalid value: "foo": should be a domain with at least one dot`}},
		{"a group is a domain name", set(".spec.group", "Foo.dev"),
			[]string{`spec.group: Invalid value: "Foo.dev": a lowercase`}},
		{"a group of the Kubernetes project needs an approval",
			set(".spec.group", "foo.k8s.io"), []string{
				`metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have`}},
		{"a scope is needed", unset("scope"), []string{"spec.scope: Required value"}},
		{"a scope is Cluster or Namespaced", set(".spec.scope", "Foo"),
			[]string{`spec.scope: Unsupported value: "Foo": supported values: "Cluster", "Namespaced"`}},
		{"versions are needed", unset("versions"),
			[]string{"must have exactly one version marked as storage version"}},
		{"one version is for storage", version(0, func(v object.Tree) { v["storage"] = false }),
			[]string{"must have exactly one version marked as storage version"}},
		{"only one version is for storage", version(1, func(v object.Tree) { v["storage"] = true }),
			[]string{`spec.versions: Invalid value: ["v1","v1beta1","v1alpha1"]: must have exactly one`}},
		{"version names are unique", version(1, func(v object.Tree) { v["name"] = "v1" }),
			[]string{"must contain unique version names"}},
		{"a version name is a DNS label", version(0, func(v object.Tree) { v["name"] = "V_1" }),
			[]string{first + `name: Invalid value: "V_1": a DNS-1035 label must consist`}},
		{"a version name does not begin with a digit", version(0, func(v object.Tree) { v["name"] = "1v" }),
			[]string{first + `name: Invalid value: "1v"`}},
		{"each version has a schema", version(1, func(v object.Tree) { delete(v, "schema") }),
			[]string{"spec.versions[1].schema.openAPIV3Schema: Required value"}},
		{"a schema describes an object",
			version(0, func(v object.Tree) { object.SetAt(v, ".schema.openAPIV3Schema.type", "string") }),
			[]string{first +
				`schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root`}},
		{"a schema names its type",
			version(0, func(v object.Tree) { object.SetAt(v, ".schema.openAPIV3Schema", object.Tree{}) }),
			[]string{first + "schema.openAPIV3Schema.type: Required value: must not be empty at the root"}},
		{"a plural is needed", set(".spec.names.plural", ""),
			[]string{"spec.names.plural: Required value"}},
		{"a plural is in lower case", set(".spec.names.plural", "Levers"),
			[]string{`spec.names.plural: Invalid value: "Levers"`}},
		{"a kind is needed", set(".spec.names.kind", ""),
			[]string{"spec.names.singular: Required value, " +
				"spec.names.kind: Required value, spec.names.listKind: Required value"}},
		{"kind and listKind differ", set(".spec.names.listKind", "Lever"),
			[]string{`spec.names.listKind: Invalid value: "Lever": kind and listKind may not be the same`}},
		{"a listKind has no blanks", set(".spec.names.listKind", "a b"),
			[]string{`"a b": may have mixed case, but should otherwise match: a DNS-1035 label`}},
		{"short names are DNS labels", set(".spec.names.shortNames", []any{"ok", "AB"}),
			[]string{`spec.names.shortNames[1]: Invalid value: "AB"`}},
		{"categories are DNS labels", set(".spec.names.categories", []any{"A B"}),
			[]string{`spec.names.categories[0]: Invalid`}},
		{"columns have a name, a type and a path", version(0, func(v object.Tree) {
			v["additionalPrinterColumns"] = []any{object.Tree{"type": "foo", "jsonPath": "spec.x"},
				object.Tree{"name": "a"}}
		}), []string{first + "additionalPrinterColumns[0].name: Required value, " + first +
			`additionalPrinterColumns[0].type: Invalid value: "foo": must be one of boolean,date,integer,number,string, ` +
			first +
			`additionalPrinterColumns[0].JSONPath: Invalid value: "spec.x": must be a simple json path starting with ., ` +
			first +
			"additionalPrinterColumns[1].type: Required value: must be one of boolean,date,integer,number,string, " +
			first + "additionalPrinterColumns[1].JSONPath: Required value"}},
		{"scale needs its paths", version(0, func(v object.Tree) { v["subresources"] = object.Tree{"scale": object.Tree{}} }),
			[]string{first + "subresources.scale.specReplicasPath: Required value, " + first +
				"subresources.scale.statusReplicasPath: Required value"}},
		{"scale's paths are below spec and status", version(0, func(v object.Tree) {
			v["subresources"] = object.Tree{"scale": object.Tree{"specReplicasPath": "spec.n",
				"statusReplicasPath": ".spec.n",
				"labelSelectorPath":  "foo"}}
		}), []string{first +
			`subresources.scale.specReplicasPath: Invalid value: "spec.n": must be a simple json path starting with .`,
			first +
				`subresources.scale.statusReplicasPath: Invalid value: ".spec.n": should be a json path under .status`,
			first + `subresources.scale.labelSelectorPath: Invalid value: "foo": must be a simple`}},
		{"a selectable field has a path", version(0, func(v object.Tree) {
			v["selectableFields"] = []any{object.Tree{"jsonPath": "spec.x"}}
		}), []string{first +
			`selectableFields[0].jsonPath: Invalid value: "spec.x": is an invalid path: expected [ or . but got: spec.x`}},
		{"there are at most 8 selectable fields",
			version(0, func(v object.Tree) { v["selectableFields"] = make([]any, 9) }),
			[]string{first + "selectableFields: Too many: 9: must have at most 8 items"}},
		{"there are at most 100 columns",
			version(0, func(v object.Tree) { v["additionalPrinterColumns"] = make([]any, 101) }),
			[]string{first + "additionalPrinterColumns: Too many: 101: must have at most 100 items"}},
		{"there are at most 100 versions", set(".spec.versions", make([]any, 101)),
			[]string{"spec.versions: Too many: 101: must have at most 100 items"}},
		{"there are at most 100 short names", set(".spec.names.shortNames", manyTexts(101)),
			[]string{"spec.names.shortNames: Too many: 101: must have at most 100 items"}},
		{"there are at most 100 categories", set(".spec.names.categories", manyTexts(101)),
			[]string{"spec.names.categories: Too many: 101: must have at most 100 items"}},
		{"preserveUnknownFields cannot be set", set(".spec.preserveUnknownFields", true),
			[]string{"spec.preserveUnknownFields: Invalid value: true: cannot set to true"}},
		{"a conversion strategy is None or Webhook", set(".spec.conversion", object.Tree{"strategy": "Foo"}),
			[]string{`spec.conversion.strategy: Unsupported value: "Foo": supported values: "None", "Webhook"`}},
	} {
		s := New(Options{})
		_, err := s.Create("customresourcedefinitions", levers(c.change))
		require.Equal(t, 422, status.Of(err).Code, "%s: %v", c.law, err)
		for _, want := range c.want {
			assert.Contains(t, err.Error(), want, c.law)
		}
		assert.Equal(t, "1", s.ResourceVersion(), "%s: nothing is stored", c.law)
		s.Close()
	}
}

func manyTexts(n int) []any {
	texts := make([]any, n)
	for i := range texts {
		texts[i] = "x"
	}
	return texts
}

func TestADefinitionOfTheWrongTypesIsRefused(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, definitions, []try{
			{"a list is expected", "POST", "", levers(func(d object.Tree) { object.SetAt(d, ".spec.versions", "x") }), 400,
				0,
				`cannot be handled as a CustomResourceDefinition: json: cannot unmarshal string into field ` +
					`spec.versions`},
			{"an object is expected", "POST", "", levers(func(d object.Tree) { d["spec"] = []any{} }), 400, 0,
				"cannot unmarshal array into field spec"},
			{"a spec is expected", "POST", "", levers(func(d object.Tree) { delete(d, "spec") }), 422, 0,
				"spec.names.plural: Required value"},
			{"the status of a create is replaced", "POST", "", levers(func(d object.Tree) {
				d["status"] = object.Tree{"conditions": "x", "acceptedNames": 7}
			}), 201, 1, `"Established"`},
			{"the status of a status patch is replaced", "PATCH", "/levers.example.dev/status",
				`merge:{"status":{"conditions":[7,{"type":"NamesAccepted"}],"acceptedNames":[]}}`, 200, 0,
				`"reason":"InitialNamesAccepted"`},
			{"an update is validated as well", "PATCH", "/levers.example.dev",
				`merge:{"spec":{"versions":[]}}`, 422, 0, "exactly one version"},
		})
	})
}

// The errors in an answer are limited, even if each of 20,000 versions has one.
func TestTheAnswerToABadDefinitionIsBounded(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	bad := levers(func(d object.Tree) {
		object.SetAt(d, ".spec.versions", make([]any, 20_000))
		object.SetAt(d, ".spec.names.shortNames", strings.Split(strings.Repeat("X ", 20_000), " "))
	})
	_, err := s.Create("customresourcedefinitions", bad)
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 1<<20)
}
