package processor

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"example.com/watchglass"
	"github.com/stretchr/testify/require"
)

// A law is one sentence of the package's contract, and a test that tries to break it.
type law struct {
	name    string
	promise string
	options Options
	try     func(t *testing.T, k *kit)
}

// enforce tries each law in a bubble of its own. A goroutine that is left over, or a deadlock,
// fails the law.
func enforce(t *testing.T, laws []law) {
	for _, l := range laws {
		t.Run(l.name, func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Log("broken promise:", l.promise)
				}
			}()
			synctest.Test(t, func(t *testing.T) {
				k := &kit{t: t, SharedProcessor: New(l.options)}
				l.try(t, k)
				k.stop()
				require.NoError(t, k.check())
			})
		})
	}
}

// A kit is a processor with handles to run and stop it.
type kit struct {
	*SharedProcessor
	t      *testing.T
	cancel context.CancelFunc
	ended  chan struct{} // closed when Run has returned
}

// run calls Run and returns when every goroutine is blocked.
func (k *kit) run() {
	k.begin()
	k.settle()
}

// begin starts Run and does not wait.
func (k *kit) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	k.cancel, k.ended = cancel, make(chan struct{})
	go func() { // waited for by stop
		defer close(k.ended)
		k.Run(ctx)
	}()
}

// stop ends Run, if it was called, and waits for it.
func (k *kit) stop() {
	if k.cancel != nil {
		k.cancel()
		<-k.ended
	}
}

// settle waits until every goroutine is blocked.
func (k *kit) settle() {
	synctest.Wait()
	require.NoError(k.t, k.check())
}

// join registers a recorder. The names are those of its initial objects.
func (k *kit) join(options ListenerOptions, initial ...string) (*recorder, *Registration) {
	k.t.Helper()
	r := &recorder{}
	registration, err := k.AddListener(r, options, pods(initial...))
	require.NoError(k.t, err)
	require.NoError(k.t, k.check())
	return r, registration
}

// tell distributes adds of the named objects as one batch.
func (k *kit) tell(names ...string) { k.Distribute(adds(false, names...), false) }

func adds(initial bool, names ...string) []Notification {
	batch := make([]Notification, 0, len(names))
	for _, name := range names {
		batch = append(batch, AddNotification(pod(name, "1"), initial))
	}
	return batch
}

func pods(names ...string) (objs []watchglass.Object) {
	for _, name := range names {
		objs = append(objs, pod(name, "1"))
	}
	return objs
}

type testObject struct{ watchglass.ObjectMeta }

func pod(name, version string) *testObject {
	return &testObject{watchglass.ObjectMeta{Name: name, ResourceVersion: version}}
}

// A recorder is a handler that records its calls. A law can make it wait in a call.
type recorder struct {
	before func(call string) // called in the handler, before the call is recorded

	mu    sync.Mutex
	calls []string
}

func (r *recorder) OnAdd(obj watchglass.Object, isInInitialList bool) {
	if isInInitialList {
		r.note("initial " + obj.GetName())
	} else {
		r.note("add " + obj.GetName())
	}
}

func (r *recorder) OnUpdate(oldObj, newObj watchglass.Object) {
	r.note("update " + newObj.GetName() + " " + oldObj.GetResourceVersion() + "→" +
		newObj.GetResourceVersion())
}

func (r *recorder) OnDelete(obj watchglass.Object) { r.note("delete " + obj.GetName()) }

func (r *recorder) note(call string) {
	if r.before != nil {
		r.before(call)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, call)
}

// got returns the calls so far, separated by commas.
func (r *recorder) got() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.calls, ", ")
}

func (r *recorder) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// holdUp makes the handler wait in this call until the returned func is called. All other calls
// return without waiting.
func (r *recorder) holdUp(call string) (release func()) {
	gate := make(chan struct{})
	r.before = func(c string) {
		if c == call {
			<-gate
		}
	}
	return sync.OnceFunc(func() { close(gate) })
}
