package processor

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The story says what a panic costs.
func TestPanic(t *testing.T) {
	enforce(t, "a handler that is removed in the pause after a panic ends immediately",
		Options{OnPanic: func(string, Notification, any) {}}, func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			r.before = func(string) { panic("no") }
			k.run()
			k.tell(pods("web-1", "web-2")...)
			k.settle()
			began := time.Now()
			require.NoError(t, k.ShutDownListener(t.Context(), registration))
			assert.Zero(t, time.Since(began))
			assert.Equal(t, 1, registration.Dropped())
			assert.Zero(t, registration.Delivered(), "a call that panicked does not count")
		})
	// If a handler panics, a goroutine that waits for the sync must not go on, nor end the program
	// without an error. The deferred calls of the panicking goroutine run before the crash.
	t.Run("without OnPanic, a panic is the program's end, and not the sync or end of the handler",
		func(t *testing.T) {
			k := &kit{t: t, SharedProcessor: New(Options{})}
			k.UpstreamSynced()
			r, registration := k.join(ListenerOptions{}, "web-1")
			r.before = func(string) { panic("no") }
			l := registration.listener
			l.nextCh = make(chan batch, 1)
			l.nextCh <- l.ring.at(0)
			assert.PanicsWithValue(t, "no", l.run)
			assert.False(t, registration.HasSynced())
			assert.False(t, isClosed(registration.Ended()))
		})
}

func TestResyncPeriod(t *testing.T) {
	var log bytes.Buffer
	enforce(t, "the log names each handler that gets another period than it asked for",
		Options{ResyncPeriod: time.Hour, Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, k *kit) {
			k.join(ListenerOptions{})
			k.join(ListenerOptions{ResyncPeriod: time.Hour})
			assert.Empty(t, log.String())
			k.join(ListenerOptions{Name: "hasty", ResyncPeriod: time.Millisecond})
			assert.Contains(t, log.String(), "handler=hasty asked=1ms gets=1s")
		})
	t.Run("checks are a second apart at least, or they keep a CPU core busy", func(t *testing.T) {
		for asked, gets := range map[time.Duration]time.Duration{
			-1: 0, 0: 0, 1: minResync, time.Hour: time.Hour,
		} {
			assert.Equal(t, gets, New(Options{ResyncPeriod: asked}).SettleResyncPeriod())
		}
	})
}

func TestTrace(t *testing.T) {
	var lines []string
	note := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	enforce(t, "the trace reports every step, in order, and nothing that did not happen",
		Options{OnPanic: func(string, Notification, any) {}, Trace: &Trace{
			Distributed:     func(b []Notification, sync bool) { note("%v sync=%v", b, sync) },
			Pending:         func(l string, depth int) { note("%s pending %d", l, depth) },
			ListenerAdded:   func(l string, initial int) { note("%s added, %d initial", l, initial) },
			ListenerRemoved: func(l string) { note("%s removed", l) },
			Delivering:      func(l string, n Notification) { note("%s ← %v", l, n) },
			Delivered:       func(l string, n Notification) { note("%s ✓ %v", l, n) },
			ListenerEnded:   func(l string, dropped int) { note("%s ended, %d dropped", l, dropped) },
		}}, func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{Name: "h"}, "web-1")
			r.before = func(call string) {
				if call == "add web-2 @1" {
					panic("it is not delivered")
				}
			}
			k.tell(pod("web-2", "1"))
			k.run()
			k.tell(pod("web-3", "1"))
			k.stop()
			k.tell(pod("web-4", "1")) // without handlers nothing is distributed
			assert.Equal(t, []string{
				"h added, 1 initial", "h pending 1", "[add web-2 @1] sync=false", "h pending 2",
				"h ← add web-1 @1 (initial)", "h ✓ add web-1 @1 (initial)", "h ← add web-2 @1",
				"[add web-3 @1] sync=false", "h pending 1", "h removed", "h ended, 1 dropped",
			}, lines)
		})
}
