package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestObjectsAreLoadedInTheirOrder(t *testing.T) {
	p := start(t, "-load", file(t, "a.yaml", `
# What kubectl get -o yaml writes can be loaded as it is.
apiVersion: workshop.example.dev/v1
kind: Widget
metadata:
  name: web-1
  resourceVersion: "4711"
  uid: 0000
spec:
  color: red
  text: |
    two
    lines
status: {ready: true}
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: n-1}
`), "-load", file(t, "b.json", `{"kind":"ConfigMapList","apiVersion":"v1",
	"items":[{"metadata":{"name":"c-1","namespace":"other"}}]}
	{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p-1"},"status":{"phase":"Running"}}`))

	_, body := p.send("GET", widgets+"/web-1", "")
	var widget struct {
		Metadata struct{ ResourceVersion, UID string }
		Spec     struct{ Color, Text string }
		Status   struct{ Ready bool }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &widget))
	assert.Equal(t, "two\nlines\n", widget.Spec.Text)
	assert.True(t, widget.Status.Ready, "a status is loaded, too")
	assert.Equal(t, "3", widget.Metadata.ResourceVersion, "versions are the server's own")
	assert.NotEqual(t, "0000", widget.Metadata.UID)

	code, _ := p.send("GET", "/api/v1/nodes/n-1", "")
	assert.Equal(t, 200, code, "a List is taken apart")
	code, _ = p.send("GET", "/api/v1/namespaces/other/configmaps/c-1", "")
	assert.Equal(t, 200, code, "the items of a typed list need no kind")
	_, body = p.send("GET", "/api/v1/namespaces/default/pods/p-1", "")
	assert.Contains(t, body, `"phase":"Running"`)
}

func TestWhatCannotBeLoadedIsNamedByItsLine(t *testing.T) {
	widget := "apiVersion: workshop.example.dev/v1\nkind: Widget\nmetadata: {name: a}\n"
	for _, c := range []struct{ law, text, want string }{
		{"what is no object", "\na: 1\n", "objects.yaml:2: an object needs a kind"},
		{"a list at the top", "\n- b\n", "objects.yaml:2: an object is expected here"},
		{"an unknown kind", widget + "---\napiVersion: example.dev/v1\nkind: Gadget\n",
			"objects.yaml:5: no resource is served for the kind Gadget of example.dev/v1; " +
				"-resource GROUP/VERSION/PLURAL=Gadget adds one"},
		{"an object that is there already", widget + "---\n" + widget,
			`objects.yaml:5: fakeapi: create widgets.workshop.example.dev: ` +
				`widgets.workshop.example.dev "a" already exists`},
		{"an object that the server refuses", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A b}",
			"objects.yaml:1: fakeapi: create configmaps: "},
		{"a list of what is no object", "apiVersion: v1\nkind: List\nitems: [1]",
			"objects.yaml:1: item 1 of the list is no object"},
		{"what is not understood", widget + "spec: &x\n", "objects.yaml:4: anchors and aliases"},
		{"broken JSON", "{\n\"a\": x}", "objects.yaml:2: invalid character 'x'"},
	} {
		code, stderr := fails("-addr", "127.0.0.1:0", "-load", file(t, "objects.yaml", c.text))
		assert.Equal(t, 1, code, c.law)
		assert.Contains(t, stderr, c.want, c.law)
	}
}
