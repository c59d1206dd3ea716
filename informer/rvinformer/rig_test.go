package rvinformer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/rvinformer"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// widget is an object with an identity and a color.
type widget struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		Color string `json:"color,omitempty"`
	} `json:"spec"`
}

// table is a mirror: the handler of an informer. It checks that each call fits what it holds. The
// rows stay when the informer is replaced by another one.
type table struct {
	before  func()             // called at the beginning of each call; may be nil
	keyFunc watchglass.KeyFunc // the informer's

	mu      sync.Mutex
	rows    map[string]string // key → version
	unsure  map[string]bool   // by key: the last call has failed
	calls   []string
	failure error // what each write returns; nil: it succeeds
	commits bool  // a write that fails is made all the same: only its answer is lost
	mistake string
}

var errBroken = errors.New("database is down")

func (m *table) OnAdd(o watchglass.Object, initial bool) error { return m.call("add", o, initial) }
func (m *table) OnUpdate(o watchglass.Object, initial bool) error {
	return m.call("update", o, initial)
}
func (m *table) OnDelete(o watchglass.Object, initial bool) error {
	return m.call("delete", o, initial)
}
func (m *table) OnSync(o watchglass.Object) error { return m.call("sync", o, false) }

func (m *table) call(name string, obj watchglass.Object, initial bool) error {
	if m.before != nil {
		m.before()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	line := name + " " + obj.GetName()
	if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
		line = fmt.Sprintf("delete %s, last state %v", gone.Key, gone.Obj)
	}
	if initial {
		line += " (initial)"
	}
	m.calls = append(m.calls, line)
	key, _ := deltafifo.DeletionHandlingKeyFunc(m.keyFunc)(obj)
	version := obj.GetResourceVersion()
	row, held := m.rows[key]
	sure := held && !m.unsure[key]
	fits := map[string]bool{
		"add": !sure, "update": sure, "sync": sure && row == version, "delete": held || m.unsure[key],
	}
	if !fits[name] && m.mistake == "" {
		m.mistake = fmt.Sprintf("%s at %q, but the row is %q, surely: %v", line, version, row, sure)
	}
	switch {
	case name == "sync":
		return nil
	case m.failure != nil && !m.commits:
	case name == "delete":
		delete(m.rows, key)
	default:
		m.rows[key] = version
	}
	m.unsure[key] = m.failure != nil
	return m.failure
}

// fail makes writes fail; with nil, they succeed again.
func (m *table) fail(failure error, commits bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failure, m.commits = failure, commits
}

// read returns the calls since the last read. Calls for different objects come in no promised
// order, so they are sorted.
func (m *table) read() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.calls = nil }()
	return strings.Join(slices.Sorted(slices.Values(m.calls)), "; ")
}

// versions returns what the informer must have recorded.
func (m *table) versions() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	want := map[string]string{}
	for key, version := range m.rows {
		want[key] = version
	}
	for key, unsure := range m.unsure {
		if unsure {
			want[key] = ""
		}
	}
	return want
}

// rig is a server, a mirror and, while it runs, an informer.
type rig struct {
	t        *testing.T
	server   *fakeapi.Server
	table    *table
	options  rvinformer.Options // for the next start
	reported []error            // by OnProcessError
	informer *rvinformer.Informer
	cancel   func() // tells Run to end
	stop     func() // does that and returns when Run has ended; may be called twice
}

// law tries to break a promise in a bubble of its own.
func law(t *testing.T, promise string, try func(t *testing.T, r *rig)) {
	t.Run(promise, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { try(t, newRig(t)) })
	})
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, server: fakeapi.New(fakeapi.Options{}), stop: func() {},
		table: &table{rows: map[string]string{}, unsure: map[string]bool{}}}
	client, err := wire.NewClient[widget](wire.ClientOptions{
		URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		HTTPClient: r.server.Client(),
	})
	require.NoError(t, err)
	r.options = rvinformer.Options{
		Reflector:      reflector.Options{ListerWatcher: client},
		Handler:        r.table,
		OnProcessError: func(err error) { r.reported = append(r.reported, err) },
	}
	t.Cleanup(func() {
		r.stop()
		r.server.Close()
		require.Empty(t, r.table.mistake, "a call does not fit what the mirror holds")
	})
	return r
}

// run starts an informer that goes on with the given versions, and waits until it is at rest.
func (r *rig) run(versions map[string]string) {
	r.t.Helper()
	r.options.Versions = versions
	i, err := rvinformer.New(r.options)
	require.NoError(r.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	r.informer, r.cancel = i, cancel
	var running sync.WaitGroup
	running.Go(func() { _ = i.Run(ctx) })
	r.stop = func() {
		cancel()
		running.Wait()
	}
	synctest.Wait()
}

// restart ends the run and begins the next one with what it has recorded.
func (r *rig) restart() {
	r.t.Helper()
	r.stop()
	require.Equal(r.t, r.table.versions(), r.informer.Versions(), "at the end of a run")
	r.run(r.informer.Versions())
}

func (r *rig) create(names ...string) {
	r.t.Helper()
	for _, name := range names {
		_, err := r.server.Create("widgets", &widget{ObjectMeta: watchglass.ObjectMeta{Name: name}})
		require.NoError(r.t, err)
	}
	synctest.Wait()
}

func (r *rig) paint(name, color string) {
	r.t.Helper()
	_, err := r.server.Patch("widgets", "default", name, `{"spec":{"color":"`+color+`"}}`)
	require.NoError(r.t, err)
	synctest.Wait()
}

func (r *rig) delete(name string) {
	r.t.Helper()
	require.NoError(r.t, r.server.Delete("widgets", "default", name))
	synctest.Wait()
}
