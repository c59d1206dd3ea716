package deltafifo

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestPop(t *testing.T) {
	failed := errors.New("failed")
	prove(t, []law{
		{"Pop returns the deltas together with the error of the process func", Options{}, func(r rig) {
			r.add("web-1@1")
			d, err := r.Pop(func(Deltas, bool) error { return failed })
			assert.Equal(r, failed, err)
			assert.Equal(r, "Added@1", describeAll(d))
		}},
		{"an error of the process func puts nothing back", Options{}, func(r rig) {
			r.add("web-1@1")
			_, _ = r.Pop(func(Deltas, bool) error { return failed })
			r.shows()
		}},
		{"the popped deltas belong to the consumer, which may change them", Options{},
			func(r rig) {
				r.add("web-1@1")
				popped, err := r.Pop(discard)
				require.NoError(r, err)
				r.update("web-1@2", "web-1@3")
				_ = append(popped, Delta{Deleted, object("web-1", "9")})
				popped[0] = Delta{}
				r.shows("web-1: Updated@2 Updated@3")
			}},
		{"the lock is held while a process func runs: no Replace between queue and store", Options{},
			func(r rig) {
				r.add("web-1@1")
				_, err := r.Pop(func(Deltas, bool) error {
					assert.False(r, r.mu.TryLock(), "a Replace could run between queue and store")
					return nil
				})
				require.NoError(r, err)
			}},
		{"if a process func panics, its key stays queued and is not counted", Options{}, func(r rig) {
			r.replace("web-1@1", "web-2@1")
			crash := func() {
				assert.PanicsWithValue(r, "oh", func() {
					_, _ = r.Pop(func(Deltas, bool) error { panic("oh") })
				})
				require.NoError(r, r.check())
			}
			crash()
			r.shows("web-1: Replaced@1", "web-2: Replaced@1")
			assert.Equal(r, 2, r.Len())
			assert.Equal(r, "web-1: Replaced@1 initial", r.pop())
			crash()
			assert.False(r, r.HasSynced(), "the last key of the list has not been processed")
			assert.Equal(r, "web-2: Replaced@1 initial", r.pop())
			assert.True(r, r.HasSynced())
		}},
	})
}

func TestRequeue(t *testing.T) {
	failed := errors.New("failed")
	again := func(Deltas, bool) error { return ErrRequeue{failed} }
	prove(t, []law{
		{"deltas are put back at the end, and Pop returns the reason", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@1")
			_, err := r.Pop(again)
			assert.Equal(r, failed, err)
			r.shows("web-2: Added@1", "web-1: Added@1")
		}},
		{"a wrapped ErrRequeue puts the deltas back, too", Options{}, func(r rig) {
			r.add("web-1@1")
			_, err := r.Pop(func(Deltas, bool) error {
				return fmt.Errorf("processing: %w", ErrRequeue{failed})
			})
			assert.ErrorIs(r, err, failed)
			r.shows("web-1: Added@1")
		}},
		{"with an ErrRequeue without a reason, Pop returns no error", Options{}, func(r rig) {
			r.add("web-1@1")
			_, err := r.Pop(func(Deltas, bool) error { return ErrRequeue{} })
			assert.NoError(r, err)
			r.shows("web-1: Added@1")
			assert.NotEmpty(r, ErrRequeue{}.Error())
		}},
		{"new events join the deltas that were put back", Options{}, func(r rig) {
			r.add("web-1@1")
			_, _ = r.Pop(again)
			r.remove("web-1@2")
			r.shows("web-1: Added@1 Deleted@2")
		}},
		{"deltas put back still belong to the consumer: the queue has a copy", Options{}, func(r rig) {
			r.add("web-1@1")
			require.NoError(r, r.Delete(DeletedFinalStateUnknown{"web-1", nil}))
			popped, _ := r.Pop(again)
			r.remove("web-1@2") // would overwrite the tombstone in place
			assert.Equal(r, "Added@1 Deleted@unknown(no state)", describeAll(popped))
			r.shows("web-1: Added@1 Deleted@2")
		}},
		{"AddIfNotPresent drops deltas whose key is queued: those are newer", Options{}, func(r rig) {
			r.add("web-1@1")
			popped, _ := r.Pop(discard)
			r.update("web-1@2")
			require.NoError(r, r.AddIfNotPresent(popped))
			r.shows("web-1: Updated@2")
		}},
		{"AddIfNotPresent puts a key that is not queued at the end", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@1")
			popped, _ := r.Pop(discard)
			require.NoError(r, r.AddIfNotPresent(popped))
			r.shows("web-2: Added@1", "web-1: Added@1")
		}},
		{"AddIfNotPresent populates the queue, as an event does", Options{}, func(r rig) {
			require.NoError(r, r.AddIfNotPresent(Deltas{{Added, object("web-1", "1")}}))
			assert.True(r, r.HasSynced())
		}},
		{"AddIfNotPresent refuses empty Deltas", Options{}, func(r rig) {
			assert.ErrorIs(r, r.AddIfNotPresent(nil), ErrZeroLengthDeltas)
			r.shows()
		}},
		{"deltas that are put back count as processed: HasSynced does not wait for them", Options{},
			func(r rig) {
				r.replace("web-1@1")
				_, _ = r.Pop(again)
				assert.True(r, r.HasSynced())
				assert.Equal(r, "web-1: Replaced@1", r.pop(), "not initial any more")
			}},
	})
}

func TestClose(t *testing.T) {
	prove(t, []law{
		{"a closed queue is drained first; then Pop returns ErrClosed", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@1")
			r.Close()
			r.Close()
			assert.Equal(r, "web-1: Added@1", r.pop())
			assert.Equal(r, "web-2: Added@1", r.pop())
			d, err := r.Pop(discard)
			assert.Nil(r, d)
			assert.ErrorIs(r, err, ErrClosed)
		}},
		{"a closed queue still accepts events and lists", Options{KnownObjects: newKnown()}, func(r rig) {
			r.Close()
			r.add("web-1@1")
			r.replace("web-2@1")
			r.shows("web-1: Added@1 Deleted@unknown(last seen @1)", "web-2: Replaced@1")
		}},
	})
}

func TestPopWaits(t *testing.T) {
	// A bubble settles when every goroutine is blocked, and waiting for a sync.Mutex does not count.
	// So these laws also show that a Pop that waits has released the lock.
	inBubble := func(promise string, f func(t *testing.T, q *DeltaFIFO, popped chan error)) {
		t.Run(promise, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := New(Options{})
				popped := make(chan error, 3)
				for range 3 {
					go func() {
						_, err := q.Pop(discard)
						popped <- err
					}()
				}
				synctest.Wait()
				require.Empty(t, popped, "nothing to pop yet")
				f(t, q, popped)
			})
		})
	}
	inBubble("closing wakes every waiting Pop", func(t *testing.T, q *DeltaFIFO, popped chan error) {
		q.Close()
		for range 3 {
			assert.ErrorIs(t, <-popped, ErrClosed)
		}
	})
	inBubble("one key wakes one Pop", func(t *testing.T, q *DeltaFIFO, popped chan error) {
		for n := range 3 {
			require.NoError(t, q.Add(object(fmt.Sprint("web-", n), "1")))
			synctest.Wait()
			assert.Len(t, popped, n+1)
		}
	})
	inBubble("a list wakes one Pop per key", func(t *testing.T, q *DeltaFIFO, popped chan error) {
		require.NoError(t, q.Replace(at("web-1@1", "web-2@1", "web-2@2"), "1"))
		synctest.Wait()
		assert.Len(t, popped, 2)
		q.Close()
	})
	inBubble("AddIfNotPresent wakes a Pop", func(t *testing.T, q *DeltaFIFO, popped chan error) {
		require.NoError(t, q.AddIfNotPresent(Deltas{{Added, object("web-1", "1")}}))
		synctest.Wait()
		assert.Len(t, popped, 1)
		q.Close()
	})
}

func TestSlowProcessingIsLogged(t *testing.T) {
	cases := []struct {
		promise string
		behind  int
		took    time.Duration
		logged  bool
	}{
		{"slow, with 11 keys behind: a line in the log", 11, 101 * time.Millisecond, true},
		{"slow, with 10 keys behind: no line in the log", 10, 101 * time.Millisecond, false},
		{"fast enough: no line in the log", 11, 100 * time.Millisecond, false},
	}
	for _, c := range cases {
		t.Run(c.promise, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rig{T: t, DeltaFIFO: New(Options{})}
				log := r.logged()
				r.add("web-0@1")
				for _, obj := range manyObjects(c.behind) {
					require.NoError(t, r.Add(obj))
				}
				_, err := r.Pop(func(Deltas, bool) error {
					time.Sleep(c.took)
					return nil
				})
				require.NoError(t, err)
				assert.Equal(t, c.logged, log.Len() > 0, log.String())
			})
		})
	}
}

// Two producers and a consumer at the same time: each producer's objects arrive, once, and in the
// order in which it sent them.
func TestProducersKeepTheirOrder(t *testing.T) {
	const each = 500
	q := New(Options{})
	done := make(chan struct{})
	for _, team := range []string{"web", "db"} {
		go func() {
			for i := range each {
				_ = q.Add(&watchglass.ObjectMeta{Namespace: team, Name: fmt.Sprintf("%04d", i)})
			}
			done <- struct{}{}
		}()
	}
	got := map[string][]string{}
	for range 2 * each {
		d, err := q.Pop(discard)
		require.NoError(t, err)
		require.Len(t, d, 1)
		team := d[0].Object.GetNamespace()
		got[team] = append(got[team], d[0].Object.GetName())
	}
	<-done
	<-done
	for team, names := range got {
		assert.Len(t, names, each, team)
		assert.IsNonDecreasing(t, names, team)
	}
	require.NoError(t, q.check())
}
