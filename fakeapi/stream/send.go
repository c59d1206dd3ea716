package stream

import (
	"errors"
	"time"

	"example.com/watchglass/fakeapi/store"
)

// sendInitial sends the state that the watch starts with: an ADDED for every object, in order of
// keys, and, if the client wants it, the bookmark that says that all objects were sent.
func (s *stream) sendInitial(state store.Snapshot) (end EndReason, err error) {
	n := 0
	for o := range state.All(s.Frames.Prefix(), "") {
		if n++; n%burst == 0 {
			if end := s.over(); end != "" {
				return end, nil
			}
		}
		if !s.Frames.Selects(o) {
			continue
		}
		name, line := s.Frames.Object(o, store.Added)
		if err := s.send(store.Added, name, o.Version(), line); err != nil {
			return "", err
		}
	}
	if s.Marked {
		return "", s.bookmark(state.Version, true)
	}
	return "", nil
}

// forward reads the next events, at most n, sends those that are selected, and
// flushes, so that no frame waits in a buffer. It returns how many events it has read.
func (s *stream) forward(n int) (passed int, err error) {
	for ; passed < n; passed++ {
		e := s.watcher.Next()
		if e == nil {
			break
		}
		if e.Version() <= s.sent {
			continue // a watch from a future version gets no event up to that version
		}
		kind := e.Seen(s.Frames.Selects)
		if kind == "" {
			continue
		}
		name, line := s.Frames.Event(e, kind)
		if err := s.send(kind, name, e.Version(), line); err != nil {
			return passed, err
		}
		s.sent = e.Version()
	}
	return passed, s.out.Flush()
}

func (s *stream) send(kind store.Type, name string, version uint64, line [][]byte) error {
	info := FrameInfo{string(kind), name, version, size(line)}
	_, err := s.out.Send(Frame{FrameInfo: info, Line: line})
	return err
}

// tick sends a bookmark if one is due.
func (s *stream) tick() error {
	now := time.Now()
	if now.Before(s.clock.next) {
		return nil
	}
	s.clock.advance(now)
	// A bookmark says that all events up to its version were sent. If there are
	// unsent events, this bookmark is left out, and the next is due an interval later.
	if behind, version := s.watcher.Behind(); behind == 0 && version > s.sent {
		return errors.Join(s.bookmark(version, false), s.out.Flush())
	}
	return nil
}

func (s *stream) bookmark(version uint64, last bool) error {
	line := s.Frames.Bookmark(version, last)
	info := FrameInfo{string(Bookmark), "", version, size(line)}
	sent, err := s.out.Send(Frame{info, line, last})
	if sent {
		s.sent = version
	}
	return err
}
