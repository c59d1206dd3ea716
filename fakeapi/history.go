package fakeapi

import (
	"slices"
	"sort"
	"time"
)

// A history is the window of events that one resource remembers, and the end of
// the chain to which new ones are appended. The store's lock guards it.
type history struct {
	window []*event // oldest first; the last one is tail, unless empty
	tail   *event   // the newest event, or the blank one that began the chain

	// forgotten is the version up to which nothing is known any more: states
	// and watches from forgotten on are served, older ones are "too old".
	forgotten uint64
}

func newHistory(version uint64) history {
	blank := newEvent("", nil, nil)
	blank.version = version
	return history{tail: blank, forgotten: version}
}

// append links e to the end of the chain and wakes everybody waiting there.
func (h *history) append(e *event) {
	last := h.tail
	e.seq = last.seq + 1
	h.window = append(h.window, e)
	h.tail = e
	last.next = e
	close(last.ready)
}

// overdue is how many of the oldest events are beyond count or older than age.
func (h *history) overdue(count int, age time.Duration, now time.Time) int {
	n := max(0, len(h.window)-count)
	for n < len(h.window) && now.Sub(h.window[n].at) > age {
		n++
	}
	return n
}

// drop forgets the n oldest events and returns them.
func (h *history) drop(n int) []*event {
	if n == 0 {
		return nil
	}
	gone := slices.Clone(h.window[:n])
	clear(h.window[:n]) // or the array would keep them alive
	h.window = h.window[n:]
	h.forgotten = gone[n-1].version
	return gone
}

// after is the event after which a watch from version v starts reading. It may
// be the blank one; v must not be below forgotten.
func (h *history) after(v uint64) *event {
	if v >= h.tail.version {
		return h.tail
	}
	i := sort.Search(len(h.window), func(i int) bool { return h.window[i].version > v })
	if i > 0 {
		return h.window[i-1]
	}
	// Nothing remembered is that old: a starting point of its own, linked to
	// the oldest event that is.
	start := newEvent("", nil, nil)
	start.seq = h.window[0].seq - 1
	start.next = h.window[0]
	close(start.ready)
	return start
}
