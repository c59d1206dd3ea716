package rvinformer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/rvinformer"
	"example.com/watchglass/reflector/client"
)

// widget is an object with an identity and a color.
type widget struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		Color string `json:"color,omitempty"`
	} `json:"spec"`
}

// fixture is a server, a mirror of its widgets and, while it runs, an informer. It is the
// informer's handler, and checks that each call fits the rows of the mirror.
type fixture struct {
	t        *testing.T
	server   *fakeapi.Server
	options  rvinformer.Options // for the next start
	informer *rvinformer.Informer
	reported []error // by OnProcessError
	cancel   func()  // tells Run to end
	stop     func()  // does that and returns when Run has ended; may be called twice

	mu      sync.Mutex        // guards all below while the informer runs
	rows    map[string]string // of the mirror: key → version
	unsure  map[string]bool   // by key: the last call has failed
	calls   []string
	before  func() // called at the beginning of each call; may be nil
	failure error  // what each write returns; nil: it succeeds
	commits bool   // a write that fails is made all the same: only its answer is lost
}

var errBroken = errors.New("database is down")

// law tries to break a promise in a bubble of its own.
func law(t *testing.T, promise string, try func(t *testing.T, r *fixture)) {
	story.Bubble(t, promise, func(t *testing.T) {
		r := &fixture{t: t, server: fakeapi.New(fakeapi.Options{}), stop: func() {},
			rows: map[string]string{}, unsure: map[string]bool{}}
		watched, err := client.New[widget](client.Options{
			URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
			HTTPClient: r.server.Client(),
		})
		require.NoError(t, err)
		r.options = rvinformer.Options{
			ListerWatcher:  watched,
			Handler:        r,
			OnProcessError: func(err error) { r.reported = append(r.reported, err) },
		}
		t.Cleanup(func() {
			r.stop()
			r.server.Close()
		})
		try(t, r)
	})
}

func (r *fixture) OnAdd(o watchglass.Object, first bool) error {
	return r.call("add", o, first)
}

func (r *fixture) OnUpdate(o watchglass.Object, first bool) error {
	return r.call("update", o, first)
}

func (r *fixture) OnDelete(o watchglass.Object, first bool) error {
	return r.call("delete", o, first)
}

func (r *fixture) OnSync(o watchglass.Object) error {
	return r.call("sync", o, false)
}

func (r *fixture) call(name string, obj watchglass.Object, initial bool) error {
	if r.before != nil {
		r.before()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	line := name + " " + obj.GetName()
	if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
		line = fmt.Sprintf("delete %s, last state %v", gone.Key, gone.Obj)
	}
	if initial {
		line += " (initial)"
	}
	if r.calls = append(r.calls, line); len(r.calls) > 1000 {
		panic("calls without end")
	}
	key, _ := watchglass.MetaNamespaceKeyFunc(obj)
	version := obj.GetResourceVersion()
	row, held := r.rows[key]
	sure := held && !r.unsure[key]
	assert.True(r.t, map[string]bool{
		"add": !sure, "update": sure && row != version, "sync": sure && row == version,
		"delete": held || r.unsure[key],
	}[name], "%s at %q, but the row is %q, surely: %v", line, version, row, sure)
	if name == "sync" {
		return nil
	}
	assert.Empty(r.t, r.informer.Versions()[key], "the version is unsure during a call")
	switch {
	case r.failure != nil && !r.commits:
	case name == "delete":
		delete(r.rows, key)
	default:
		r.rows[key] = version
	}
	r.unsure[key] = r.failure != nil
	return r.failure
}

// fail makes writes fail; with nil, they succeed again.
func (r *fixture) fail(failure error, commits bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failure, r.commits = failure, commits
}

// read returns the calls since the last read. Calls for different objects come in no promised
// order, so they are sorted.
func (r *fixture) read() string {
	synctest.Wait()
	defer func() { r.calls = nil }()
	return strings.Join(slices.Sorted(slices.Values(r.calls)), "; ")
}

// versions returns what the informer must have recorded.
func (r *fixture) versions() map[string]string {
	want := maps.Clone(r.rows)
	for key, unsure := range r.unsure {
		if unsure {
			want[key] = ""
		}
	}
	return want
}

// run starts an informer that goes on with the given versions, and waits until it is at rest.
func (r *fixture) run(versions map[string]string) {
	r.options.Versions = versions
	i := rvinformer.New(r.options)
	clear(versions) // it belongs to the caller
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
func (r *fixture) restart() {
	r.stop()
	clear(r.informer.Versions()) // it belongs to the caller, too
	require.Equal(r.t, r.versions(), r.informer.Versions(), "at the end of a run")
	r.run(r.informer.Versions())
}

// write makes writes, each of two words, and lets the informer come to rest after each. One
// that the server refuses changes nothing.
func (r *fixture) write(writes string) {
	words := strings.Fields(writes)
	for i := 0; i < len(words); i += 2 {
		switch name := words[i+1]; words[i] {
		case "create":
			_, _ = r.server.Create("widgets", fmt.Sprintf(`{"metadata":{"name":%q}}`, name))
		case "paint":
			_, _ = r.server.Patch("widgets", "default", name,
				fmt.Sprintf(`{"spec":{"color":"%d"}}`, rand.Int()))
		case "delete":
			_ = r.server.Delete("widgets", "default", name)
		}
		synctest.Wait()
	}
}
