package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A thing is the Object of these tests.
type thing struct {
	key     string
	version uint64
	size    int
	text    string
}

func (o *thing) Key() string     { return o.key }
func (o *thing) Version() uint64 { return o.version }
func (o *thing) Size() int       { return o.size }

// roomy limits are so high that these tests reach none of them.
var roomy = Limits{Events: 1000, Age: time.Hour, Bytes: 1 << 30, Behind: 1000}

// newCollection returns a collection of a store of its own.
func newCollection(limits Limits) *Collection { return New(limits, nil).NewCollection("things") }

// put writes an object under a key, and remove deletes it.
func put(t testing.TB, c *Collection, key, text string) *thing {
	t.Helper()
	var o *thing
	require.NoError(t, c.store.Update(func(tx *Tx) error {
		o = &thing{key, tx.Next(), len(text), text}
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

// received returns what Next returns until there is nothing more.
func received(w *Watcher) []string {
	all := []string{}
	for e := w.Next(); e != nil; e = w.Next() {
		all = append(all, fmt.Sprintf("%s %s@%d", e.Type, e.Object.Key(), e.Version()))
	}
	return all
}

// check recomputes what an index promises about itself.
func (idx *index) check() error {
	last, n := "", 0
	for i, b := range idx.blocks {
		if len(b.objects) == 0 && len(idx.blocks) > 1 || len(b.objects) > blockSize {
			return fmt.Errorf("block %d holds %d objects", i, len(b.objects))
		}
		if b.generation > idx.generation {
			return fmt.Errorf("block %d is newer than the list it is in", i)
		}
		for _, o := range b.objects {
			if n > 0 && o.Key() <= last {
				return fmt.Errorf("%q comes after %q", o.Key(), last)
			}
			last, n = o.Key(), n+1
		}
	}
	if counted := idx.count(""); counted != n {
		return fmt.Errorf("%d objects in blocks, %d counted", n, counted)
	}
	return nil
}

// keptAlive returns how many bytes would be free without the history: those of its events, and
// of each state that only they refer to.
func (c *Collection) keptAlive() int {
	states := map[Object]bool{}
	for _, e := range c.history.window {
		states[e.Object] = true
		if e.Before != nil {
			states[e.Before] = true
		}
	}
	n := overhead * len(c.history.window)
	for o := range states {
		if c.objects.get(o.Key()) != o {
			n += o.Size()
		}
	}
	return n
}

// check recomputes what a collection promises about its objects and its history.
func (c *Collection) check() error {
	if err := c.objects.check(); err != nil {
		return err
	}
	h := c.history
	for i, e := range h.window {
		switch {
		case e.Version() <= h.forgotten:
			return fmt.Errorf("event %d is remembered and forgotten", e.Version())
		case e.Type != Deleted && e.Version() != e.Object.Version():
			return fmt.Errorf("event %d has an object of version %d", e.Version(), e.Object.Version())
		case h.linkTo(i).next != e:
			return fmt.Errorf("event %d is not linked to the one before", e.Version())
		case e.after.place != h.linkTo(i).place.plus(e):
			return fmt.Errorf("the place of event %d does not follow that of the one before", e.Version())
		}
	}
	if n := len(h.window); n > 0 && h.bytesFrom(0) != c.keptAlive() {
		return fmt.Errorf("the history has %d bytes, and keeps %d alive", h.bytesFrom(0), c.keptAlive())
	}
	if h.linkTo(len(h.window)) != h.end {
		return fmt.Errorf("the last event remembered is not the last of the chain")
	}
	return nil
}
