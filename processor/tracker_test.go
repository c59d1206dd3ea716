package processor

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSingleFileTracker(t *testing.T) {
	for _, law := range []struct {
		promise string
		steps   string // s start, f finished, u upstream has synced
		want    bool
	}{
		{"a new tracker has not synced", "", false},
		{"with no items, the tracker has synced when upstream has", "u", true},
		{"an item that is not finished holds up the sync", "su", false},
		{"upstream may sync before the last item is finished", "suf", true},
		{"upstream may sync after the last item is finished", "sfu", true},
		{"before upstream has synced, finished items are not enough", "sf", false},
		{"every item counts", "ssuf", false},
		{"every item counts, and then it is synced", "ssuff", true},
		{"a gap between two items is not the end", "sfsu", false},
		{"a tracker that has synced stays synced, even if more items are started", "us", true},
		{"UpstreamHasSynced may be called twice", "sufu", true},
		{"the count may reach zero twice", "usfsf", true},
	} {
		tracker := NewSingleFileTracker()
		play := map[rune]func(){
			's': func() { tracker.Start(1) }, 'f': tracker.Finished, 'u': tracker.UpstreamHasSynced,
		}
		for _, step := range law.steps {
			play[step]()
		}
		assert.Equal(t, law.want, tracker.HasSynced(), "%s (%s)", law.promise, law.steps)
		assert.Equal(t, law.want, isClosed(tracker.Synced()), "%s (%s)", law.promise, law.steps)
	}
}

func TestSingleFileTrackerCatchesMiscounting(t *testing.T) {
	for _, steps := range []string{"f", "sff"} {
		tracker := NewSingleFileTracker()
		tracker.Start(strings.Count(steps, "s"))
		for range strings.Count(steps, "f") - 1 {
			tracker.Finished()
		}
		assert.Panics(t, tracker.Finished, "one Finished too many (%s)", steps)
	}
}

// Finished and UpstreamHasSynced are called at the same time. The later of the two must find that
// the other was called.
func TestSingleFileTrackerFromManyGoroutines(t *testing.T) {
	for range 500 {
		tracker := NewSingleFileTracker()
		tracker.Start(3)
		var all sync.WaitGroup
		for range 3 {
			all.Go(tracker.Finished)
		}
		all.Go(tracker.UpstreamHasSynced)
		all.Wait()
		assert.True(t, tracker.HasSynced(), "every item is finished and upstream has synced")
	}
}
