package fakeapi

import (
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/store"
)

// sendInitial sends the state that the watch starts with, if the client wants it:
// an ADDED for every object, in order of keys, and the bookmark that says that
// all objects were sent.
func (x *stream) sendInitial(start store.Start) (end EndReason, err error) {
	if start.State == nil {
		return "", nil
	}
	if err := x.out.gather(); err != nil { // it copies: scratch can be used for every object
		return "", err
	}
	var scratch []byte
	n := 0
	for o := range start.State.All(x.sel.Prefix(), "") {
		d := o.(*object.Document)
		if n++; n%burst == 0 {
			if end := x.over(); end != "" {
				return end, nil
			}
		}
		if !x.sel.Matches(d) {
			continue
		}
		frame := initialFrame(&scratch, x.q.r(), d, x.form)
		if err := x.send(store.Added, d, d.Version(), frame); err != nil {
			return "", err
		}
	}
	if x.marked {
		return "", x.bookmark(start.Version, true)
	}
	return "", nil
}

// forward reads the next events, at most n, sends those that are selected, and
// flushes, so that no frame waits in a buffer. It returns how many events it has read.
func (x *stream) forward(n int) (passed int, err error) {
	for ; passed < n; passed++ {
		e := x.watcher.Next()
		if e == nil {
			break
		}
		if e.Version() <= x.sent {
			continue // a watch from a future version gets no event up to that version
		}
		kind, d, ok := seenBy(e, x.sel)
		if !ok {
			continue
		}
		if err := x.send(kind, d, e.Version(), frameFor(e, x.q.r(), kind, d, x.form)); err != nil {
			return passed, err
		}
		x.sent = e.Version()
	}
	return passed, x.out.flush()
}

// send sends one object.
func (x *stream) send(kind store.Type, d *object.Document, version uint64, bytes []byte) error {
	info := FrameInfo{string(kind), d.Name, version, len(bytes)}
	_, err := x.out.send(frame{FrameInfo: info, bytes: bytes})
	x.form = x.form.next()
	return err
}

// bookmark sends a bookmark.
func (x *stream) bookmark(version uint64, last bool) error {
	b, _ := object.NewFrame(object.Bookmark, x.form.bookmarkObject(x.q.r(), version, last))
	info := FrameInfo{string(object.Bookmark), "", version, len(b)}
	sent, err := x.out.send(frame{info, b, last})
	if sent {
		x.sent = version
		x.form = x.form.next()
	}
	return err
}
