package desk

import (
	"context"
	"runtime"
	"runtime/debug"
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
	l.mu.Lock()
	l.waiting = append(l.waiting, req)
	l.admit()
	l.mu.Unlock()
	select {
	case <-req.admitted:
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		l.leave(req)
		return nil, err
	}
	if req.weight < heavy {
		return func() { l.leave(req) }, nil
	}
	thrift(1)
	return func() {
		thrift(-1)
		runtime.GC() // its garbage would lie beside what the next request takes
		l.leave(req)
	}, nil
}

// heavy is the weight in bytes from which on requests make the runtime collect garbage more often.
// Otherwise a heap may grow to twice its last size, and encoding a tree makes nearly that much.
const heavy = 64 << 20

// thrifty counts the heavy requests at all desks of the process. percent is by how much the heap
// may grow while there are some; meanwhile it keeps the percentage from before.
var thrifty = struct {
	mu                sync.Mutex
	requests, percent int
}{percent: 30}

// thrift counts one heavy request more, or fewer. The first one and the last one exchange the
// runtime's percentage for the other.
func thrift(more int) {
	thrifty.mu.Lock()
	defer thrifty.mu.Unlock()
	if thrifty.requests += more; thrifty.requests == max(more, 0) {
		thrifty.percent = debug.SetGCPercent(thrifty.percent)
	}
}

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
