package processor

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTrace(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	note := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, fmt.Sprintf(format, args...))
	}
	seen := func() []string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { lines = nil }()
		return lines
	}
	trace := &Trace{
		Distributed:     func(b []Notification, sync bool) { note("%v sync=%v", b, sync) },
		Pending:         func(l string, depth int) { note("%s pending %d", l, depth) },
		ListenerAdded:   func(l string, initial int) { note("%s added, %d initial", l, initial) },
		ListenerRemoved: func(l string) { note("%s removed", l) },
		Delivering:      func(l string, n Notification) { note("%s ← %v", l, n) },
		Delivered:       func(l string, n Notification) { note("%s ✓ %v", l, n) },
		ListenerEnded:   func(l string, dropped int) { note("%s ended, %d dropped", l, dropped) },
	}
	ignore := func(string, Notification, any) {}
	enforce(t, []law{{
		name: "everything", options: Options{Trace: trace, OnPanic: ignore},
		promise: "the trace reports every step, in order, and nothing that did not happen",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{Name: "h"}, "web-1")
			r.before = func(call string) {
				if call == "add web-2" {
					panic(call)
				}
			}
			k.tell("web-2")
			assert.Equal(t, []string{
				"h added, 1 initial", "h pending 1",
				"[add web-2 @1] sync=false", "h pending 2",
			}, seen())
			k.run()
			assert.Equal(t, []string{
				"h ← add web-1 @1 (initial)", "h ✓ add web-1 @1 (initial)", "h ← add web-2 @1",
			}, seen())
			k.Distribute(adds(false, "web-3"), true)
			k.settle()
			assert.Equal(t, []string{"[add web-3 @1] sync=true", "h pending 1"}, seen())
			require.NoError(t, k.RemoveListener(registration))
			k.settle()
			assert.Equal(t, []string{"h removed", "h ended, 1 dropped"}, seen())
		},
	}, {
		name: "the end", options: Options{Trace: trace},
		promise: "the end of Run removes every handler, and the trace reports it",
		try: func(t *testing.T, k *kit) {
			k.join(ListenerOptions{Name: "h"})
			k.run()
			k.stop()
			k.tell("web-1") // without handlers nothing is distributed
			assert.Equal(t, []string{
				"h added, 0 initial", "h removed", "h ended, 0 dropped",
			}, seen())
		},
	}})
}

// Distributing to a handler that keeps up allocates nothing, neither without a trace nor with one
// whose funcs are nil.
func TestTraceCostsNothing(t *testing.T) {
	for name, trace := range map[string]*Trace{"nil": nil, "empty": {}} {
		p, called := New(Options{Trace: trace}), make(chan struct{})
		_, err := p.AddListener(ResourceEventHandlerFuncs{
			AddFunc: func(watchglass.Object, bool) { called <- struct{}{} },
		}, ListenerOptions{}, nil)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { p.Run(ctx) })
		batch := adds(false, "web-1")
		allocs := testing.AllocsPerRun(100, func() {
			p.Distribute(batch, false)
			<-called
		})
		assert.Zero(t, allocs, "trace %s", name)
		cancel()
		run.Wait()
	}
}
