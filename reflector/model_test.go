package reflector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/story"
)

// check tests what must hold when a step of the machine is over and state is next.
func (r *Reflector) check(state State) error {
	s, open := r.session.Load(), state == streaming || state == watching
	switch {
	case open != (s != nil):
		return fmt.Errorf("in state %v, a session is open: %v", state, s != nil)
	case open && s.watch == nil:
		return fmt.Errorf("in state %v, the session has no watch", state)
	case open && s.ctx.Err() != nil:
		return fmt.Errorf("in state %v, the context of the session has ended", state)
	case r.latest && state >= openingWatch && state != stopped:
		return fmt.Errorf("in state %v, the latest state is still asked for", state)
	}
	return nil
}

// faulty is a server that keeps a true history of its objects, and that takes its choices from a
// script: how it answers each request, when each stream ends and how, what changes in between. When
// the script is over, there are no more faults and no more changes.
type faulty struct {
	*story.Program
	objects   map[string]string
	version   int               // from 1 on: "0" means something else to a server
	history   []Event           // of versions 2, 3, …
	compacted int               // the version before which the history is forgotten
	at        map[string]string // the content of the collection at each version
	bad       map[string]string // at each version: the names of objects that cannot be used
	before    func()            // called before each answer
}

// change changes an object, or none, as the script says.
func (m *faulty) change() {
	what := m.Choose(8)
	if what > 0 {
		m.version++
		name, version := []string{"web-1", "web-2", "db-1"}[what%3], strconv.Itoa(m.version)
		e := event(Added, name+"@"+version)
		if _, known := m.objects[name]; known {
			e.Type = Modified
		}
		if m.Choose(6) == 1 {
			version += "!"
			e.Object = item(name + "@" + version)
		}
		m.objects[name] = version
		if e.Type == Modified && what > 4 {
			e.Type = Deleted
			delete(m.objects, name)
		}
		m.history = append(m.history, e)
		if m.Choose(5) == 1 {
			m.compacted = m.version
		}
	}
	m.at[strconv.Itoa(m.version)], m.bad[strconv.Itoa(m.version)] = m.view()
}

// view returns what a store must have of the objects that can be used, and the names of the others:
// a store may have an old state of them, or none.
func (m *faulty) view() (fine, bad string) {
	usable := map[string]string{}
	for name, version := range m.objects {
		if strings.HasSuffix(version, "!") {
			bad += name
		} else {
			usable[name] = version
		}
	}
	return content(usable), bad
}

// trouble is one of many errors, or nil.
func (m *faulty) trouble(choices int) error {
	all := []error{nil, gone, &StatusError{Code: 429, RetryAfter: 3 * time.Second},
		status(500, "InternalError", ""), status(504, "Timeout", "Too large resource version"),
		syscall.ECONNREFUSED, io.ErrUnexpectedEOF, garbage, io.EOF, unusable}
	if kind := m.Choose(choices); kind < len(all) {
		return all[kind]
	}
	return nil
}

func (m *faulty) List(context.Context, ListOptions) (*List, error) {
	m.before()
	m.change()
	l := &List{ResourceVersion: strconv.Itoa(m.version)}
	for _, name := range slices.Sorted(maps.Keys(m.objects)) {
		l.Items = append(l.Items, item(name+"@"+m.objects[name]))
	}
	return l, m.trouble(16)
}

func (m *faulty) Watch(ctx context.Context, opts ListOptions) (Watch, error) {
	m.before()
	m.change()
	w := &faultyWatch{m: m, ctx: ctx}
	w.sent, _ = strconv.Atoi(opts.ResourceVersion)
	if opts.SendInitialEvents {
		for _, name := range slices.Sorted(maps.Keys(m.objects)) {
			w.initial = append(w.initial, event(Added, name+"@"+m.objects[name]))
		}
		w.initial = append(w.initial, initialEnd(strconv.Itoa(m.version)))
		w.sent = m.version
	}
	if w.sent < m.compacted {
		w.end = gone
	}
	return w, m.trouble(16)
}

type faultyWatch struct {
	m       *faulty
	ctx     context.Context
	initial []Event
	sent    int // the version up to which everything has been sent
	end     error
}

func (w *faultyWatch) Next() (Event, error) {
	if w.end != nil {
		return Event{}, w.end
	}
	time.Sleep(time.Duration(w.m.Choose(3)) * 700 * ms)
	w.m.change()
	if err := w.m.trouble(20); err != nil {
		if !errors.Is(err, unusable) {
			w.end = err
		}
		return Event{}, err
	}
	switch {
	case len(w.initial) > 0:
		e := w.initial[0]
		w.initial = w.initial[1:]
		return e, nil
	case w.sent < w.m.version:
		w.sent++
		return w.m.history[w.sent-2], nil
	case !w.m.Over():
		return bookmark(strconv.Itoa(w.sent)), nil
	}
	<-w.ctx.Done()
	return Event{}, w.ctx.Err()
}

func (w *faultyWatch) Close() error { return nil }

// without shows the content without some objects, whose names are in one string.
func (s *memStore) without(names string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	usable := maps.Clone(s.objects)
	maps.DeleteFunc(usable, func(name, _ string) bool { return strings.Contains(names, name) })
	return content(usable)
}

// survive runs a reflector against a faulty server. At each request, the store must have the
// content that the collection had at the recorded version, and in the end that of the collection.
func survive(t *testing.T, script *story.Program) {
	synctest.Test(t, func(t *testing.T) {
		m := &faulty{Program: script, version: 1, objects: map[string]string{}, at: map[string]string{},
			bad: map[string]string{}}
		g := newFixture(t)
		r := New(Config{ListerWatcher: m, Store: g.store, Options: Options{ListFirst: m.Choose(2) == 0},
			WatchErrorHandler: func(error) {},
			Trace: &Trace{Transition: func(tr Transition, _ error) {
				if tr.To != stopped { // where a session may still be open
					assert.NoError(t, g.r.check(tr.To), "%v", tr)
				}
			}},
		})
		g.r = r
		began, requests := time.Now(), 0
		m.before = func() {
			requests++
			assert.LessOrEqual(t, requests, 20+6*int(time.Since(began).Seconds()), "requests so far")
			if v := r.LastSyncResourceVersion(); v != "" {
				assert.Equal(t, m.at[v], g.store.without(m.bad[v]), "the store has version %s", v)
			}
		}
		g.start(t)
		pass(24 * time.Hour)
		assert.True(t, m.Over(), "the reflector never stops sending requests")
		fine, bad := m.view()
		assert.Equal(t, fine, g.store.without(bad), "in the end the store has everything")
		g.stop()
		assert.NoError(t, r.check(stopped))
	})
}

func FuzzFaultyServer(f *testing.F) { story.FuzzModel(f, 60, 300, survive) }
