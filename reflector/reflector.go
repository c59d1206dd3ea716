package reflector

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"example.com/watchglass"
)

// Reflector keeps a [Store] up to date with a collection on a server: it fetches the collection,
// then watches, and decides by its table what to do when that fails. Make one with [New].
type Reflector struct {
	config   Config
	trace    Trace                  // any of its funcs may be nil
	table    []Transition           // what to do after each outcome; never changes
	versions ResourceVersionUpdater // the store, if it has that method; else nil

	// session is the watch that is open or being opened, nil if there is none. Run sets it. The
	// resync timer may end it.
	session atomic.Pointer[session]

	// The next fields, up to mu, belong to the goroutine of Run.

	pauses pauses // since the last success
	short  int    // how many streams in a row have ended within a second
	// latest: the server has refused the last known version, so the latest state is asked for. It
	// holds until the store has a collection again.
	latest bool
	// stuckAt is the version that a list has returned which was asked for at that same version. If a
	// watch from there is then refused as too old, another such list does not help. This is how
	// clients came to list forever: they listed with pages, and therefore got exactly the version
	// that had expired (https://github.com/kubernetes/kubernetes/issues/133810).
	stuckAt string
	// paged: a list at "0" came in pages, so the server has no cache to answer from, and pages cost
	// it nothing extra. It never becomes false again.
	paged bool
	// streams is how many streaming lists of this series have got no answer or broken off. The series
	// ends with a streaming list that is complete, or with a list.
	streams int

	mu sync.Mutex
	// lastVersion is the version up to which the store has seen everything; "" before the first
	// list. Only Run writes it. Guarded by mu.
	lastVersion string
	// lastSync is when lastVersion was last recorded, changed or not. Guarded by mu.
	lastSync time.Time
	// stats are guarded by mu, and so is ran: Run has been called.
	stats Stats
	ran   bool
}

// New returns a reflector that is not yet running. It panics without a ListerWatcher or a Store.
func New(config Config) *Reflector {
	if watchglass.IsNil(config.ListerWatcher) {
		panic("reflector: Config.ListerWatcher is nil")
	}
	if watchglass.IsNil(config.Store) {
		panic("reflector: Config.Store is nil")
	}
	config = config.withDefaults()
	r := &Reflector{
		config: config,
		trace:  *cmp.Or(config.Trace, &Trace{}),
		table:  Table(config.ListFirst),
		stats:  Stats{Rows: map[Transition]int{}, Errors: map[string]int{}},
	}
	r.versions, _ = config.Store.(ResourceVersionUpdater)
	return r
}

// LastSyncResourceVersion returns the version up to which the store has seen everything, "" before
// the first list. A store that hands on its content asynchronously may not have handed it on yet;
// see [ResourceVersionUpdater].
func (r *Reflector) LastSyncResourceVersion() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastVersion
}

// LastSyncTime returns when a list, an event or a bookmark last changed or confirmed what
// [Reflector.LastSyncResourceVersion] returns. The zero time means never. If nothing changes in the
// collection, the store can be up to date although that was long ago.
func (r *Reflector) LastSyncTime() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastSync
}

// Stats returns the counts so far. The caller owns the maps.
func (r *Reflector) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.Rows, s.Errors = maps.Clone(s.Rows), maps.Clone(s.Errors)
	return s
}

// Err returns nil if there was no failure since the last success; see [Stats]. Otherwise it returns
// the last error, and says how many there were if it is not the first. Before Run it says that Run
// is missing.
func (r *Reflector) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !r.ran:
		return fmt.Errorf("%s: Run has not been called", r.config.Name)
	case r.stats.Failures == 0:
		return nil
	case r.stats.Failures == 1:
		return r.stats.LastError
	}
	return fmt.Errorf("%d failures, the last: %w", r.stats.Failures, r.stats.LastError)
}

// Name returns [Config.Name].
func (r *Reflector) Name() string { return r.config.Name }

// tally changes the stats.
func (r *Reflector) tally(change func(*Stats)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.stats)
}

// record notes that the store has seen everything up to version. It is called after the store has
// taken the change, so a reader of the version may rely on the content.
func (r *Reflector) record(version string) {
	r.mu.Lock()
	before := r.lastVersion
	r.lastVersion, r.lastSync = version, time.Now()
	r.stats.Failures = 0
	r.mu.Unlock()
	if r.versions != nil {
		r.versions.UpdateResourceVersion(version)
	}
	if r.trace.Recorded != nil {
		r.trace.Recorded(version)
	}
	if r.trace.VersionWentBack != nil && olderThan(version, before) {
		r.trace.VersionWentBack(before, version)
	}
}

// report counts an error, and passes it to the trace and to the handler, or logs it. That streams
// end and versions expire is normal operation, and logged at INFO.
func (r *Reflector) report(err error, on Outcome) {
	err = fmt.Errorf("%s: %w", r.config.Name, err)
	r.tally(func(s *Stats) {
		s.Errors[causeOf(err)]++
		if is[*watchglass.Unusable](err) {
			s.LostEvents++
		}
		s.Failures++
		s.LastError = err
	})
	if r.trace.Failed != nil {
		r.trace.Failed(err)
	}
	if r.config.WatchErrorHandler != nil {
		r.config.WatchErrorHandler(err)
		return
	}
	level := slog.LevelError
	if on == ended || on == expired {
		level = slog.LevelInfo
	}
	r.config.Logger.Log(context.Background(), level, "list and watch", "error", err)
}
