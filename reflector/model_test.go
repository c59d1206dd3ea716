package reflector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check tests what must hold when a step of the machine is over and state is next.
func (r *Reflector) check(state State) error {
	s := r.session.Load()
	open := state == Streaming || state == Watching
	switch {
	case open != (s != nil):
		return fmt.Errorf("in state %v, a session is open: %v", state, s != nil)
	case open && s.watch == nil:
		return fmt.Errorf("in state %v, the session has no watch", state)
	case open && s.ctx.Err() != nil:
		return fmt.Errorf("in state %v, the context of the session has ended", state)
	}
	return nil
}

// faulty is a server that keeps a true history of its objects, and that takes its choices from a
// script: how it answers each request, when each stream ends and how, what changes in between. When
// the script is over, there are no more faults and no more changes.
type faulty struct {
	script  []byte
	objects map[string]string
	version int     // from 1 on: "0" means something else to a server
	history []Event // of versions 2, 3, …
	// compacted is the version before which the history is forgotten.
	compacted int
	// at is the content of the collection at each version.
	at map[string]string

	before func() // called before each answer
}

func newFaulty(script []byte) *faulty {
	m := &faulty{script: script, version: 1, objects: map[string]string{}, at: map[string]string{}}
	m.remember()
	return m
}

// choose is the next number of the script, below n. When the script is over it is 0, which stands
// for no fault and no change.
func (m *faulty) choose(n int) int {
	if len(m.script) == 0 {
		return 0
	}
	b := m.script[0]
	m.script = m.script[1:]
	return int(b) % n
}

func (m *faulty) remember() { m.at[strconv.Itoa(m.version)] = content(m.objects) }

func content(objects map[string]string) string {
	var all []string
	for name, version := range objects {
		all = append(all, name+"@"+version)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// change changes an object, or none, as the script says.
func (m *faulty) change() {
	what := m.choose(8)
	if what == 0 {
		return
	}
	name := []string{"web-1", "web-2", "db-1"}[what%3]
	m.version++
	version := strconv.Itoa(m.version)
	e := Event{Type: Added, ResourceVersion: version, Object: &watchglass.Unstructured{
		Object: map[string]any{"metadata": map[string]any{"name": name,
			"resourceVersion": version}},
	}}
	_, known := m.objects[name]
	switch {
	case known && what > 4:
		e.Type = Deleted
		delete(m.objects, name)
	case known:
		e.Type = Modified
		m.objects[name] = version
	default:
		m.objects[name] = version
	}
	m.history = append(m.history, e)
	m.remember()
	if m.choose(5) == 1 {
		m.compacted = m.version
	}
}

func (m *faulty) trouble(kind int) error {
	return []error{
		&StatusError{Code: 410, Reason: "Expired"},
		&StatusError{Code: 429, RetryAfter: 3 * time.Second},
		&StatusError{Code: 500, Reason: "InternalError"},
		&StatusError{Code: 504, Reason: "Timeout", Message: "Too large resource version"},
		syscall.ECONNREFUSED,
		io.ErrUnexpectedEOF,
		&DecodeError{What: "watch event", Err: errors.New("garbage")},
		io.EOF,
	}[kind]
}

func (m *faulty) List(_ context.Context, opts ListOptions) (*List, error) {
	m.before()
	m.change()
	if kind := m.choose(12); kind > 0 && kind <= 7 {
		return nil, m.trouble(kind - 1)
	}
	l := &List{ResourceVersion: strconv.Itoa(m.version)}
	for _, name := range slices.Sorted(maps.Keys(m.objects)) {
		l.Items = append(l.Items, m.object(name))
	}
	return l, nil
}

func (m *faulty) object(name string) watchglass.Object {
	return &watchglass.Unstructured{Object: map[string]any{"metadata": map[string]any{
		"name": name, "resourceVersion": m.objects[name],
	}}}
}

func (m *faulty) Watch(ctx context.Context, opts ListOptions) (Watch, error) {
	m.before()
	m.change()
	if kind := m.choose(12); kind > 0 && kind <= 7 {
		return nil, m.trouble(kind - 1)
	}
	w := &faultyWatch{m: m, ctx: ctx}
	if opts.SendInitialEvents {
		for _, name := range slices.Sorted(maps.Keys(m.objects)) {
			w.initial = append(w.initial, Event{Type: Added, Object: m.object(name),
				ResourceVersion: m.objects[name]})
		}
		w.initial = append(w.initial, Event{Type: Bookmark, InitialEventsEnd: true,
			ResourceVersion: strconv.Itoa(m.version)})
		w.sent = m.version
		return w, nil
	}
	w.sent, _ = strconv.Atoi(opts.ResourceVersion)
	if w.sent < m.compacted {
		w.end = &StatusError{Code: 410, Reason: "Expired"}
	}
	return w, nil
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
	time.Sleep(time.Duration(w.m.choose(3)) * 700 * ms)
	w.m.change()
	switch kind := w.m.choose(20); {
	case kind > 0 && kind <= 8:
		w.end = w.m.trouble(kind - 1)
		return Event{}, w.end
	case kind == 9:
		return Event{}, &ObjectError{Type: Added, Err: errors.New("no object")}
	case len(w.initial) > 0:
		e := w.initial[0]
		w.initial = w.initial[1:]
		return e, nil
	case w.sent < w.m.version:
		e := w.m.history[w.sent-1]
		w.sent++
		return e, nil
	case len(w.m.script) > 0:
		return Event{Type: Bookmark, ResourceVersion: strconv.Itoa(w.sent)}, nil
	}
	<-w.ctx.Done()
	return Event{}, w.ctx.Err()
}

func (w *faultyWatch) Close() error { return nil }

// survive runs a reflector against a faulty server. At each request, the store must have the
// content that the collection had at the recorded version, and in the end that of the collection.
func survive(t *testing.T, script []byte, streaming bool) {
	synctest.Test(t, func(t *testing.T) {
		m := newFaulty(script)
		store := &memStore{objects: map[string]string{}}
		var r *Reflector
		r, err := New(Options{
			ListerWatcher: m, Store: store, ListFirst: !streaming,
			WatchErrorHandler: func(error) {},
			Trace: &Trace{Transition: func(tr Transition, _ error) {
				if tr.To != Stopped {
					assert.NoError(t, r.check(tr.To), "%v", tr)
				}
			}},
		})
		require.NoError(t, err)
		m.before = func() {
			if v := r.LastSyncResourceVersion(); v != "" {
				assert.Equal(t, m.at[v], store.String(),
					"the store has the content of the collection at %s, the recorded version", v)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { // joined by the receive below
			defer close(done)
			r.Run(ctx)
		}()
		pass(24 * time.Hour)
		assert.Empty(t, m.script, "the reflector never stops sending requests")
		assert.Equal(t, content(m.objects), store.String(),
			"in the end the store has the content of the collection")
		cancel()
		<-done
		assert.NoError(t, r.check(Stopped))
	})
}

func TestFaultyServer(t *testing.T) {
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 7))
		script := make([]byte, 300)
		for i := range script {
			script[i] = byte(chance.Uint32())
		}
		survive(t, script, seed%2 == 1)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzReflector(f *testing.F) {
	f.Add([]byte("any choice will do"), false)
	f.Add([]byte("\x01\x01\x02\x03\x05\x08"), true)
	f.Fuzz(func(t *testing.T, script []byte, streaming bool) {
		if len(script) < 1000 {
			survive(t, script, streaming)
		}
	})
}
