package crd

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// Another resource of the group has the short name lv, and the kind Knob.
func TestADefinitionGetsTheNamesThatAreFree(t *testing.T) {
	taken := func(group, except string) (name, kind func(string) bool) {
		assert.Equal(t, "example.dev levers.example.dev", group+" "+except)
		return func(name string) bool { return name == "lv" },
			func(kind string) bool { return kind == "Knob" }
	}
	const free, kept = `{"spec":{"names":{"shortNames":["l"]}}}`, `{"spec":{"names":{"shortNames":["lv"]}}}`
	for _, c := range []struct {
		law  string
		was  string // the definition before; empty: there is none
		next string
		want string // short names, kind, and the conditions
	}{
		{"free names are accepted", "", free, "[l] Lever NoConflicts true InitialNamesAccepted true"},
		{"a short name that is taken is not", "", kept, "[] Lever ShortNamesConflict false NotAccepted false"},
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
			was = levers(t, c.was)
			require.NoError(t, Decide(nil, was, taken), c.law)
		}
		next := levers(t, c.next)
		require.NoError(t, Decide(was, next, taken), c.law)
		s, conditions := StatusOf(next), object.At[[]any](next, ".status.conditions")
		assert.Equal(t, c.want, fmt.Sprint(s.Names.ShortNames, " ", s.Names.Kind, " ",
			object.TextAt(conditions[0].(object.Tree), "reason"), " ", s.Is(NamesAccepted), " ",
			object.TextAt(conditions[1].(object.Tree), "reason"), " ", s.Is(Established)), c.law)
	}
}

func TestAConditionKeepsItsTimeWhileItsStatusStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := func(conditions []any) any { return conditions[0].(object.Tree)["lastTransitionTime"] }
		first := setCondition(nil, newCondition(Established, "True", "A", ""))
		time.Sleep(time.Hour)
		assert.Equal(t, at(first), at(setCondition(first, newCondition(Established, "True", "B", ""))))
		assert.Equal(t, object.Now(), at(setCondition(first, newCondition(Established, "False", "B", ""))))
	})
}
