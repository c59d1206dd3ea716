package deltafifo

import (
	"slices"
	"strings"
)

// picture is a queue as a program draws it that knows only what the trace reports, and does not
// count. After each step it must show the same as the queue.
type picture struct {
	rows   []string // "web-1: Added@1 Updated@2"; of a RealFIFO, which has no keys, "web-1 Added@1"
	popped []string // rows that are being processed
	state  State
	synced int // how often that was reported
}

func (p *picture) trace() *Trace {
	note := func(s State) { p.state = s }
	return &Trace{
		Queued: func(key string, d Delta, pending Deltas, s State) {
			p.draw(key, pending)
			if note(s); describe(*pending.Newest()) != describe(d) {
				p.draw(key, Deltas{d}) // which is wrong, and is noticed
			}
		},
		Merged: func(key string, _ Delta, pending Deltas, s State) {
			p.draw(key, pending)
			note(s)
		},
		Ignored:  func(_ string, _ Delta, s State) { note(s) },
		Replaced: func(_ string, _, _ int, s State) { note(s) },
		Popped: func(key string, d Deltas, _ bool, s State) {
			p.popped = rowsOf(key, d)
			note(s)
		},
		Processed: func(_ string, s State) {
			first := p.rows[:len(p.rows)-s.Len]
			if note(s); slices.Equal(first, p.popped) { // or they stay, which is wrong, and is noticed
				p.rows = p.rows[len(first):]
			}
			p.popped = nil
		},
		Requeued: func(key string, d Deltas, s State) {
			p.draw(key, d)
			note(s)
		},
		Synced: func(s State) {
			p.synced++
			note(s)
		},
	}
}

// draw shows what is pending for a key in its row or, if it has none, in a new one.
func (p *picture) draw(key string, pending Deltas) {
	rows := rowsOf(key, pending)
	i := slices.IndexFunc(p.rows, func(row string) bool {
		return key != "" && strings.HasPrefix(row, key+": ")
	})
	if i < 0 {
		p.rows = append(p.rows, rows...)
	} else {
		p.rows[i] = rows[0]
	}
}

// rowsOf returns the row of a key or, in a RealFIFO, a row for each delta.
func rowsOf(key string, d Deltas) []string {
	if key == "" {
		return entriesOf(d)
	}
	return []string{key + ": " + describeAll(d)}
}
