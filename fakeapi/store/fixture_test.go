package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A thing is the Object of these tests.
type thing struct {
	key     string
	version uint64
	size    int
}

func (o *thing) Key() string     { return o.key }
func (o *thing) Version() uint64 { return o.version }
func (o *thing) Size() int       { return o.size }

// roomy limits are so high that these tests reach none of them.
var roomy = Limits{Bytes: 1 << 30, Age: time.Hour, Behind: 1000}

// newCollection returns a collection of a store of its own.
func newCollection(limits Limits) *Collection { return New(limits, nil).NewCollection("things") }

// put writes an object of a size under a key, and remove deletes it.
func put(t testing.TB, c *Collection, key string, size int) *thing {
	t.Helper()
	var o *thing
	require.NoError(t, c.store.Update(func(tx *Tx) error {
		o = &thing{key, tx.Next(), size}
		tx.Put(c, o)
		return nil
	}))
	return o
}

func remove(t testing.TB, c *Collection, key string) {
	t.Helper()
	require.NoError(t, c.store.Update(func(tx *Tx) error {
		tx.Remove(c, &thing{key: key, version: tx.Next(), size: tx.Get(c, key).Size()})
		return nil
	}))
}

// listed returns the content of a snapshot.
func listed(s Snapshot) []string {
	all := []string{}
	for o := range s.All("", "") {
		all = append(all, fmt.Sprintf("%s@%d", o.Key(), o.Version()))
	}
	return all
}

func (e *Event) String() string {
	return fmt.Sprintf("%s %s@%d", e.Type, e.Object.Key(), e.Version())
}

// check recomputes what a store promises about its collections and its history.
func (s *Store) check(all ...*Collection) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	kept := 0
	for _, c := range all {
		objects := c.index.objects
		byKey := func(a, b Object) int { return strings.Compare(a.Key(), b.Key()) }
		if !slices.IsSortedFunc(objects, byKey) {
			return fmt.Errorf("%v are not in order", listed(Snapshot{objects: objects}))
		}
		own := slices.Collect(c.after(0))
		at := c.cursor(0)
		for _, e := range own {
			if at.event() != e || e.Version() <= c.oldest() {
				return fmt.Errorf("%v is not the next event, or forgotten", e)
			}
			at = e.after
		}
		if at != c.end || at.event() != nil {
			return fmt.Errorf("%v are not all of the chain", own)
		}
		kept += c.keptAlive()
	}
	if n := len(s.window); n > 0 && int(s.bytes-s.window[0].place.bytes) != kept {
		return fmt.Errorf("the history of %v keeps %d bytes alive", s.window, kept)
	}
	if kept > s.limits.Bytes {
		return fmt.Errorf("the history keeps %d bytes alive", kept)
	}
	return nil
}

// remembered returns the events of the history. expire may be running.
func (s *Store) remembered() []*Event {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.window)
}

// keptAlive returns how many bytes would be free without the history: those of its events, and
// of each state that only they refer to.
func (c *Collection) keptAlive() int {
	states := map[Object]bool{}
	n := 0
	for e := range c.after(0) {
		n += overhead
		states[e.Object] = true
		if e.Before != nil {
			states[e.Before] = true
		}
	}
	for o := range states {
		if c.index.objects.get(o.Key()) != o {
			n += o.Size()
		}
	}
	return n
}
