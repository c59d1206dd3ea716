package rvinformer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// table is a mirror: the handler of an informer, which records its calls. The rows stay when the
// informer is replaced by another one.
type table struct {
	mu      sync.Mutex
	rows    map[string]string // key → version
	calls   []string
	broken  atomic.Bool  // every write fails
	mistake string       // the first call that does not fit the rows
	seen    func(string) // called with the name of each call, before the write; may be nil
}

var errBroken = errors.New("database is down")

func (m *table) OnAdd(obj watchglass.Object, initial bool) error {
	return m.write("add", obj, initial, false)
}

func (m *table) OnUpdate(obj watchglass.Object, initial bool) error {
	return m.write("update", obj, initial, true)
}

func (m *table) OnSync(obj watchglass.Object) error {
	return m.write("sync", obj, false, true)
}

func (m *table) OnDelete(obj watchglass.Object, initial bool) error {
	if m.seen != nil {
		m.seen("delete")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	line := "delete " + obj.GetName()
	if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
		line = fmt.Sprintf("delete %s, last state %v", gone.Key, gone.Obj)
	}
	if m.calls = append(m.calls, line+flag(initial)); m.broken.Load() {
		return errBroken
	}
	delete(m.rows, keyOf(obj))
	return nil
}

func (m *table) write(call string, obj watchglass.Object, initial, want bool) error {
	if m.seen != nil {
		m.seen(call)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, call+" "+obj.GetName()+flag(initial))
	version, held := m.rows[keyOf(obj)]
	if m.mistake == "" && (held != want || call == "sync" && version != obj.GetResourceVersion()) {
		m.mistake = fmt.Sprintf("%s %s@%s, but the mirror holds version %q", call, keyOf(obj),
			obj.GetResourceVersion(), version)
	}
	if m.broken.Load() {
		return errBroken
	}
	m.rows[keyOf(obj)] = obj.GetResourceVersion()
	return nil
}

// read returns the calls since the last read. Calls for different objects come in no promised
// order, so they are sorted.
func (m *table) read() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.calls = nil }()
	return strings.Join(slices.Sorted(slices.Values(m.calls)), "; ")
}

func flag(initial bool) string {
	if initial {
		return " (initial)"
	}
	return ""
}

func keyOf(obj watchglass.Object) string {
	key, _ := watchglass.MetaNamespaceKeyFunc(obj)
	return key
}

// rig is a server, a mirror and, while it runs, an informer.
type rig struct {
	t        *testing.T
	server   *fakeapi.Server
	table    *table
	options  rvinformer.Options // for the next start
	informer *rvinformer.Informer
	stop     func() // ends Run and returns when it has; may be called twice
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, server: fakeapi.New(fakeapi.Options{}), table: &table{rows: map[string]string{}}}
	client, err := wire.NewClient[widget](wire.ClientOptions{
		URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		HTTPClient: r.server.Client(),
	})
	require.NoError(t, err)
	r.stop = func() {}
	r.options = rvinformer.Options{
		Reflector: reflector.Options{
			ListerWatcher: client,
			Name:          "widgets",
			Backoff:       reflector.Backoff{Jitter: -1},
		},
		Handler:        r.table,
		OnProcessError: func(err error) { t.Error("no call has failed, but this is reported:", err) },
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
	var running sync.WaitGroup
	running.Go(func() { _ = i.Run(ctx) })
	r.informer = i
	r.stop = func() {
		cancel()
		running.Wait()
	}
	synctest.Wait()
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

// inBubble runs a law in a bubble of its own: time is virtual, and no goroutine may be left.
func inBubble(t *testing.T, law string, f func(t *testing.T)) {
	t.Run(law, func(t *testing.T) { synctest.Test(t, f) })
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
