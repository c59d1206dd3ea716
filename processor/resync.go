package processor

import (
	"cmp"
	"time"
)

// minResync is the shortest resync period that a handler gets. A resync is a call for every object
// in the cache.
const minResync = time.Second

// effectiveResync returns the resync period of a handler that asked for one, 0 for never. check is
// the time between two calls of ShouldResync, and no handler can be resynced more often than that.
// So a handler that asks for a shorter period shortens check for all handlers, as long as check is
// not settled. Afterwards it gets check as its period.
func effectiveResync(asked, check time.Duration, settled bool) (resync, newCheck time.Duration) {
	if asked <= 0 || check <= 0 {
		return 0, check
	}
	asked = max(asked, minResync)
	if asked < check && settled {
		return check, check
	}
	return asked, min(asked, check)
}

// SettleResyncPeriod returns the time between two calls of ShouldResync, 0 for none, and settles
// it: a handler that is added later and asks for a shorter period gets this one. So the caller may
// set a timer that it never changes. Run settles the period, too.
func (p *SharedProcessor) SettleResyncPeriod() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resyncSettled = true
	return p.resyncPeriod
}

// ShouldResync decides which handlers are due for a resync and reports whether there are any. Until
// the next call, what is gathered as sync goes to these handlers and to no others.
//
// A handler becomes due when its period has passed since it last became due or, at first, since it
// was added. Because this is checked only when ShouldResync is called, a period is in practice
// rounded up to a multiple of the caller's own. The caller must leave at least that period between
// two calls: a handler that has the same period would not be due at a call that comes earlier.
//
// A new handler counts as due until the next call of ShouldResync, even if it wants no resyncs. So
// in an informer without resyncs, where ShouldResync is never called, an update that changes
// nothing (as after a relist) reaches every handler. client-go does the same.
func (p *SharedProcessor) ShouldResync() bool {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush() // to the handlers that were due until now
	due := false
	for _, l := range p.listeners {
		l.syncing = l.ResyncPeriod > 0 && !now.Before(l.resyncAt)
		if l.syncing {
			l.resyncAt = now.Add(l.ResyncPeriod)
			due = true
		}
	}
	return due
}

// agreeOnResync is called with p.mu held.
func (p *SharedProcessor) agreeOnResync(o HandlerOptions) (resync time.Duration) {
	asked := max(cmp.Or(o.ResyncPeriod, p.options.ResyncPeriod), 0)
	resync, p.resyncPeriod = effectiveResync(asked, p.resyncPeriod, p.resyncSettled)
	if asked != resync {
		p.options.Logger.Warn("handler gets another resync period than it asked for (0 is never)",
			"handler", o.Name, "asked", asked, "gets", resync)
	}
	return resync
}
