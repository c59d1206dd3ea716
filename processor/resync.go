package processor

import "time"

// minResync is the shortest resync period that a handler gets. A resync is a call for every object
// in the cache.
const minResync = time.Second

// effectiveResync decides how often a handler is resynced that asked for a period, when the
// processor is asked every check. No handler can be resynced more often than that. So before check
// is settled, a handler that asks for less shortens it, for all; afterwards it gets check. It
// returns the handler's period, 0 for never, and the new check.
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

// SettleResyncPeriod returns how often ShouldResync should be called, 0 for never, and settles it:
// a handler added later that asks for more gets no more. The caller is about to set a timer that
// can't be changed. Run settles it, too.
func (p *SharedProcessor) SettleResyncPeriod() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resyncSettled = true
	return p.resyncPeriod
}

// ShouldResync decides which handlers are due for a resync and reports whether there are any. Until
// the next call, what is gathered or distributed as sync goes to those and to no others.
//
// A handler is due when its period has passed since it was last due or, at first, since it was
// added. Looking only when asked means that in practice a period is rounded up to a multiple of the
// caller's own.
//
// As long as ShouldResync has never been called since it was added, a handler counts as due even
// if it wants no resyncs. So where there are none, an update that changes nothing, such as a relist
// brings, reaches every handler. client-go does so too.
func (p *SharedProcessor) ShouldResync() bool {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush() // to those that are due so far
	due := false
	for _, l := range p.listeners {
		l.syncing = l.resync > 0 && !now.Before(l.resyncAt)
		if l.syncing {
			l.resyncAt = now.Add(l.resync)
			due = true
		}
	}
	return due
}

// agreeOnResync is called with p.mu held.
func (p *SharedProcessor) agreeOnResync(o ListenerOptions) (resync time.Duration) {
	resync, p.resyncPeriod = effectiveResync(o.ResyncPeriod, p.resyncPeriod, p.resyncSettled)
	if o.ResyncPeriod != resync {
		p.options.Logger.Warn("handler gets another resync period than it asked for (0 is never)",
			"handler", o.Name, "asked", o.ResyncPeriod, "gets", resync)
	}
	return resync
}
