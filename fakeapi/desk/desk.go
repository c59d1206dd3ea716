package desk

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// A Desk has room for requests of a limited weight. It is safe for concurrent use.
type Desk struct{ small, large line }

// New returns a desk for requests whose weights are together at most room bytes.
func New(room int) *Desk {
	return &Desk{small: line{room: room / 4}, large: line{room: room - room/4}}
}

// Enter waits until there is room for weight bytes, and returns the function that leaves the
// desk again. It returns ctx's error if ctx is done first.
func (d *Desk) Enter(ctx context.Context, weight int) (leave func(), err error) {
	l := &d.large
	if weight <= (d.small.room+d.large.room)/64 {
		l = &d.small
	}
	req := &request{min(weight, l.room), make(chan struct{})}
	l.enter(req)
	select {
	case <-req.admitted:
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		l.leave(req)
		return nil, err
	}
	return func() {
		if req.weight >= heavy {
			runtime.GC()
		}
		l.leave(req)
	}, nil
}

// heavy is the weight in bytes from which on the garbage of a request is collected before it
// leaves. Otherwise it would lie beside what the next request takes: the runtime lets a heap
// grow to twice its last size.
const heavy = 64 << 20

// A line admits requests in the order in which they came.
type line struct {
	room int

	mu      sync.Mutex
	taken   int        // the weights of those admitted; at most room
	waiting []*request // there is no room for the first
}

// A request waits in a line, or is at the desk.
type request struct {
	weight   int
	admitted chan struct{} // closed when its weight has been taken
}

func (l *line) enter(req *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, req)
	l.admit()
}

// leave removes a request, whether it waits or has been admitted.
func (l *line) leave(req *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting, req); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	} else {
		l.taken -= req.weight
	}
	l.admit()
}

// admit lets in, from the front, all requests that fit. The caller holds mu.
func (l *line) admit() {
	for len(l.waiting) > 0 && l.taken+l.waiting[0].weight <= l.room {
		l.taken += l.waiting[0].weight
		close(l.waiting[0].admitted)
		l.waiting = slices.Delete(l.waiting, 0, 1)
	}
}
