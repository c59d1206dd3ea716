package crd

import (
	"os"
	"regexp"
	"strconv"
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
	text, err := os.ReadFile("testdata/invalid.txt")
	require.NoError(t, err)
	times := regexp.MustCompile(`({}|"x")\*(\d+)`)
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		change := times.ReplaceAllStringFunc(row[1], func(s string) string {
			what, n, _ := strings.Cut(s, "*")
			count, _ := strconv.Atoi(n)
			return what + strings.Repeat(","+what, count-1)
		})
		var errs status.FieldErrors
		require.NoError(t, Validate(&errs, nil, levers(t, change)), row[0])
		assert.Contains(t, status.Invalid(status.About{}, errs).Message, row[2], row[0])
	}
	var errs status.FieldErrors
	require.NoError(t, Validate(&errs, nil, levers(t, `{"spec":{"versions":[VERSION,`+
		`"additionalPrinterColumns":[{"name":"a","type":"string","jsonPath":".a[0:2]..b[?(@.c>3)]["}]}]}}`)))
	assert.Empty(t, errs, "any path that begins with a dot is accepted")
	require.NoError(t, Validate(&errs, levers(t, `{}`), levers(t, `{"spec":{"scope":"Cluster"}}`)))
	assert.ErrorContains(t, status.Invalid(status.About{}, errs), "field is immutable")
}

func TestADefinitionIsDecodedExactly(t *testing.T) {
	d, err := Read(levers(t, `{"spec":{"GROUP":"x.dev","names":{"Kind":"X"},"x":5}}`))
	require.NoError(t, err)
	assert.Equal(t, "example.dev Lever", d.Group+" "+d.Names.Kind, "letter case counts")
	assert.Empty(t, StatusOf(object.Tree{"status": object.Tree{"conditions": "x"}}),
		"a status of the wrong type is none")
}
