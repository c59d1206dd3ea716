package processor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// enforce tries to break a promise, which is the name of the subtest, in a bubble of its own. A
// goroutine that is left over, or a deadlock, breaks it, too.
func enforce(t *testing.T, promise string, o Options, try func(t *testing.T, k *fixture)) {
	story.Bubble(t, promise, func(t *testing.T) {
		k := &fixture{t: t, SharedProcessor: New(o)}
		try(t, k)
		k.stop()
		require.NoError(t, k.check())
	})
}

// A fixture is a processor with handles to run and stop it.
type fixture struct {
	*SharedProcessor
	t      *testing.T
	cancel context.CancelFunc
	ended  chan struct{} // closed when Run has returned
}

// run calls Run and returns when every goroutine is blocked.
func (k *fixture) run() {
	ctx, cancel := context.WithCancel(context.Background())
	k.cancel, k.ended = cancel, make(chan struct{})
	go func() { // waited for by stop
		defer close(k.ended)
		_ = k.Run(ctx)
	}()
	k.settle()
}

// stop ends Run, if it was called, and waits for it.
func (k *fixture) stop() {
	if k.cancel != nil {
		k.cancel()
		<-k.ended
	}
}

// settle waits until every goroutine is blocked.
func (k *fixture) settle() {
	synctest.Wait()
	require.NoError(k.t, k.check())
}

// join registers a recorder. The names are those of its initial objects.
func (k *fixture) join(options HandlerOptions, initial ...string) (*recorder, *Registration) {
	k.t.Helper()
	r := &recorder{}
	registration, err := k.AddListener(r, options, pods(initial...))
	require.NoError(k.t, err)
	return r, registration
}

// tell gathers adds and flushes: up to 128 are one batch.
func (k *fixture) tell(objs ...watchglass.Object) {
	for _, obj := range objs {
		k.Gather(AddNotification(obj, false), false)
	}
	k.Flush()
}

type testObject struct{ watchglass.ObjectMeta }

func pod(name, version string) *testObject {
	return &testObject{watchglass.ObjectMeta{Name: name, ResourceVersion: version}}
}

func pods(names ...string) (objs []watchglass.Object) {
	for _, name := range names {
		objs = append(objs, pod(name, "1"))
	}
	return objs
}

// A recorder is a handler that records its calls. A law can make it wait in a call.
type recorder struct {
	before func(call string) // called in the handler, before the call is recorded

	mu    sync.Mutex
	calls []string
}

func (r *recorder) OnAdd(obj watchglass.Object, first bool) { r.note(AddNotification(obj, first)) }
func (r *recorder) OnUpdate(old, obj watchglass.Object)     { r.note(UpdateNotification(old, obj)) }
func (r *recorder) OnDelete(obj watchglass.Object)          { r.note(DeleteNotification(obj)) }

func (r *recorder) note(n Notification) {
	if r.before != nil {
		r.before(n.String())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, n.String())
}

// list returns the calls so far.
func (r *recorder) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// check returns an error if an invariant of the processor's fields is broken.
func (p *SharedProcessor) check() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.gathered.list) >= maxBatch || p.state == stopped && len(p.listeners) > 0 {
		return fmt.Errorf("%d notifications gathered, %d listeners in state %d",
			len(p.gathered.list), len(p.listeners), p.state)
	}
	for _, l := range p.listeners {
		pending, high := l.pending.Load(), l.highWater.Load() // raised only with the lock held
		if isClosed(l.removed) || l.started != (p.state == running) || pending < 0 || pending > high {
			return fmt.Errorf("%s: removed %v, started %v in state %v, %d pending, high water %d",
				l.Name, isClosed(l.removed), l.started, p.state, pending, high)
		}
	}
	return nil
}

// checkRing may be called in a bubble that has settled.
func (l *processorListener) checkRing() error {
	r, inRing, pending := &l.ring, 0, int(l.pending.Load())
	for i := range len(r.buf) {
		b := r.at(i)
		if inRing += len(b.list); i >= r.n && b.list != nil {
			return fmt.Errorf("slot %d was read and still holds %v", r.slot(i), b)
		}
	}
	if inRing > pending || !l.started && inRing != pending {
		return fmt.Errorf("%d in the ring, %d pending", inRing, pending)
	}
	if len(r.buf) > minRing && r.n <= len(r.buf)/4 {
		return fmt.Errorf("%d slots for %d values: the ring did not shrink", len(r.buf), r.n)
	}
	return nil
}
