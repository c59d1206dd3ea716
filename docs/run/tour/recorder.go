package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"example.com/watchglass/docs/tools/lanes"
)

// recorder collects what the traces report. Stages call it from many goroutines and while they hold
// their locks, so it only appends.
type recorder struct {
	mu      sync.Mutex
	cells   []lanes.Cell  // reported and not yet taken, in the order of reports
	changed chan struct{} // closed by the next report
}

func newRecorder() *recorder { return &recorder{changed: make(chan struct{})} }

func (r *recorder) add(cells ...lanes.Cell) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cells = append(r.cells, cells...)
	close(r.changed)
	r.changed = make(chan struct{})
}

// news returns a channel that the next report closes.
func (r *recorder) news() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// take returns what was reported since the last take.
func (r *recorder) take() []lanes.Cell {
	r.mu.Lock()
	defer r.mu.Unlock()
	cells := r.cells
	r.cells = nil
	return cells
}

// want is a report to wait for: a cell in this lane whose text contains this text.
type want struct {
	lane int
	text string
}

// patience is how long await waits for a report. Over loopback a report takes milliseconds.
const patience = 20 * time.Second

var errStuck = fmt.Errorf("not reported within %v", patience)

// await waits until each want has been reported since the last take. A want that is given twice
// must have been reported twice.
func (r *recorder) await(ctx context.Context, wants ...want) error {
	times := map[want]int{}
	for _, w := range wants {
		times[w]++
		if err := r.until(ctx, func() bool { return r.reported(w) >= times[w] }); err != nil {
			return fmt.Errorf("%q in lane %s: %w", w.text, stages.Names[w.lane], err)
		}
	}
	return nil
}

// until waits until done returns true. It calls done again after each report.
func (r *recorder) until(ctx context.Context, done func() bool) error {
	late := time.After(patience)
	for {
		news := r.news() // before done, or a report between the two would be missed
		if done() {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return errStuck
		}
	}
}

// reported returns how often w was reported since the last take.
func (r *recorder) reported(w want) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return count(r.cells, w.lane, w.text)
}

// count returns how many cells of a lane contain the text.
func count(cells []lanes.Cell, lane int, text string) (n int) {
	for _, c := range cells {
		if c.Lane == lane && strings.Contains(c.Text, text) {
			n++
		}
	}
	return n
}
