package store

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

// modelLimits are so low that a program reaches each of them several times, and that each write
// looks for slow watchers: an eighth of a limit is no more than the smallest event.
var modelLimits = Limits{Bytes: 20 * overhead, Age: time.Minute, Behind: 8}

// model is a store in its simplest form: the log of all writes since the beginning. What was there
// at a version is what the log up to it leads to, and a watch gets what comes after its version.
type model struct {
	*story.Program
	t       *testing.T
	real    *Store
	all     []*Collection
	log     []logged
	watches []*modelWatch
	shown   []modelState // snapshots, which never change
	floor   uint64       // the version of the last Compact
}

// A logged write. Writes have the versions from 2 on, in their order.
type logged struct {
	c    *Collection
	line string // what a watcher of c sees
	key  string
	gone bool
	size int // what only its event keeps alive
	at   time.Time
}

type modelWatch struct {
	*Watcher
	c       *Collection
	next    int // in the log
	joined  int // the length of the log then
	aborted int // how often
	slow    bool
}

type modelState struct {
	Snapshot
	want []string
}

func FuzzTheStoreDoesWhatTheModelSays(f *testing.F) {
	story.FuzzModel(f, 25, 600, func(t *testing.T, program *story.Program) {
		synctest.Test(t, func(t *testing.T) {
			m := &model{Program: program, t: t, real: New(modelLimits, nil)}
			m.all = []*Collection{m.real.NewCollection("pods"), m.real.NewCollection("nodes")}
			for !m.Over() {
				m.step()
				synctest.Wait()
				require.NoError(t, m.real.check(m.all...), "after %q", m.History)
				m.agree()
			}
		})
	})
}

func (m *model) step() {
	c := m.all[min(1, m.Choose(4)/2)]
	key := fmt.Sprint("web-", m.Choose(5))
	switch m.Choose(12) {
	case 0, 1, 2, 3, 4:
		m.put(c, key, m.Choose(4)*200)
	case 5, 6:
		m.remove(c, key)
	case 7:
		m.list(c, uint64(1+m.Choose(len(m.log)+1)))
	case 8:
		m.watch(c, uint64(1+m.Choose(len(m.log)+1)))
	case 9, 10:
		m.read(m.Choose(4), m.Choose(8))
	case 11:
		m.rest(m.Choose(8))
	}
}

// write notes what was just written.
func (m *model) write(c *Collection, kind Type, key string, size int) {
	v := uint64(len(m.log) + 2)
	require.Equal(m.t, v, m.real.Version())
	line := fmt.Sprintf("%s %s@%d", kind, key, v)
	m.log = append(m.log, logged{c, line, key, kind == Deleted, overhead + size, time.Now()})
	m.Note("%s", line)
}

func (m *model) put(c *Collection, key string, size int) {
	before, kind, replaced := c.Get(key), Added, 0
	if before != nil {
		kind, replaced = Modified, before.Size()
	}
	o := put(m.t, c, key, size)
	require.Same(m.t, o, c.Get(key))
	m.write(c, kind, key, replaced)
}

func (m *model) remove(c *Collection, key string) {
	before := c.Get(key)
	if before == nil {
		return
	}
	remove(m.t, c, key)
	require.Nil(m.t, c.Get(key))
	m.write(c, Deleted, key, 2*before.Size())
}

// list reads a collection as it was at a version.
func (m *model) list(c *Collection, version uint64) {
	m.Note("list %s at %d", c.name, version)
	state, err := c.SnapshotAt(version)
	require.Equal(m.t, m.tooOld(c, version), err, "after %q", m.History)
	if err == nil {
		require.Equal(m.t, version, state.Version)
		m.shown = append(m.shown, modelState{state, m.at(c, version)})
	}
}

// watch opens a watch from a version, or from the present state if nothing was written after it.
func (m *model) watch(c *Collection, version uint64) {
	m.Note("watch %s from %d", c.name, version)
	w := &modelWatch{c: c, next: int(version) - 1, joined: len(m.log)}
	abort, err := func() { w.aborted++ }, error(nil)
	if int(version) == len(m.log)+1 {
		var state Snapshot
		state, w.Watcher = c.WatchState(abort)
		require.Equal(m.t, version, state.Version)
		m.shown = append(m.shown, modelState{state, m.at(c, version)})
	} else {
		w.Watcher, err = c.WatchFrom(version, abort)
		require.Equal(m.t, m.tooOld(c, version), err, "after %q", m.History)
	}
	if err == nil {
		m.watches = append(m.watches, w)
	}
}

// read lets one of the watches read so many events.
func (m *model) read(which, n int) {
	if which >= len(m.watches) {
		return
	}
	w := m.watches[which]
	m.Note("watch %d reads %d", which, n)
	for range n {
		want := "<nil>"
		for ; w.next < len(m.log) && want == "<nil>"; w.next++ {
			if m.log[w.next].c == w.c {
				want = m.log[w.next].line
			}
		}
		require.Equal(m.t, want, fmt.Sprint(w.Next()), "after %q", m.History)
	}
}

// rest does what happens seldom.
func (m *model) rest(choice int) {
	switch {
	case choice == 0:
		m.Note("compact")
		m.real.Compact()
		m.floor = m.real.Version()
	case choice < 3 && len(m.watches) > 3:
		m.Note("a watch ends")
		m.watches[0].Close()
		m.watches = m.watches[1:]
	default:
		m.Note("wait")
		time.Sleep(time.Duration(choice) * modelLimits.Age / 16)
	}
}

// at returns what a collection held at a version.
func (m *model) at(c *Collection, version uint64) []string {
	held := map[string]string{}
	for i, l := range m.log[:version-1] {
		if l.c == c {
			held[l.key] = fmt.Sprintf("%s@%d", l.key, i+2)
		}
		if l.c == c && l.gone {
			delete(held, l.key)
		}
	}
	all := []string{}
	for _, key := range slices.Sorted(maps.Keys(held)) {
		all = append(all, held[key])
	}
	return all
}

// tooOld returns the error for a list at, or a watch from, a version, nil if all events of the
// collection after it are remembered.
func (m *model) tooOld(c *Collection, version uint64) error {
	oldest := max(m.floor, 1)
	for i, l := range m.log[:len(m.log)-len(m.real.remembered())] {
		if l.c == c {
			oldest = max(oldest, uint64(i+2))
		}
	}
	if version < oldest {
		return &TooOldError{version, oldest}
	}
	return nil
}

// agree compares what can be seen at any time.
func (m *model) agree() {
	for _, c := range m.all {
		require.Equal(m.t, m.at(c, m.real.Version()), listed(c.Snapshot()), "after %q", m.History)
	}
	for _, s := range m.shown {
		require.Equal(m.t, s.want, listed(s.Snapshot), "a snapshot changes after %q", m.History)
	}
	m.agreeOnHistory()
	open := map[*Collection]int{}
	for _, w := range m.watches {
		open[w.c]++
		m.agreeOn(w)
	}
	require.Equal(m.t, []int{open[m.all[0]], open[m.all[1]]},
		[]int{m.all[0].Watchers(), m.all[1].Watchers()}, "after %q", m.History)
}

// agreeOnHistory checks that the newest events are remembered, and that the newest of the others
// had to be forgotten.
func (m *model) agreeOnHistory() {
	window := m.real.remembered()
	n := len(m.log) - len(window)
	for i, e := range window {
		require.Equal(m.t, m.log[n+i].line, e.String(), "after %q", m.History)
		require.Less(m.t, time.Since(m.log[n+i].at), modelLimits.Age*9/8+1, "after %q", m.History)
	}
	if n > 0 {
		last := m.log[n-1]
		require.True(m.t, uint64(n+1) <= m.floor || time.Since(last.at) >= modelLimits.Age ||
			bytesOf(m.log[n-1:]) > modelLimits.Bytes, "%s is forgotten after %q", last.line, m.History)
	}
}

func bytesOf(log []logged) (n int) {
	for _, l := range log {
		n += l.size
	}
	return n
}

// agreeOn checks how far behind a watch is, and whether it is cut off for that.
func (m *model) agreeOn(w *modelWatch) {
	count := func(from int) (n int) {
		for _, l := range m.log[from:] {
			if l.c == w.c {
				n++
			}
		}
		return n
	}
	behind, newest := w.Behind()
	require.Equal(m.t, count(w.next), behind, "after %q", m.History)
	require.Equal(m.t, m.real.Version(), newest)
	since := len(m.log) // the first event that counts
	if at := slices.IndexFunc(m.log[w.next:], func(l logged) bool { return l.c == w.c }); at >= 0 {
		since = max(w.joined, w.next+at)
	}
	// However large the last event is, it does not count.
	events, bytes := count(since), bytesOf(m.log[since:max(since, len(m.log)-1)])
	if events > modelLimits.Behind || bytes > modelLimits.Bytes {
		w.slow = true // and stays so
	}
	require.Equal(m.t, w.slow, w.aborted == 1, "after %q", m.History)
}
