package deltafifo

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// What is queued, counted and popped is in the stories and in the model. The laws here are promises
// about everything else.

func TestRealFIFO(t *testing.T) {
	t.Run("a refused object is not queued, and the error says why", func(t *testing.T) {
		q := NewRealFIFO(RealFIFOOptions{Transform: picky})
		assert.EqualError(t, q.Update(object("bad", "1")),
			`realfifo: update: "bad" at version "1" cannot be used: transform: refused`)
		plain := NewRealFIFO(RealFIFOOptions{})
		list := []watchglass.Object{object("web-1", "1"), object("", "2")}
		assert.EqualError(t, plain.Replace(list, "90"),
			`realfifo: replace: `+"no key for *watchglass.ObjectMeta "+
				`(namespace "", name "", resourceVersion "2"): object has no name`)
		assert.Error(t, plain.Add(nil))
		assert.Error(t, plain.Add(object("", "1")))
		assert.Zero(t, q.Len()+plain.Len())
	})
	t.Run("a batch has at most 1000 deltas, and the lock is free while it is processed",
		func(t *testing.T) {
			q := fill(NewRealFIFO(RealFIFOOptions{}), 5000)
			for range 5 {
				batch := q.queue[:1000]
				require.NoError(t, q.PopBatch(func(d Deltas, _ bool) error {
					assert.Equal(t, Deltas(batch), d)
					return q.Resync() // it would wait for the lock forever
				}))
				assert.Nil(t, batch[0].Object, "an array that is not full keeps no object alive")
			}
		})
	// Two consumers that worked at the same time could store two states in the wrong order.
	story.Bubble(t, "consumers take turns until a closed queue is empty, then all get ErrClosed",
		func(t *testing.T) {
			q, busy, ended := NewRealFIFO(RealFIFOOptions{}), 0, make(chan error, 3)
			for range cap(ended) {
				go func() {
					var err error
					for err == nil {
						_, err = q.Pop(func(Deltas, bool) error {
							busy++
							time.Sleep(time.Second)
							assert.Equal(t, 1, busy, "process funcs that run at the same time")
							busy--
							return nil
						})
					}
					ended <- err
				}()
			}
			synctest.Wait() // they wait for deltas
			fill(q, 4)
			time.Sleep(2500 * time.Millisecond)
			assert.Equal(t, 2, q.Len(), "deltas wake a consumer, which wakes the next one")
			q.Close()
			for range cap(ended) {
				assert.ErrorIs(t, <-ended, ErrClosed)
				assert.Zero(t, q.Len(), "a closed queue is drained first")
			}
		})
	story.Bubble(t, "a consumer that waits is told that the queue is closed", func(t *testing.T) {
		q := NewRealFIFO(RealFIFOOptions{})
		time.AfterFunc(time.Second, q.Close)
		_, err := q.Pop(discard)
		assert.ErrorIs(t, err, ErrClosed)
	})
	t.Run("an event allocates its place in the queue and nothing else, not even its key",
		func(t *testing.T) {
			q := NewRealFIFO(RealFIFOOptions{})
			obj := &watchglass.ObjectMeta{Namespace: "default", Name: "web-1", ResourceVersion: "1"}
			assert.InDelta(t, 1, testing.AllocsPerRun(1000, func() {
				_ = q.Update(obj)
				_ = q.PopBatch(discard)
			}), 0)
		})
	t.Run("the room for a burst doubles, so that it is seldom moved, and is given back after it",
		func(t *testing.T) {
			q, moves, room := NewRealFIFO(RealFIFOOptions{}), 0, 0
			for range 1 << 15 {
				if _ = q.Resync(); cap(q.queue) != room {
					moves, room = moves+1, cap(q.queue)
				}
			}
			assert.LessOrEqual(t, moves, 16)
			for fill(q, 2); q.Len() > 0; {
				_ = q.PopBatch(discard)
			}
			assert.Nil(t, q.queue)
			assert.Empty(t, q.batchHas)
		})
}

// fill queues n objects.
func fill(q *RealFIFO, n int) *RealFIFO {
	for i := range n {
		_ = q.Add(object(strconv.Itoa(i), "1"))
	}
	return q
}

// entryOf describes a delta with its objects: "web-1 Added@7", "ReplacedAll@90 [web-1@7]".
func entryOf(d Delta) string {
	if info, ok := d.Object.(ReplacedAllInfo); ok {
		return fmt.Sprint(d, " ", versions(info.Objects))
	}
	return strings.Trim(d.Object.GetName()+" "+d.String(), " @")
}

func entriesOf(deltas Deltas) []string {
	words := []string{}
	for _, d := range deltas {
		words = append(words, entryOf(d))
	}
	return words
}

func versions(list []watchglass.Object) []string {
	words := []string{}
	for _, obj := range list {
		words = append(words, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	return words
}
