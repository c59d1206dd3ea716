package deltafifo

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// narrator returns a trace that makes a line of each call.
func narrator(say func(line string)) *Trace {
	return &Trace{
		Queued: func(key string, d Delta, pending Deltas) {
			if len(pending) == 1 {
				say(fmt.Sprintf("%s queued: %s", key, describe(d)))
			} else {
				say(fmt.Sprintf("%s keeps its place: %s", key, describe(d)))
			}
		},
		Merged: func(key string, kept, dropped Delta) {
			say(fmt.Sprintf("%s keeps %s, drops %s", key, describe(kept), describe(dropped)))
		},
		Ignored: func(key string, d Delta) { say(fmt.Sprintf("%s ignored: %s", key, d)) },
		Replaced: func(resourceVersion string, objects, deletions int) {
			say(fmt.Sprintf("replaced at %s: listed %d, deleted %d", resourceVersion, objects, deletions))
		},
		Popped: func(key string, d Deltas, isInInitialList bool) {
			say(fmt.Sprintf("%s popped: %s, initial %t", key, describeAll(d), isInInitialList))
		},
		Requeued: func(key string, d Deltas) {
			say(fmt.Sprintf("%s put back: %s", key, describeAll(d)))
		},
		Synced: func() { say("synced") },
	}
}

func TestTraceReportsEachStep(t *testing.T) {
	var told []string
	trace := narrator(func(line string) { told = append(told, line) })
	r := rig{T: t, DeltaFIFO: New(Options{Trace: trace})}

	r.replace("web-1@1")
	_, err := r.Pop(func(Deltas, bool) error {
		require.Equal(t, "web-1 popped: Replaced@1, initial true", told[len(told)-1])
		return ErrRequeue{}
	})
	require.NoError(t, err)
	r.update("web-1@2")
	r.remove("web-1@3", "web-1@4", "web-2@5")
	r.pop()

	assert.Equal(t, []string{
		"web-1 queued: Replaced@1",
		"replaced at 90: listed 1, deleted 0",
		"web-1 popped: Replaced@1, initial true",
		"web-1 put back: Replaced@1",
		"synced",
		"web-1 keeps its place: Updated@2",
		"web-1 keeps its place: Deleted@3",
		"web-1 keeps Deleted@3, drops Deleted@4",
		"web-2 ignored: Deleted@5",
		"web-1 popped: Replaced@1 Updated@2 Deleted@3, initial false",
	}, told)
}
