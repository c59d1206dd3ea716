package reflector

import (
	"context"
	"fmt"
	"io"
	"time"

	"example.com/watchglass"
)

// openStream asks for a streaming list, unless the time for it is over. The time runs from the
// first request of a series and through all further attempts: a proxy that cuts every stream before
// its end would otherwise keep the store empty for ever.
func (r *Reflector) openStream(ctx context.Context, state State) facts {
	if r.streamBy.IsZero() {
		r.streamBy = time.Now().Add(r.opts.StreamingTimeout)
	}
	if time.Until(r.streamBy) <= 0 {
		return facts{err: ErrNoInitialEventsEnd}
	}
	return r.open(ctx, state)
}

// limitStream sets the timer that ends a streaming list when the time that is left is over.
func (r *Reflector) limitStream(s *session) {
	s.giveUp = time.AfterFunc(time.Until(r.streamBy), func() { s.cancel(ErrNoInitialEventsEnd) })
}

// stream collects the initial events of a streaming list and puts them into the store when a
// bookmark marks their end. If that succeeds, the session stays open, and the same stream goes on
// with the changes. Otherwise it is closed.
func (r *Reflector) stream() facts {
	s := r.session
	items, version, err := r.collect(s)
	if !s.giveUp.Stop() && err == nil {
		err = ErrNoInitialEventsEnd // the timer fired at the last moment, and has ended the stream
	}
	if err == nil && r.opts.CheckConsistency {
		r.checkConsistency(s.ctx, items, version)
	}
	if err == nil {
		err = r.replace(s.ctx, items, s.asked.ResourceVersion, version, false)
	}
	if err != nil {
		return r.end(Streaming, err)
	}
	r.streamBy = time.Time{}
	s.synthetic = false    // from now on events come in the order of versions
	s.started = time.Now() // the time that a list takes does not make a watch a long one
	return facts{}
}

// collect reads up to the end of the initial events and returns the collection that they make.
func (r *Reflector) collect(s *session) (items []watchglass.Object, version string, err error) {
	found := newCollection()
	for {
		e, err := r.nextEvent(s)
		switch {
		case err == io.EOF: // an orderly end, but too early
			return nil, "", fmt.Errorf("the stream ended before its initial events were complete: %w", err)
		case err != nil:
			return nil, "", err
		case e.Type == Bookmark && e.InitialEventsEnd:
			return found.list(), e.ResourceVersion, nil
		}
		if err := found.apply(e); err != nil {
			return nil, "", err
		}
	}
}

// collection is the initial state while it is being put together: objects by key, in the order in
// which they first came. They are kept as they are; the store transforms them, once.
type collection struct {
	index map[string]int // where in items an object is
	items []watchglass.Object
}

func newCollection() *collection { return &collection{index: map[string]int{}} }

// apply adds an event to the collection. If objects change while the initial events are sent, the
// changes arrive between them.
func (c *collection) apply(e Event) error {
	switch e.Type {
	case Added, Modified, Deleted:
	case Bookmark:
		return nil
	default:
		return unknownType(e)
	}
	// Whatever key the store uses, within one collection a namespace and a name are one object.
	key, err := watchglass.MetaNamespaceKeyFunc(e.Object)
	if err != nil {
		return &DecodeError{What: "watch event", Err: err}
	}
	at, known := c.index[key]
	switch {
	case e.Type == Deleted && known:
		c.items[at] = nil // list leaves the gap out; if the object comes again, it is filled
	case e.Type == Deleted: // the object had not arrived, so there is nothing to remove
	case known: // an object that changed keeps its place
		c.items[at] = e.Object
	default:
		c.index[key] = len(c.items)
		c.items = append(c.items, e.Object)
	}
	return nil
}

// list returns the objects that are left. The collection must not be used afterwards.
func (c *collection) list() []watchglass.Object {
	kept := c.items[:0]
	for _, obj := range c.items {
		if obj != nil {
			kept = append(kept, obj)
		}
	}
	return kept
}
