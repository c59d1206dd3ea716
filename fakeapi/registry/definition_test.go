package registry

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

func TestADefinitionIsDecodedExactly(t *testing.T) {
	d, err := crd.Read(defined(t, `{"spec":{"GROUP":"x.dev","names":{"Kind":"X"},"x":5}}`))
	require.NoError(t, err)
	assert.Equal(t, "example.dev Lever", d.Group+" "+d.Names.Kind, "letter case counts")
	assert.Empty(t, crd.StatusOf(object.Tree{"status": object.Tree{"conditions": "x"}}),
		"a status of the wrong type is none")
}

// Another resource of the group has the short name lv, and the kind Knob.
func taken(group, except string) (name, kind func(string) bool) {
	ours := group+" "+except == "example.dev levers.example.dev"
	return func(name string) bool { return ours && name == "lv" },
		func(kind string) bool { return ours && kind == "Knob" }
}

func TestADefinitionGetsTheNamesThatAreFree(t *testing.T) {
	const free = `{"spec":{"names":{"shortNames":["l"]}}}`
	const kept = `{"spec":{"names":{"shortNames":["lv"]}}}`
	for _, c := range []struct {
		law  string
		was  string // the definition before; empty: there is none
		next string
		want string // short names, kind, and the conditions
	}{
		{"free names are accepted", "", free, "[l] Lever NoConflicts true InitialNamesAccepted true"},
		{"a short name that is taken is not", "", kept,
			"[] Lever ShortNamesConflict false NotAccepted false"},
		{"a kind that is taken is not", "", `{"spec":{"names":{"kind":"Knob"}}}`,
			"[]  KindConflict false NotAccepted false"},
		{"a taken name leaves the one from before, and the definition established", free, kept,
			"[l] Lever ShortNamesConflict false InitialNamesAccepted true"},
		{"a client cannot accept names", kept, `{"spec":{"names":{"shortNames":["lv"]}},"status":{` +
			`"acceptedNames":{"shortNames":["lv"]},"conditions":[{"type":"Established","status":"True"}]}}`,
			"[] Lever ShortNamesConflict false NotAccepted false"},
	} {
		was := object.Tree(nil)
		if c.was != "" {
			was = defined(t, c.was)
			require.NoError(t, crd.Decide(nil, was, taken), c.law)
		}
		next := defined(t, c.next)
		require.NoError(t, crd.Decide(was, next, taken), c.law)
		s, conditions := crd.StatusOf(next), object.At[[]any](next, ".status.conditions")
		assert.Equal(t, c.want, fmt.Sprint(s.Names.ShortNames, " ", s.Names.Kind, " ",
			object.TextAt(conditions[0].(object.Tree), "reason"), " ", s.Is(crd.NamesAccepted), " ",
			object.TextAt(conditions[1].(object.Tree), "reason"), " ", s.Is(crd.Established)), c.law)
	}
}

func TestAConditionKeepsItsTimeWhileItsStatusStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		since := func(was, next object.Tree) any {
			require.NoError(t, crd.Decide(was, next, taken))
			return object.At[[]any](next, ".status.conditions")[0].(object.Tree)["lastTransitionTime"]
		}
		first, refused := defined(t, `{}`), defined(t, `{"spec":{"names":{"kind":"Knob"}}}`)
		begin := since(nil, first)
		assert.Equal(t, object.Now(), begin)
		time.Sleep(time.Hour)
		assert.Equal(t, begin, since(first, defined(t, `{}`)))
		assert.Equal(t, object.Now(), since(first, refused))
	})
}
