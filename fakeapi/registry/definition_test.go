package registry

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/crd"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/status"
)

// levers is a definition, and version its only version without the closing brace.
const (
	version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":` +
		`{"type":"object"}}`
	levers = `{"metadata":{"name":"levers.example.dev"},"spec":{"group":"example.dev",
		"scope":"Namespaced","names":{"plural":"levers","kind":"Lever","singular":"lever",
		"listKind":"LeverList"},"versions":[` + version + `}]}}`
)

// defined returns the definition of levers with a change: a merge patch in which VERSION stands
// for version.
func defined(t *testing.T, change string) object.Tree {
	t.Helper()
	var trees [2]any
	for i, text := range []string{levers, strings.ReplaceAll(change, "VERSION", version)} {
		tree, err := object.DecodeTree([]byte(text))
		require.NoError(t, err, text)
		trees[i] = tree
	}
	return patch.Merge(trees[0], trees[1]).(object.Tree)
}

// The messages are those of a real server.
func TestADefinitionIsValidated(t *testing.T) {
	times := regexp.MustCompile(`({}|"x")\*(\d+)`)
	for _, row := range story.Laws(t, "definitions") {
		change := times.ReplaceAllStringFunc(row[1], func(s string) string {
			what, n, _ := strings.Cut(s, "*")
			count, _ := strconv.Atoi(n)
			return what + strings.Repeat(","+what, count-1)
		})
		var errs status.FieldErrors
		require.NoError(t, crd.Validate(&errs, nil, defined(t, change)), row[0])
		assert.Contains(t, status.Invalid(status.About{}, errs).Message, row[2], row[0])
	}
	var errs status.FieldErrors
	require.NoError(t, crd.Validate(&errs, nil, defined(t, `{"spec":{"versions":[VERSION,
		"additionalPrinterColumns":[{"name":"a","type":"string",
		"jsonPath":".a[0:2]..b[?(@.c>3)]["}]}]}}`)))
	assert.Empty(t, errs, "any path that begins with a dot is accepted")
	cluster := defined(t, `{"spec":{"scope":"Cluster"}}`)
	require.NoError(t, crd.Validate(&errs, defined(t, `{}`), cluster))
	assert.ErrorContains(t, status.Invalid(status.About{}, errs), "field is immutable")
}
