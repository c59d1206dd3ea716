package processor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestEffectiveResync(t *testing.T) {
	const never = time.Duration(0)
	const minute, hour, milli = time.Minute, time.Hour, time.Millisecond
	for _, law := range []struct {
		promise      string
		asked, check time.Duration
		settled      bool
		resync, then time.Duration
	}{
		{"a handler that asks for no period gets none", never, minute, false, never, minute},
		{"once settled, a handler that asks for no period gets none",
			never, minute, true, never, minute},
		{"a negative period means none", -1, minute, false, never, minute},
		{"without checks no handler gets a period", minute, never, false, never, never},
		{"a period longer than the check's is kept", hour, minute, false, hour, minute},
		{"a shorter period shortens the check's", minute, hour, false, minute, minute},
		{"once settled, a shorter period is raised to the check's", minute, hour, true, hour, hour},
		{"no handler gets less than a second", milli, hour, false, minResync, minResync},
		{"no handler gets less than a second, even if checks come faster",
			milli, milli, false, minResync, milli},
		{"once settled, less than a second is raised to the check's", milli, hour, true, hour, hour},
	} {
		resync, then := effectiveResync(law.asked, law.check, law.settled)
		assert.Equal(t, law.resync, resync, law.promise)
		assert.Equal(t, law.then, then, law.promise)
	}
}

// tick calls ShouldResync, as the reflector does, and resyncs the handlers that are due.
func (k *kit) tick() bool {
	due := k.ShouldResync()
	web := pod("web-1", "1")
	k.Distribute([]Notification{UpdateNotification(web, web)}, true)
	k.settle()
	return due
}

func TestResync(t *testing.T) {
	const call = "update web-1 1→1"
	var log safeBuffer
	enforce(t, []law{{
		name: "periods", options: Options{ResyncPeriod: 2 * time.Second},
		promise: "each handler is resynced at its own period, rounded up to the caller's",
		try: func(t *testing.T, k *kit) {
			never, _ := k.join(ListenerOptions{})
			two, _ := k.join(ListenerOptions{ResyncPeriod: 2 * time.Second})
			three, _ := k.join(ListenerOptions{ResyncPeriod: 3 * time.Second})
			k.run()
			calls := func() []int {
				return []int{len(never.list()), len(two.list()), len(three.list())}
			}
			for i, want := range [][]int{{0, 1, 0}, {0, 2, 1}, {0, 3, 1}, {0, 4, 2}} {
				time.Sleep(2 * time.Second)
				assert.True(t, k.tick())
				assert.Equal(t, want, calls(), "after %d s", 2*i+2)
			}
		},
	}, {
		name: "started late", options: Options{ResyncPeriod: time.Second},
		promise: "resyncs before Run are kept, not lost, and cause no deadlock",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{ResyncPeriod: time.Second})
			time.Sleep(time.Second)
			k.tick()
			k.run()
			assert.Equal(t, call, r.got())
		},
	}, {
		name: "none due", options: Options{ResyncPeriod: time.Second},
		promise: "ShouldResync returns false when no handler is due",
		try: func(t *testing.T, k *kit) {
			k.join(ListenerOptions{})
			k.join(ListenerOptions{ResyncPeriod: time.Hour})
			time.Sleep(time.Hour - time.Nanosecond)
			assert.False(t, k.ShouldResync())
			time.Sleep(time.Nanosecond)
			assert.True(t, k.ShouldResync(), "due when exactly its period has passed")
			assert.False(t, k.ShouldResync(), "not due again before another period has passed")
		},
	}, {
		name:    "due at first",
		promise: "until ShouldResync is called, a handler gets sync batches, even without a period",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{})
			k.run()
			web := pod("web-1", "1")
			k.Distribute([]Notification{UpdateNotification(web, web)}, true)
			k.settle()
			assert.Equal(t, call, r.got())
			k.tick()
			assert.Equal(t, call, r.got(), "after ShouldResync a handler without a period gets none")
		},
	}, {
		name: "the flag stays", options: Options{ResyncPeriod: time.Second},
		promise: "a handler that was due gets sync batches until ShouldResync is called again",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{ResyncPeriod: 2 * time.Second})
			k.run()
			time.Sleep(2 * time.Second)
			k.tick()
			web := pod("web-1", "1")
			k.Distribute([]Notification{UpdateNotification(web, web)}, true) // a relist in between
			k.settle()
			assert.Len(t, r.list(), 2)
		},
	}, {
		name: "settled", options: Options{ResyncPeriod: time.Hour},
		promise: "handlers shorten the period until it is settled, and Run settles it",
		try: func(t *testing.T, k *kit) {
			k.join(ListenerOptions{ResyncPeriod: time.Minute})
			k.run()
			_, late := k.join(ListenerOptions{ResyncPeriod: time.Second})
			assert.Equal(t, time.Minute, k.SettleResyncPeriod())
			assert.Equal(t, time.Minute, late.listener.resync)
		},
	}, {
		name: "no surprise", options: Options{ResyncPeriod: time.Hour, Logger: logTo(&log)},
		promise: "the log names each handler that gets another period than it asked for",
		try: func(t *testing.T, k *kit) {
			k.join(ListenerOptions{})
			k.join(ListenerOptions{ResyncPeriod: time.Hour})
			assert.Empty(t, log.String())
			k.join(ListenerOptions{Name: "hasty", ResyncPeriod: time.Millisecond})
			assert.Contains(t, log.String(), "handler=hasty asked=1ms gets=1s")
		},
	}, {
		name: "settled by the caller", options: Options{ResyncPeriod: time.Hour},
		promise: "the period that SettleResyncPeriod has returned does not change any more",
		try: func(t *testing.T, k *kit) {
			assert.Equal(t, time.Hour, k.SettleResyncPeriod())
			k.join(ListenerOptions{ResyncPeriod: time.Minute})
			assert.Equal(t, time.Hour, k.SettleResyncPeriod())
		},
	}})
}
