package reflector

import (
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/watchglass"
)

// stream collects the initial events of a streaming list and puts them into the store when a
// bookmark marks their end. Upon success the session stays open: the same stream goes on with what
// happens next. In every other case it is closed.
func (r *Reflector) stream() result {
	s := r.session
	// Not from now, but from the request on: the server may have held back its answer.
	giveUp := time.AfterFunc(time.Until(s.started.Add(r.opts.StreamingTimeout)), func() {
		s.cancel(ErrNoInitialEventsEnd)
	})
	defer giveUp.Stop()
	err := r.collect(s)
	if err == nil {
		s.synthetic = false // what comes now comes in order
		return result{}
	}
	res := r.result(err)
	r.hangUp()
	r.opts.Trace.ended(res.events, res.elapsed, err)
	return res
}

// collect reads up to the end of the initial events, and hands the store what they add up to.
func (r *Reflector) collect(s *session) error {
	found := newCollection()
	for {
		e, err := s.next()
		switch {
		case err != nil && r.skip(err):
			continue
		case errors.Is(err, io.EOF): // orderly as it is, it is too early
			return fmt.Errorf("it ended before its initial events did: %w", err)
		case err != nil:
			return err
		}
		s.events++
		r.opts.Trace.event(e)
		if err := found.apply(e); err != nil {
			return err
		}
		if e.Type == Bookmark && e.InitialEventsEnd {
			return r.replace(found, e.ResourceVersion)
		}
	}
}

// replace is the end of a streaming list, as the store sees it: the same as that of a list.
func (r *Reflector) replace(found *collection, version string) error {
	items := found.list()
	count := len(items)
	if err := r.opts.Store.Replace(items, version); err != nil {
		return refusedList(version, err)
	}
	r.setVersion(version)
	r.lost.Store(0)
	r.opts.Trace.listed(count, version, false)
	return nil
}

// collection is the initial state while it is being put together: objects by key, in the order in
// which they first came. They are kept as they are; it is the store's business to transform them,
// once.
type collection struct {
	index map[string]int // where in items an object is
	items []watchglass.Object
}

func newCollection() *collection { return &collection{index: map[string]int{}} }

// apply folds an event in. Changes may come between the initial events of a collection that is in
// use.
func (c *collection) apply(e Event) error {
	if e.Type == Bookmark {
		return nil
	}
	// Whatever key the store uses, within one collection a namespace and a name are one object.
	key, err := watchglass.MetaNamespaceKeyFunc(e.Object)
	if err != nil {
		return &DecodeError{What: "watch event", Err: err}
	}
	at, known := c.index[key]
	switch {
	case e.Type == Deleted && known:
		c.items[at] = nil // list leaves the gap out; should it come again, it is filled
	case e.Type == Deleted: // of something that had not come yet, and now never will
	case known: // an object that changed keeps its place
		c.items[at] = e.Object
	default:
		c.index[key] = len(c.items)
		c.items = append(c.items, e.Object)
	}
	return nil
}

// list returns what is left. The collection is of no use afterwards.
func (c *collection) list() []watchglass.Object {
	kept := c.items[:0]
	for _, obj := range c.items {
		if obj != nil {
			kept = append(kept, obj)
		}
	}
	return kept
}
