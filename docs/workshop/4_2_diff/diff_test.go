package diff

import (
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed diff.go
var source string

func TestUpdate(t *testing.T) {
	exercise.Start(t, "diff.go", source)
	for _, c := range []struct {
		law, why string
		before   Index
		key      string
		from, to []string
		want     Index
	}{
		{
			law: "a new object is found by its values",
			why: "there was no node-a in the index; now web-1 runs there",
			key: "web-1", to: []string{"node-a"},
			want: Index{"node-a": {"web-1": true}},
		},
		{
			law:    "an object is found by its new value and no longer by the old one",
			why:    "web-1 has moved from node-a to node-b, and web-2 stays",
			before: Index{"node-a": {"web-1": true, "web-2": true}},
			key:    "web-1", from: []string{"node-a"}, to: []string{"node-b"},
			want: Index{"node-a": {"web-2": true}, "node-b": {"web-1": true}},
		},
		{
			law:    "an object joins the others that have its value",
			why:    "web-2 runs on node-a, and stays there when web-1 comes",
			before: Index{"node-a": {"web-2": true}},
			key:    "web-1", to: []string{"node-a"},
			want: Index{"node-a": {"web-1": true, "web-2": true}},
		},
		{
			law: "a value goes with its last object",
			why: "an index by something short-lived, such as a Job's name, would grow for as long as " +
				"the program runs",
			before: Index{"job-1": {"web-1": true}},
			key:    "web-1", from: []string{"job-1"},
			want: Index{},
		},
		{
			law:    "of many values only the difference is touched",
			why:    "the label a is gone, c is new, and b was there and stays",
			before: Index{"a": {"web-1": true}, "b": {"web-1": true}},
			key:    "web-1", from: []string{"a", "b"}, to: []string{"b", "c"},
			want: Index{"b": {"web-1": true}, "c": {"web-1": true}},
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			got := Index{}
			for value, keys := range c.before {
				got[value] = keys
			}
			got.Update(c.key, c.from, c.to)
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s.\nUpdate(%q, from %q, to %q)\ngot  %v\nwant %v", c.why, c.key, c.from, c.to, got,
					c.want)
			}
		})
	}
}

// Most updates of a cluster change no value. If Update took the key out of its set and put it back,
// the last object of a value would throw the set away and build it again, each time.
func TestUpdateTouchesOnlyWhatChanges(t *testing.T) {
	exercise.Start(t, "diff.go", source)
	for _, c := range []struct {
		law      string
		from, to []string
	}{
		{"an update that changes no value touches nothing", []string{"node-a"}, []string{"node-a"}},
		{"nor does the order of the values", []string{"node-a", "b"}, []string{"b", "node-a"}},
		{"a value that stays is left alone when another one changes", []string{"node-a", "b"}, []string{"c", "node-a"}},
	} {
		t.Run(c.law, func(t *testing.T) {
			set := map[string]bool{"web-1": true}
			ix := Index{"node-a": set, "b": {"web-1": true}}
			ix.Update("web-1", c.from, c.to)
			set["probe"] = true // in the index only if it still holds this map
			if what := whatHappened(ix["node-a"]); what != "" {
				t.Errorf("most updates of a cluster change no value, so a value that is in from and in to "+
					"costs nothing: its "+
					"set stays the same map, with the key in it.\nUpdate(%q, from %q, to %q): %s",
					"web-1", c.from, c.to, what)
			}
		})
	}
}

func TestUpdateCostsTheSameInALargeIndex(t *testing.T) {
	exercise.Start(t, "diff.go", source)
	set, ix := map[string]bool{}, Index{}
	for i := range 100_000 {
		set[fmt.Sprint("web-", i)], ix[fmt.Sprint("job-", i)] = true, set
	}
	ix["node-a"], ix["node-b"] = set, maps.Clone(set)
	delete(ix["node-b"], "web-1")
	values := [][]string{{"node-a"}, {"node-b"}}
	t.Log("the other 100,000 values and keys are not looked at: with that, 400,000 updates take " +
		"longer than a test may")
	for i := range 400_000 {
		ix.Update("web-1", values[i%2], values[1-i%2])
	}
}

// whatHappened says what Update has done to the set of node-a, "" if nothing.
func whatHappened(set map[string]bool) string {
	switch {
	case set == nil:
		return "the index has no set for node-a any more"
	case !set["probe"]:
		return "the index holds another map for node-a than before (was the value removed and made " +
			"again?)"
	case !set["web-1"]:
		return "web-1 is no longer in the set of node-a"
	}
	return ""
}

func TestTheSlicesAreTheCallers(t *testing.T) {
	exercise.Start(t, "diff.go", source)
	from, to := []string{"b", "a", "c"}, []string{"d", "c", "a"}
	Index{"a": {"web-1": true}, "b": {"web-1": true}, "c": {"web-1": true}}.Update("web-1", from, to)
	if fmt.Sprint(from, to) != "[b a c] [d c a]" {
		t.Errorf("the caller reads its slices afterwards; sorting or deleting in them changes them for "+
			"it.\n"+
			"from [b a c] and to [d c a] have become %v and %v", from, to)
	}
}

type step struct {
	key string
	to  []string
}

// The model keeps the values of each object, and makes the whole index anew.
func TestAnyUpdates(t *testing.T) {
	exercise.Start(t, "diff.go", source)
	exercise.Compare(t, "after each update a value has exactly the keys of the objects that have it",
		func(dice *rand.Rand) step {
			values := []string{"x", "y", ""} // an empty value is one, too
			dice.Shuffle(3, func(i, j int) { values[i], values[j] = values[j], values[i] })
			return step{[]string{"a", "b"}[dice.IntN(2)], values[:dice.IntN(4)]}
		}, func(steps []step) (rows []exercise.Row) {
			got, objects := Index{}, map[string][]string{}
			for _, s := range steps {
				from := objects[s.key]
				objects[s.key] = s.to
				got.Update(s.key, slices.Clone(from), slices.Clone(s.to))
				want := Index{}
				for key, values := range objects {
					for _, value := range values {
						if want[value] == nil {
							want[value] = map[string]bool{}
						}
						want[value][key] = true
					}
				}
				rows = append(rows, exercise.Row{Step: fmt.Sprintf("Update %s, from %q to %q", s.key, from,
					s.to),
					Got: fmt.Sprint(got), Want: fmt.Sprint(want)})
			}
			return rows
		})
}
