package indexer

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func narrator(say func(line string)) *Trace {
	return &Trace{
		Added: func(key string, obj watchglass.Object) {
			say(fmt.Sprintf("added %s@%s", key, obj.GetResourceVersion()))
		},
		Updated: func(key string, oldObj, newObj watchglass.Object) {
			say(fmt.Sprintf("updated %s@%s to @%s",
				key, oldObj.GetResourceVersion(), newObj.GetResourceVersion()))
		},
		Deleted: func(key string, obj watchglass.Object) {
			say(fmt.Sprintf("deleted %s@%s", key, obj.GetResourceVersion()))
		},
		Replaced: func(objects int, resourceVersion string) {
			say(fmt.Sprintf("replaced everything: %d objects at %s", objects, resourceVersion))
		},
	}
}

func TestTraceReportsChanges(t *testing.T) {
	var told []string
	options := nodeOnly()
	r := rig{T: t}
	options.Trace = narrator(func(line string) {
		told = append(told, fmt.Sprintf("%s (%d stored)", line, r.Len())) // a trace may read the store
	})
	r.Indexer = New(options)

	r.add("web-1@1 a", "web-1@2 a")
	require.NoError(t, r.Update(newPod("web-2@1 a")))
	r.remove("web-1@9", "web-1@9", "web-3@9")
	assert.Error(t, r.Add(nil))
	assert.Error(t, r.Replace(pods("@1"), "8"))
	assert.Error(t, r.Add(newPod("web-5@1 bad")))
	assert.Error(t, r.Replace(pods("web-5@2 bad"), "8"))
	require.NoError(t, r.Replace(pods("web-3@1 a", "web-3@2 a", "web-4@2"), "9"))

	assert.Equal(t, []string{
		"added web-1@1 (1 stored)",
		"updated web-1@1 to @2 (1 stored)",
		"added web-2@1 (2 stored)",
		"deleted web-1@2 (1 stored)",
		"added web-5@1 (2 stored)",
		"replaced everything: 1 objects at 8 (1 stored)",
		"replaced everything: 2 objects at 9 (2 stored)",
	}, told)
}

func TestTraceMayBeIncomplete(t *testing.T) {
	var told []string
	say := func(line string) { told = append(told, line) }
	for _, trace := range []*Trace{{Added: narrator(say).Added}, {Updated: narrator(say).Updated}} {
		ix := New(Options{Trace: trace})
		require.NoError(t, ix.Add(newPod("web-1@1")))
		require.NoError(t, ix.Add(newPod("web-1@2")))
	}
	assert.Equal(t, []string{"added web-1@1", "updated web-1@1 to @2"}, told,
		"the first trace has only Added, the second only Updated")
}

func fullTrace() *Trace {
	return &Trace{
		Added:    func(string, watchglass.Object) {},
		Updated:  func(string, watchglass.Object, watchglass.Object) {},
		Deleted:  func(string, watchglass.Object) {},
		Replaced: func(int, string) {},
	}
}
