package deltafifo

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHasSynced(t *testing.T) {
	one := func() Options { return Options{KnownObjects: newKnown(at("web-9@1")...)} }
	prove(t, []law{
		{"a new queue has not synced", Options{}, func(r rig) {
			assert.False(r, r.HasSynced())
		}},
		{"after an empty first list the queue has synced", Options{}, func(r rig) {
			r.replace()
			assert.True(r, r.HasSynced())
		}},
		{"a queue has synced when every key of the first list is processed", Options{}, func(r rig) {
			r.replace("web-1@1", "web-2@1")
			assert.Equal(r, 2, r.progress.initialPopulationCount)
			assert.False(r, r.HasSynced())
			r.pop()
			assert.False(r, r.HasSynced())
			r.pop()
			assert.True(r, r.HasSynced())
		}},
		{"a key that is listed twice counts once", Options{}, func(r rig) {
			r.replace("web-1@1", "web-1@2", "web-1@3")
			assert.Equal(r, 1, r.progress.initialPopulationCount)
			r.pop()
			assert.True(r, r.HasSynced())
		}},
		{"deletions that the first list finds are counted", one(), func(r rig) {
			r.replace("web-1@2")
			assert.Equal(r, 2, r.progress.initialPopulationCount)
			assert.Equal(r, "web-1: Replaced@2 initial", r.pop())
			assert.False(r, r.HasSynced())
			assert.Equal(r, "web-9: Deleted@unknown(last seen @1) initial", r.pop())
			assert.True(r, r.HasSynced())
		}},
		{"later lists don't change the count", Options{}, func(r rig) {
			r.replace("web-1@1")
			r.replace("web-1@2", "web-2@2", "web-3@2")
			assert.Equal(r, 1, r.progress.initialPopulationCount)
			assert.Equal(r, "web-1: Replaced@1 Replaced@2 initial", r.pop())
			assert.True(r, r.HasSynced())
			assert.Equal(r, "web-2: Replaced@2", r.pop())
			assert.True(r, r.HasSynced(), "once synced, always synced")
		}},
		{"events that come while the first list is processed are not counted", Options{}, func(r rig) {
			r.replace("web-1@1", "web-2@1")
			r.add("web-3@2")
			assert.Equal(r, "web-1: Replaced@1 initial", r.pop())
			assert.Equal(r, "web-2: Replaced@1 initial", r.pop())
			assert.Equal(r, "web-3: Added@2", r.pop())
		}},
		{"a key counts as processed even if its process func fails", Options{}, func(r rig) {
			r.replace("web-1@1")
			_, _ = r.Pop(func(Deltas, bool) error { return assert.AnError })
			assert.True(r, r.HasSynced())
		}},
		{"an add before the first list means synced, and the list is not counted", Options{},
			func(r rig) {
				r.add("web-1@1")
				assert.True(r, r.HasSynced())
				r.replace("web-1@2", "web-2@2")
				assert.Zero(r, r.progress.initialPopulationCount)
				assert.Equal(r, "web-1: Added@1 Replaced@2", r.pop(), "not initial")
			}},
		{"an update before the first list means synced", Options{}, func(r rig) {
			r.update("web-1@1")
			assert.True(r, r.HasSynced())
		}},
		{"a deletion before the first list means synced, even if it is ignored", Options{}, func(r rig) {
			r.remove("web-1@1")
			r.shows()
			assert.True(r, r.HasSynced())
			r.replace("web-2@2")
			assert.Zero(r, r.progress.initialPopulationCount)
		}},
		{"an add before the first list means synced, even if it is refused", Options{}, func(r rig) {
			assert.Error(r, r.Add(object("", "1")))
			assert.True(r, r.HasSynced())
		}},
		{"a deletion without a key is no event: the queue waits for its list", Options{}, func(r rig) {
			assert.Error(r, r.Delete(object("", "1")))
			assert.False(r, r.HasSynced())
		}},
	})
}

func TestSyncedChannel(t *testing.T) {
	prove(t, []law{
		{"the channel is closed after the last process func has returned, not before", Options{},
			func(r rig) {
				r.replace("web-1@1", "web-2@1")
				for range 2 {
					_, err := r.Pop(func(Deltas, bool) error {
						assert.False(r, isClosed(r.Synced()), "closed while a process func runs")
						return nil
					})
					require.NoError(r, err)
				}
				assert.True(r, isClosed(r.Synced()))
			}},
		{"the channel is the same before and after", Options{}, func(r rig) {
			before := r.Synced()
			r.replace()
			assert.Equal(r, before, r.Synced())
			assert.True(r, isClosed(before))
		}},
	})
}
