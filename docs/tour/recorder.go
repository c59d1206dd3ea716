package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// recorder collects what the traces report. Stages call it under their locks and from many
// goroutines, so all it does is to append.
type recorder struct {
	mu      sync.Mutex
	marks   []mark // reported and not yet taken, in the order of reports
	notes   []string
	tally   tally
	changed chan struct{} // closed by the next report
}

// tally counts what has happened since the beginning.
type tally struct {
	lists, watches, events, calls int
}

func newRecorder() *recorder { return &recorder{changed: make(chan struct{})} }

func (t *tally) list()  { t.lists++ }
func (t *tally) watch() { t.watches++ }
func (t *tally) event() { t.events++ }
func (t *tally) call()  { t.calls++ }

// report adds a mark. object is a key, or empty.
func (r *recorder) report(l lane, object, format string, args ...any) {
	r.add(mark{lane: l, object: object, text: fmt.Sprintf(format, args...)}, nil)
}

// alarm adds a mark for something that went wrong.
func (r *recorder) alarm(l lane, object, format string, args ...any) {
	r.add(mark{lane: l, object: object, text: fmt.Sprintf(format, args...), alarm: true}, nil)
}

// counted adds a mark and counts it, both at once: nobody finds one without the other.
func (r *recorder) counted(count func(*tally), l lane, object, format string, args ...any) {
	r.add(mark{lane: l, object: object, text: fmt.Sprintf(format, args...)}, count)
}

func (r *recorder) add(m mark, count func(*tally)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if count != nil {
		count(&r.tally)
	}
	r.marks = append(r.marks, m)
	r.wake()
}

// wake tells those who wait that there is news. It is called with mu held.
func (r *recorder) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// touch is for what changes a gauge but is no news to draw.
func (r *recorder) touch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wake()
}

// note keeps a line about what came from the server, for where no script says it.
func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// soFar returns the tally.
func (r *recorder) soFar() tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tally
}

// news returns a channel that the next report closes.
func (r *recorder) news() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// take returns what was reported since the last take.
func (r *recorder) take() ([]mark, []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	marks, notes := r.marks, r.notes
	r.marks, r.notes = nil, nil
	return marks, notes
}

// want is a report that is waited for: a mark in a lane whose text contains this.
type want struct {
	lane lane
	text string
}

func (w want) String() string { return fmt.Sprintf("%q in lane %s", w.text, laneNames[w.lane]) }

// patience is how long a report is waited for. Loopback needs milliseconds.
const patience = 20 * time.Second

var errStuck = errors.New("waited for in vain")

// await waits until each want has been reported since the last take; one that is given twice must
// have been reported twice.
func (r *recorder) await(ctx context.Context, wants ...want) error {
	for i, w := range wants {
		times := 1
		for _, earlier := range wants[:i] {
			if earlier == w {
				times++
			}
		}
		if err := r.until(ctx, func() bool { return r.reported(w) >= times }); err != nil {
			return fmt.Errorf("%v: %w", w, err)
		}
	}
	return nil
}

// until waits until something is so. It looks again with each report.
func (r *recorder) until(ctx context.Context, so func() bool) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		news := r.news() // before the look, or one between the two would be missed
		if so() {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return errStuck
		}
	}
}

// reported returns how often.
func (r *recorder) reported(w want) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, m := range r.marks {
		if m.lane == w.lane && strings.Contains(m.text, w.text) {
			n++
		}
	}
	return n
}
