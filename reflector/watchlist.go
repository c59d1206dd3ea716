package reflector

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"example.com/watchglass"
)

// maxStreams is how many streaming lists may break off or get no answer before a list is asked for.
const maxStreams = 3

// openStream asks for a streaming list, unless there were enough attempts: a proxy that cuts every
// stream before its end, and leaves lists alone, would otherwise keep the store empty forever. A
// 429 is no such attempt, because the server would not want a list either. A reflector without a
// version asks for the latest state, as client-go does.
func (r *Reflector) openStream(ctx context.Context) facts {
	if r.streams == maxStreams {
		return facts{err: ErrNoInitialEventsEnd}
	}
	asked := r.watchOptions()
	asked.SendInitialEvents, asked.ResourceVersionMatch = true, "NotOlderThan"
	if r.latest {
		asked.ResourceVersion = ""
	}
	s := newSession(ctx, asked, r.config.IdleTimeout)
	s.giveUp = time.AfterFunc(streamingTimeout, func() { s.cancel(ErrNoInitialEventsEnd) })
	return r.open(s)
}

// stream collects the initial events of a streaming list and puts them into the store when a
// bookmark marks their end. If that succeeds, the session stays open, and the same stream goes on
// with the changes. Otherwise it is closed.
func (r *Reflector) stream() facts {
	s := r.session.Load()
	whole, err := r.collect(s)
	s.giveUp.Stop()
	s.giveUp = nil
	if err == nil {
		err = r.replace(s.ctx, whole, s.asked.ResourceVersion, false)
	}
	if err != nil {
		return r.end(err)
	}
	r.streams = 0
	s.synthetic = false    // from now on events come in the order of versions
	s.started = time.Now() // the time that a list takes does not make a watch a long one
	return facts{}
}

// collect reads up to the end of the initial events and returns the collection that they make. It
// may take any time, as long as further objects arrive. An object that is there already brings no
// more time: a server that never marks the end goes on with changes.
func (r *Reflector) collect(s *session) (*List, error) {
	found := collection{index: map[string]int{}}
	for size := 0; ; {
		if size < len(found.items) {
			size = len(found.items)
			s.giveUp.Reset(streamingTimeout)
		}
		e, err := r.nextEvent(s)
		if err == nil && e.Type == Bookmark && e.InitialEventsEnd {
			deleted := func(obj watchglass.Object) bool { return obj == nil }
			items := slices.DeleteFunc(found.items, deleted)
			return &List{Items: items, ResourceVersion: e.ResourceVersion}, nil
		}
		if err == nil {
			err = found.apply(e)
		}
		if err == io.EOF { // an orderly end, but too early
			err = fmt.Errorf("the stream ended before its initial events were complete: %w", err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// collection is the initial state while it is being put together: objects by key, in the order in
// which they first came. They are kept as they are; the store transforms them, once.
type collection struct {
	index map[string]int // where in items an object is
	items []watchglass.Object
}

// apply adds an event to the collection. If objects change while the initial events are sent, the
// changes arrive between them. An object that changed keeps its place, and a deleted one leaves a
// nil there.
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
	if !known {
		at = len(c.items)
		c.index[key] = at
		c.items = append(c.items, nil)
	}
	c.items[at] = e.Object
	if e.Type == Deleted {
		c.items[at] = nil
	}
	return nil
}
