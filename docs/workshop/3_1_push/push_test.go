package push

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed push.go
var source string

// One delta a line: what is pushed, and under which key.
type push struct {
	key   string
	delta Delta
}

var (
	added     = func(state string) Delta { return Delta{Type: "Added", State: state} }
	updated   = func(state string) Delta { return Delta{Type: "Updated", State: state} }
	deleted   = func(state string) Delta { return Delta{Type: "Deleted", State: state} }
	tombstone = func(state string) Delta {
		return Delta{Type: "Deleted", State: state,
			Tombstone: true}
	}
)

func TestPush(t *testing.T) {
	exercise.Start(t, "push.go", source)
	for _, c := range []struct {
		law, why string
		pushes   []push
		want     Queue
	}{
		{
			law:    "a new key goes to the end of the queue",
			why:    "keys are popped in the order in which they first came",
			pushes: []push{{"web-1", added("web-1@1")}, {"db-1", added("db-1@2")}},
			want: Queue{[]string{"web-1", "db-1"}, map[string][]Delta{
				"web-1": {added("web-1@1")}, "db-1": {added("db-1@2")},
			}},
		},
		{
			law: "a queued key keeps its place and gets one delta more",
			why: "an object that changes all the time must not wait longer for that, nor be queued twice",
			pushes: []push{
				{"web-1", added("web-1@1")}, {"db-1", added("db-1@2")}, {"web-1", updated("web-1@3")},
			},
			want: Queue{[]string{"web-1", "db-1"}, map[string][]Delta{
				"web-1": {added("web-1@1"), updated("web-1@3")}, "db-1": {added("db-1@2")},
			}},
		},
		{
			law:    "two updates stay two",
			why:    "the state between them may be the one that the consumer waits for",
			pushes: []push{{"web-1", updated("web-1@1")}, {"web-1", updated("web-1@2")}},
			want: Queue{[]string{"web-1"}, map[string][]Delta{
				"web-1": {updated("web-1@1"), updated("web-1@2")},
			}},
		},
		{
			law: "of two deletions in a row the first is kept",
			why: "the watch reported the deletion, with the final state; a list that finds it later " +
				"has a state that may be old",
			pushes: []push{{"web-1", deleted("web-1@5")}, {"web-1", tombstone("web-1@3")}},
			want:   Queue{[]string{"web-1"}, map[string][]Delta{"web-1": {deleted("web-1@5")}}},
		},
		{
			law:    "a deletion that was seen replaces a tombstone",
			why:    "the tombstone holds the last known state, the second deletion the final one",
			pushes: []push{{"web-1", tombstone("web-1@3")}, {"web-1", deleted("web-1@5")}},
			want:   Queue{[]string{"web-1"}, map[string][]Delta{"web-1": {deleted("web-1@5")}}},
		},
		{
			law: "of two tombstones the second is kept",
			why: "neither has the final state, and the second was made later, of a state that is not " +
				"older",
			pushes: []push{{"web-1", tombstone("web-1@3")}, {"web-1", tombstone("web-1@4")}},
			want:   Queue{[]string{"web-1"}, map[string][]Delta{"web-1": {tombstone("web-1@4")}}},
		},
		{
			law: "an object that was created and deleted leaves both deltas",
			why: "handlers may have been told of it by an earlier list, and a consumer may wait for " +
				"either",
			pushes: []push{{"web-1", added("web-1@1")}, {"web-1", deleted("web-1@2")}},
			want: Queue{[]string{"web-1"}, map[string][]Delta{
				"web-1": {added("web-1@1"), deleted("web-1@2")},
			}},
		},
		{
			law: "deletions that are not in a row are both kept",
			why: "the object was created again in between: two objects have had this key, and each was " +
				"deleted",
			pushes: []push{
				{"web-1", deleted("web-1@3")}, {"web-1", added("web-1@4")}, {"web-1", deleted("web-1@5")},
			},
			want: Queue{[]string{"web-1"}, map[string][]Delta{
				"web-1": {deleted("web-1@3"), added("web-1@4"), deleted("web-1@5")},
			}},
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			got := Queue{Items: map[string][]Delta{}}
			for _, p := range c.pushes {
				got.Push(p.key, p.delta)
			}
			if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", c.want); g != w {
				t.Errorf("%s.\npushed %+v\ngot  %s\nwant %s", c.why, c.pushes, g, w)
			}
		})
	}
}

// The model keeps every delta, and leaves out deletions only when it is asked what waits.
func TestAnyPushes(t *testing.T) {
	exercise.Start(t, "push.go", source)
	exercise.Compare(t, "after each push the queue holds what the comment of Push says",
		func(dice *rand.Rand) push {
			d := Delta{[]string{"Added", "Updated", "Deleted"}[dice.IntN(3)], fmt.Sprint("@", dice.IntN(3)),
				false}
			d.Tombstone = d.Type == "Deleted" && dice.IntN(2) == 0
			return push{[]string{"a", "b"}[dice.IntN(2)], d}
		}, func(pushes []push) (rows []exercise.Row) {
			got, all, keys := Queue{Items: map[string][]Delta{}}, map[string][]Delta{}, []string{}
			for _, p := range pushes {
				got.Push(p.key, p.delta)
				all[p.key] = append(all[p.key], p.delta)
				if !slices.Contains(keys, p.key) {
					keys = append(keys, p.key)
				}
				want := Queue{keys, map[string][]Delta{}}
				for key, deltas := range all {
					want.Items[key] = withoutDoubles(slices.Clone(deltas))
				}
				rows = append(rows, exercise.Row{Step: "push " + p.key + " " + short(p.delta), Got: got.line(),
					Want: want.line()})
			}
			return rows
		})
}

// withoutDoubles leaves one deletion of each run: the first that is no tombstone, or else the last.
func withoutDoubles(deltas []Delta) []Delta {
	for i := 0; i+1 < len(deltas); {
		switch a, b := deltas[i], deltas[i+1]; {
		case a.Type != "Deleted" || b.Type != "Deleted":
			i++
		case a.Tombstone:
			deltas = slices.Delete(deltas, i, i+1)
		default:
			deltas = slices.Delete(deltas, i+1, i+2)
		}
	}
	return deltas
}

// line shows a queue as "a: Added@1 tombstone@2, b: …", and what should not be there as well.
func (q *Queue) line() string {
	var shown []string
	for _, key := range q.Keys {
		var deltas []string
		for _, d := range q.Items[key] {
			deltas = append(deltas, short(d))
		}
		shown = append(shown, key+": "+strings.Join(deltas, " "))
	}
	if len(q.Items) != len(q.Keys) {
		shown = append(shown, fmt.Sprintf("%d keys in Items", len(q.Items)))
	}
	return strings.Join(shown, ", ")
}

func short(d Delta) string {
	if d.Tombstone {
		return "tombstone" + d.State
	}
	return d.Type + d.State
}
