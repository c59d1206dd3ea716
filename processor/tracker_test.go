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
		{"nothing started, nothing known: not synced", "", false},
		{"an empty initial list is synced when upstream says so", "u", true},
		{"items in work keep it unsynced", "su", false},
		{"synced when the last item is finished after upstream", "suf", true},
		{"synced when upstream comes after the last item", "sfu", true},
		{"no item left is not enough without upstream", "sf", false},
		{"every item counts", "ssuf", false},
		{"every item counts, and then it is synced", "ssuff", true},
		{"a gap between two items is not the end", "sfsu", false},
		{"synced is for good, whatever is started later", "us", true},
		{"upstream may say it twice", "sufu", true},
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

// The later of the last Finished and UpstreamHasSynced has to see the other one.
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
		assert.True(t, tracker.HasSynced())
	}
}
