package processor

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPanic(t *testing.T) {
	var reports []string
	report := func(name string, n Notification, recovered any) {
		reports = append(reports, name+": "+n.String()+": "+recovered.(string))
	}
	panicOn := func(r *recorder, call string) {
		r.before = func(c string) {
			if c == call {
				panic("no " + call)
			}
		}
	}
	enforce(t, []law{{
		name: "goes on", options: Options{OnPanic: report},
		promise: "with OnPanic, a panic loses one notification and stops the handler for a second",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{Name: "shaky"})
			panicOn(r, "add web-1")
			k.run()
			k.tell("web-1", "web-2")
			k.settle()
			assert.Equal(t, []string{"shaky: add web-1 @1: no add web-1"}, reports)
			time.Sleep(time.Second - time.Nanosecond)
			assert.Empty(t, r.got())
			time.Sleep(time.Nanosecond)
			k.settle()
			assert.Equal(t, "add web-2", r.got())
			assert.Equal(t, 1, registration.Delivered())
		},
	}, {
		name: "still synced", options: Options{OnPanic: report},
		promise: "a registration syncs even if an initial add panics",
		try: func(t *testing.T, k *kit) {
			r := &recorder{}
			panicOn(r, "initial web-1")
			k.UpstreamSynced()
			k.run()
			registration, err := k.AddListener(r, ListenerOptions{}, pods("web-1"))
			require.NoError(t, err)
			k.settle()
			assert.True(t, registration.HasSynced())
		},
	}, {
		name: "removed while it rests", options: Options{OnPanic: report},
		promise: "a handler that is removed in the pause after a panic ends immediately",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			panicOn(r, "add web-1")
			k.run()
			k.tell("web-1", "web-2")
			k.settle()
			began := time.Now()
			require.NoError(t, k.ShutDownListener(t.Context(), registration))
			assert.Zero(t, time.Since(began))
			assert.Empty(t, r.got())
		},
	}})
}

// If a handler panics, another goroutine that waits for the sync must not go on, nor end the
// program without an error. The panicking goroutine runs its deferred calls before the program
// crashes, so none of them may report the sync.
func TestACrashDoesNotReportSynced(t *testing.T) {
	p := New(Options{})
	p.UpstreamSynced()
	r, err := p.AddListener(ResourceEventHandlerFuncs{
		AddFunc: func(watchglass.Object, bool) { panic("handler gives up") },
	}, ListenerOptions{}, pods("web-1"))
	require.NoError(t, err)
	batch, _ := r.listener.ring.ReadOne()
	assert.Panics(t, func() { r.listener.deliver(batch) }, "the panic is passed on")
	assert.False(t, r.HasSynced(), "a panic that crashes the program reports no sync")
	assert.False(t, isClosed(r.Ended()), "a panic that crashes the program reports no end")
}

// Without OnPanic a panic is not recovered: the program crashes, with the handler on the stack.
func TestPanicCrashes(t *testing.T) {
	if os.Getenv("PROCESSOR_TEST_CRASH") != "" {
		p := New(Options{})
		_, err := p.AddListener(ResourceEventHandlerFuncs{
			AddFunc: func(watchglass.Object, bool) { panic("handler gives up") },
		}, ListenerOptions{}, pods("web-1"))
		require.NoError(t, err)
		p.Run(context.Background())
	}
	// The time limit ends the child process if it does not crash.
	crash := exec.Command(os.Args[0], "-test.run=^TestPanicCrashes$", "-test.timeout=10s")
	crash.Env = append(os.Environ(), "PROCESSOR_TEST_CRASH=1")
	out, err := crash.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "panic: handler gives up")
	assert.Contains(t, string(out), "TestPanicCrashes.func1", "the stack leads to the handler")
}

func TestSlowHandlerIsLogged(t *testing.T) {
	var log, late, quiet safeBuffer
	enforce(t, []law{{
		name: "slow and behind", options: Options{Logger: logTo(&log)},
		promise: "a handler whose calls take more than 100 ms while more than 1024 wait is logged",
		try: func(t *testing.T, k *kit) {
			k.join(ListenerOptions{Name: "swift"})
			r, _ := k.join(ListenerOptions{Name: "sluggish"})
			r.before = func(string) { time.Sleep(slowCall + time.Millisecond) }
			for range slowPending + 1 {
				k.tell("web-1")
			}
			k.run()
			assert.Empty(t, log.String())
			time.Sleep(time.Second)
			k.settle()
			assert.Contains(t, log.String(), "handler=sluggish took=101ms waiting=1024")
			assert.Equal(t, 1, bytes.Count([]byte(log.String()), []byte("\n")),
				"only while more than 1024 wait")
		},
	}, {
		name: "a slow late joiner", options: Options{Logger: logTo(&late)},
		promise: "a handler that is slow with its initial list is logged after its first batch",
		try: func(t *testing.T, k *kit) {
			k.run()
			r := &recorder{before: func(string) { time.Sleep(time.Second) }}
			_, err := k.AddListener(r, ListenerOptions{Name: "sluggish"},
				pods(slices.Repeat([]string{"web-1"}, 5000)...))
			require.NoError(t, err)
			time.Sleep((maxBatch + 1) * time.Second)
			assert.Contains(t, late.String(), "handler=sluggish took=1s waiting=4872")
		},
	}, {
		name: "busy, not slow", options: Options{Logger: logTo(&quiet)},
		promise: "a handler that needs long for a long batch, but only 100 ms a call, is not logged",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{})
			r.before = func(string) { time.Sleep(slowCall) }
			k.tell(slices.Repeat([]string{"web-1"}, 2000)...)
			k.tell("web-1")
			k.run()
			time.Sleep(time.Hour)
			assert.Len(t, r.list(), 2001)
			assert.Empty(t, quiet.String())
		},
	}})
}

func logTo(b *safeBuffer) *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
