package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestObjectsAreLoadedInTheirOrder(t *testing.T) {
	p := start(t, "-load", file(t, "a.json", `
{"apiVersion": "workshop.example.dev/v1", "kind": "Widget",
 "metadata": {"name": "web-1", "resourceVersion": "4711", "uid": "0000"},
 "spec": {"color": "red", "large": 12345678901234567}, "status": {"ready": true}}
{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n-1"}}]}`),
		"-load", file(t, "b.json", `{"kind":"ConfigMapList","apiVersion":"v1",
	"items":[{"metadata":{"name":"c-1"}}]}
	{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p-1"},"status":{"phase":"Running"}}`))

	_, body := p.send("GET", widgets+"/web-1", "")
	var widget struct {
		Metadata struct{ ResourceVersion, UID string }
		Spec     struct{ Large json.Number }
		Status   struct{ Ready bool }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &widget))
	assert.EqualValues(t, "12345678901234567", widget.Spec.Large, "no number is rounded")
	assert.True(t, widget.Status.Ready, "a status is loaded, too")
	assert.NotEqual(t, "4711", widget.Metadata.ResourceVersion, "versions are the server's own")
	assert.NotEqual(t, "0000", widget.Metadata.UID)

	code, _ := p.send("GET", "/api/v1/nodes/n-1", "")
	assert.Equal(t, 200, code, "the items of a List are loaded")
	code, _ = p.send("GET", "/api/v1/namespaces/default/configmaps/c-1", "")
	assert.Equal(t, 200, code, "the items of a typed list need no kind")
	_, body = p.send("GET", "/api/v1/namespaces/default/pods/p-1", "")
	assert.Contains(t, body, `"phase":"Running"`)
}

func TestADirectoryIsLoadedByTheNamesOfItsFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, kind string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(`{"apiVersion":"v1","kind":"`+
			kind+`","metadata":{"name":"`+kind[:1]+`","labels":{"l":"`+kind+`"}}}`), 0o600))
	}
	write("b.json", "Node")
	write("a.json", "ConfigMap")
	write("c.txt", "Garbage")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d.json"), 0o700))
	objects, err := readObjects(dir)
	require.NoError(t, err)
	require.Len(t, objects, 2, "neither other files nor directories are read")
	assert.Equal(t, "ConfigMap", objects[0].text("kind"))
	assert.Equal(t, "Node", objects[1].text("kind"))
}

func TestLoadingWorksWithATokenAndInASecondVersion(t *testing.T) {
	p := start(t, "-token", "secret", "-resource", "workshop.example.dev/v2/widgets=Widget",
		"-load", file(t, "a.json", `{"apiVersion": "workshop.example.dev/v2", "kind": "Widget",
		"metadata": {"name": "web-1"}}`))
	p.token = "secret"
	code, _ := p.send("GET", widgets+"/web-1", "")
	assert.Equal(t, 200, code)
}

func TestADefinitionIsLoadedBeforeItsObjects(t *testing.T) {
	p := start(t, "-load", file(t, "a.json", `
{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
 "metadata": {"name": "gadgets.example.dev"},
 "spec": {"group": "example.dev", "scope": "Cluster",
  "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
    "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
{"apiVersion": "example.dev/v1", "kind": "Gadget", "metadata": {"name": "g"},
 "status": {"ready": true}}`))
	code, body := p.send("GET", "/apis/example.dev/v1/gadgets/g", "")
	assert.Equal(t, 200, code)
	assert.Contains(t, body, `"ready":true`)
}

func TestMissingNamespacesAreRefusedUnlessAFlagSaysOtherwise(t *testing.T) {
	name := file(t, "a.json", `{"apiVersion":"v1","kind":"ConfigMap",`+
		`"metadata":{"name":"c","namespace":"team"}}`)
	code, stderr := fails("-addr", "127.0.0.1:0", "-load", name)
	assert.Equal(t, 1, code)
	assert.Equal(t, "serve: -load: "+name+`:1: namespaces "team" not found`+"\n", stderr)
	start(t, "-require-namespaces=false", "-load", name)
	start(t, "-load", file(t, "b.json", `{"apiVersion":"v1","kind":"Namespace",`+
		`"metadata":{"name":"team"}}`), "-load", name)
}

func TestWhatCannotBeLoadedIsNamedByItsLine(t *testing.T) {
	widget := `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"a"}}` + "\n"
	const hint = "expected JSON objects; to convert YAML, run kubectl patch --local -f "
	for _, c := range []struct{ law, text, want string }{
		{"an object without a type", "\n{\"a\": 1}\n", "objects:2: an object needs a kind"},
		{"YAML", "apiVersion: v1\nkind: ConfigMap\n", "objects: " + hint},
		{"YAML with dashes", "---\napiVersion: v1\n", "objects: " + hint},
		{"YAML with a comment", "# a\n", "objects: " + hint},
		{"a list at the top", "[1]\n", "objects: " + hint},
		{"something after an object", widget + "- b\n", "objects:2: invalid character ' '"},
		{"a number after an object", widget + "\n5\n", "objects:3: expected an object"},
		{"an unknown kind", widget + `{"apiVersion":"example.dev/v1","kind":"Gadget"}`,
			"objects:2: no resource is served for the kind Gadget of example.dev/v1; " +
				"load its CustomResourceDefinition first, or add it with -resource"},
		{"an unknown kind of a known version", `{"apiVersion":"v1","kind":"Gadget"}`,
			"objects:1: no resource is served for the kind Gadget of v1"},
		{"an object that is there already", widget + widget,
			`objects:2: widgets.workshop.example.dev "a" already exists`},
		{"an object that the server refuses",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"A b"}}`,
			`objects:1: ConfigMap "A b" is invalid`},
		{"a field of metadata that is misspelt",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","lables":{}}}`,
			`unknown field "metadata.lables"`},
		{"a list of what is not an object", `{"apiVersion":"v1","kind":"List","items":[1]}`,
			"objects:1: item 1 of the list is not an object"},
		{"broken JSON", "{\n\"a\": x}", "objects:2: invalid character 'x'"},
		{"half an object", "{\n\"a\":", "objects:1: unexpected EOF"},
	} {
		code, stderr := fails("-addr", "127.0.0.1:0", "-load", file(t, "objects", c.text))
		assert.Equal(t, 1, code, c.law)
		assert.Contains(t, stderr, c.want, c.law)
		if strings.HasSuffix(c.want, hint) {
			assert.Contains(t, stderr, "objects --type=merge -p '{}' -o json (it needs no server)\n", c.law)
		}
	}
	code, stderr := fails("-addr", "127.0.0.1:0", "-load", t.TempDir())
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "there is no file that ends in .json in this directory")
}

func TestADefinitionIsServedForTheObjectsThatFollowIt(t *testing.T) {
	p := start(t, "-load", file(t, "a.json", `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
	"metadata":{"name":"levers.example.dev"},"spec":{"group":"example.dev","scope":"Namespaced",
	"names":{"plural":"levers","kind":"Lever"},"versions":[{"name":"v1","served":true,"storage":true,
	"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
	{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}
	{"apiVersion":"example.dev/v1","kind":"Lever","metadata":{"name":"l-1","namespace":"shop"}}`))
	code, _ := p.send("GET", "/apis/example.dev/v1/namespaces/shop/levers/l-1", "")
	assert.Equal(t, 200, code)
	code, body := p.send("POST", "/apis/example.dev/v1/namespaces/bar/levers",
		`{"apiVersion":"example.dev/v1","kind":"Lever","metadata":{"name":"l-2"}}`)
	assert.Equal(t, 404, code, "a namespace has to be created first: %s", body)
}
