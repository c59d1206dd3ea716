package informer

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
)

// queueModel is a queue of versions, and a process loop that stops between the moment at which a
// batch leaves the queue and the moment at which it is counted.
type queueModel struct {
	queue     []int // the versions that are queued, oldest first
	newest    int   // the newest version
	uncounted int   // how many have left the queue and are not counted yet
	v         versionWaits
}

func newQueueModel() *queueModel {
	m := &queueModel{}
	m.v.queue, m.v.batch = m, 1
	return m
}

func (m *queueModel) Len() int { return len(m.queue) }

// event makes a version and queues it. bookmark makes a version for which nothing is queued.
func (m *queueModel) event() {
	m.newest++
	m.queue = append(m.queue, m.newest)
	m.v.queued(strconv.Itoa(m.newest))
}

func (m *queueModel) bookmark() {
	m.newest++
	m.v.queued(strconv.Itoa(m.newest))
}

// remove takes so many from the queue, or what there is, or none before the last are counted.
func (m *queueModel) remove(most int) {
	if m.uncounted == 0 {
		m.uncounted = min(most, len(m.queue))
		m.queue = m.queue[m.uncounted:]
	}
}

// count counts what was removed, and returns how much that was.
func (m *queueModel) count() (counted int) {
	if counted = m.uncounted; counted > 0 {
		m.uncounted = 0
		m.v.popped(counted)
	}
	return counted
}

// wait does what WaitForVersion does before it blocks.
func (m *queueModel) wait(version int) *versionWait {
	w := m.v.join(strconv.Itoa(version))
	if m.newest > 0 { // otherwise there was no list so far
		m.v.queued(strconv.Itoa(m.newest))
	}
	return w
}

// reached reports whether everything up to a version has been processed.
func (m *queueModel) reached(version int) bool {
	return version <= m.newest && (len(m.queue) == 0 || m.queue[0] > version)
}

func over(w *versionWait) bool { return len(w.result) > 0 }

// A wait never ends before its version is in the cache. It ends when the queue is empty. It also ends
// when as many keys have been counted as were queued when its version was queued, or when the wait
// began if that was later, and one more; with a queue of batches, a batch more.
func FuzzVersionWaits(f *testing.F) {
	story.FuzzModel(f, 60, 400, func(t *testing.T, script *story.Program) {
		m := newQueueModel()
		m.v.batch = []int{1, 4}[script.Choose(2)]
		waits, left := map[*versionWait]int{}, map[*versionWait]int{}
		for !script.Over() {
			counted, arg := 0, script.Choose(12)
			switch script.Choose(8) {
			case 0, 1, 2:
				m.event()
			case 3:
				m.bookmark()
			case 4, 5:
				m.remove(1 + arg%m.v.batch)
			case 6:
				counted = m.count()
			case 7:
				version := max(1, m.newest+arg%6-4)
				waits[m.wait(version)] = version
			}
			for w, version := range waits {
				if over(w) {
					if !m.reached(version) {
						t.Fatalf("a wait for version %d has ended, and %v are queued", version, m.queue)
					}
					delete(waits, w)
					continue
				}
				if _, known := left[w]; !known && version <= m.newest {
					left[w] = m.Len() + m.v.batch
				} else if known {
					left[w] -= counted
					if left[w] <= 0 {
						t.Fatalf("all was counted that was queued with version %d, and a wait goes on", version)
					}
				}
			}
		}
		for m.Len() > 0 || m.uncounted > 0 {
			m.remove(1)
			m.count()
		}
		for w, version := range waits {
			assert.Equal(t, version <= m.newest, over(w),
				"the queue is empty at version %d, a wait for %d", m.newest, version)
			m.v.leave(w)
		}
		assert.Empty(t, m.v.waits, "no wait is left")
		assert.Zero(t, m.v.waiting.Load())
	})
}

func TestVersionWaitsLaws(t *testing.T) {
	t.Run("a wait is late by no more than leaves the queue at a time", func(t *testing.T) {
		for queue, batch := range map[QueueKind]int{DeltaFIFO: 1, RealFIFO: realfifo.MaxBatch} {
			s := NewSharedIndexInformer(Options{ListerWatcher: still{}, Queue: queue})
			assert.Equal(t, batch, s.versions.batch, "queue %d", queue)
		}
	})
	t.Run("a server whose versions are not numbers ends a wait with an error", func(t *testing.T) {
		m := newQueueModel()
		w := m.wait(5)
		m.v.queued("five")
		assert.ErrorContains(t, <-w.result,
			`the server's resourceVersion "five" is not a positive number`)
	})
	t.Run("a wait that is given up is forgotten", func(t *testing.T) {
		s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.ErrorIs(t, s.WaitForVersion(ctx, "5"), context.Canceled)
		assert.Empty(t, s.versions.waits)
		assert.Zero(t, s.versions.waiting.Load(), "otherwise each event would go on taking the lock")
	})
	t.Run("a queue that takes versions gets them first", func(t *testing.T) {
		m := newQueueModel()
		store := &versionsStore{w: m.wait(7)}
		versionedStore{store, &m.v}.UpdateResourceVersion("7")
		assert.Equal(t, []string{"7"}, store.versions)
		assert.True(t, over(store.w))
	})
}

// versionsStore is a store with an UpdateResourceVersion of its own.
type versionsStore struct {
	reflector.Store
	versions []string
	w        *versionWait // must go on until the store was called
}

func (s *versionsStore) UpdateResourceVersion(version string) {
	s.versions = append(s.versions, version+map[bool]string{true: " late"}[over(s.w)])
}
