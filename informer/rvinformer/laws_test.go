package rvinformer_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/rvinformer"
	"example.com/watchglass/reflector"
)

func TestCalls(t *testing.T) {
	law(t, "an empty mirror gets every object, and then each change", func(t *testing.T, r *rig) {
		r.create("web-1", "web-2")
		r.run(nil)
		assert.Equal(t, "add web-1 (initial); add web-2 (initial)", r.table.read())
		<-r.informer.Synced()
		r.create("web-3")
		r.paint("web-1", "blue")
		r.delete("web-2")
		r.server.DropConnections() // which causes no call
		time.Sleep(time.Minute)
		assert.Equal(t, "add web-3; delete web-2; update web-1", r.table.read())
		assert.Equal(t, r.table.versions(), r.informer.Versions())
	})
	law(t, "a relist and a restart write only the differences", func(t *testing.T, r *rig) {
		r.create("web-1", "web-2", "web-3")
		r.run(nil)
		r.table.read()
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
		r.server.DropConnections()
		r.delete("web-2")
		r.paint("web-3", "blue")
		r.server.Compact()
		r.server.Heal()
		time.Sleep(time.Minute)
		assert.Equal(t, "delete default/web-2, last state <nil>; sync web-1; update web-3",
			r.table.read())
		r.stop()
		r.paint("web-1", "blue")
		r.delete("web-3")
		r.create("web-4")
		r.restart()
		assert.Equal(t, "add web-4 (initial); delete default/web-3, last state <nil> (initial); "+
			"update web-1 (initial)", r.table.read())
	})
	law(t, "an older state than the recorded one is ignored", func(t *testing.T, r *rig) {
		r.create("web-1")
		r.table.rows["default/web-1"] = "1000"
		r.run(r.table.versions())
		r.paint("web-1", "blue")
		assert.Empty(t, r.table.read(), "a watch that catches up does not set the mirror back")
		r.delete("web-1")
		r.create("web-1")
		assert.Equal(t, "add web-1; delete web-1", r.table.read(), "a deletion forgets the version")
	})
	law(t, "a recorded version that cannot be compared is written over", func(t *testing.T, r *rig) {
		for name, version := range map[string]string{"web-1": "v9", "web-2": "0999", "web-3": "9x"} {
			r.create(name)
			r.table.rows["default/"+name] = version
		}
		r.run(r.table.versions())
		assert.Equal(t, "update web-1 (initial); update web-2 (initial); update web-3 (initial)",
			r.table.read())
	})
	law(t, "KeyFunc makes the keys, of tombstones too", func(t *testing.T, r *rig) {
		r.options.KeyFunc = func(obj watchglass.Object) (string, error) {
			return obj.(*widget).UID, nil // panics on a tombstone
		}
		r.table.keyFunc = r.options.KeyFunc
		r.create("web-1", "web-2")
		r.run(nil)
		r.stop()
		r.delete("web-2")
		r.table.read()
		r.restart()
		assert.Regexp(t, `^delete [-0-9a-f]+, last state <nil> \(initial\); sync web-1$`,
			r.table.read())
	})
}

func TestAWriteThatFails(t *testing.T) {
	for answer, commits := range map[string]bool{"refused": false, "its answer is lost": true} {
		law(t, "is made again by the next event: "+answer, func(t *testing.T, r *rig) {
			r.table.fail(errBroken, commits)
			r.run(nil)
			r.create("web-1")
			require.Len(t, r.reported, 1)
			assert.ErrorIs(t, r.reported[0], errBroken)
			assert.EqualError(t, r.reported[0], `mirror "default/web-1": database is down`)
			r.table.fail(nil, false)
			r.paint("web-1", "blue")
			assert.Equal(t, "add web-1; add web-1", r.table.read())
		})
		law(t, "does not hide a deletion: "+answer, func(t *testing.T, r *rig) {
			r.table.fail(errBroken, commits)
			r.run(nil)
			r.create("web-1")
			r.table.fail(nil, false)
			r.delete("web-1")
			assert.Equal(t, "add web-1; delete web-1", r.table.read(), "a deletion forgets the version")
			assert.Empty(t, r.informer.Versions())
		})
		law(t, "is made again after a restart: "+answer, func(t *testing.T, r *rig) {
			r.create("web-1", "web-2")
			r.run(nil)
			r.table.fail(errBroken, commits)
			r.delete("web-1")
			r.paint("web-2", "blue")
			r.table.fail(nil, false)
			r.table.read()
			r.restart()
			assert.Equal(t, "add web-2 (initial); delete default/web-1, last state <nil> (initial)",
				r.table.read())
			assert.Equal(t, r.table.versions(), r.informer.Versions())
		})
	}
	// Some errors mean something to the queue. Those of a mirror must not: it may have a queue of its
	// own.
	ofMine := fmt.Errorf("my queue: %w", deltafifo.ErrClosed)
	for _, failure := range []error{deltafifo.ErrRequeue{}, ofMine} {
		law(t, fmt.Sprintf("means nothing to the queue: %T", failure), func(t *testing.T, r *rig) {
			r.table.fail(failure, false)
			r.table.before = func() {
				if len(r.table.calls) > 10 { // ends an endless loop, so that the law fails and does not hang
					r.table.fail(nil, false)
				}
			}
			r.create("web-1", "web-2")
			r.run(nil)
			assert.Equal(t, "add web-1 (initial); add web-2 (initial)", r.table.read())
			require.Len(t, r.reported, 2)
			assert.ErrorIs(t, r.reported[0], failure)
		})
	}
}

func TestVersions(t *testing.T) {
	law(t, "during a call, the version is unsure", func(t *testing.T, r *rig) {
		calls := 0
		r.table.before = func() {
			calls++
			assert.Equal(t, map[string]string{"default/web-1": ""}, r.informer.Versions())
		}
		r.run(nil)
		r.create("web-1")
		r.paint("web-1", "blue")
		r.delete("web-1")
		assert.Equal(t, 3, calls)
		assert.Empty(t, r.informer.Versions())
	})
	law(t, "are copied, in and out", func(t *testing.T, r *rig) {
		saved := map[string]string{}
		r.run(saved)
		r.create("web-1")
		assert.Empty(t, saved, "the map that was given belongs to the caller")
		r.informer.Versions()["default/web-1"] = "mine"
		assert.Equal(t, r.table.versions(), r.informer.Versions(), "and so does the one that is returned")
	})
	law(t, "are all that stays in memory", func(t *testing.T, r *rig) {
		var objects []weak.Pointer[widget]
		r.options.Transform = func(obj watchglass.Object) (watchglass.Object, error) {
			objects = append(objects, weak.Make(obj.(*widget)))
			return obj, nil
		}
		r.create("web-1", "web-2")
		r.run(nil)
		r.paint("web-1", "blue")
		r.create("last") // the reflector may still hold the event that it has read last
		require.Len(t, objects, 4)
		runtime.GC()
		runtime.GC()
		for i, p := range objects[:3] {
			assert.Nil(t, p.Value(), "object %d is still in memory after the handler's call", i)
		}
	})
}

// stubborn is a collection whose requests take a minute, whatever the context says.
type stubborn struct{ reflector.ListerWatcher }

func (stubborn) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	time.Sleep(time.Minute)
	return &reflector.List{ResourceVersion: "1"}, nil
}

func TestRun(t *testing.T) {
	law(t, "happens once", func(t *testing.T, r *rig) {
		r.run(nil)
		assert.ErrorIs(t, r.informer.Run(t.Context()), rvinformer.ErrStarted)
	})
	law(t, "makes no further call when it is to end", func(t *testing.T, r *rig) {
		r.create("web-1", "web-2")
		r.table.before = func() { r.cancel() }
		r.run(nil)
		assert.Len(t, r.table.calls, 1)
	})
	law(t, "returns after everything that it started", func(t *testing.T, r *rig) {
		r.options.Reflector.ListerWatcher, r.options.Reflector.ListFirst = stubborn{}, true
		r.run(nil)
		began := time.Now()
		r.stop()
		assert.Equal(t, time.Minute, time.Since(began), "the request under way")
	})
	law(t, "panics if the handler does", func(t *testing.T, r *rig) {
		r.create("web-1")
		r.table.before = func() { panic("oh") }
		i, err := rvinformer.New(r.options)
		require.NoError(t, err)
		assert.PanicsWithValue(t, "oh", func() { _ = i.Run(context.Background()) })
		synctest.Wait() // the bubble fails if the reflector does not end
	})
}

func TestOptionsThatCannotWork(t *testing.T) {
	good := rvinformer.Options{
		Handler: &table{}, Reflector: reflector.Options{ListerWatcher: stubborn{}},
	}
	for want, spoil := range map[string]func(*rvinformer.Options){
		"Options.Handler is missing": func(o *rvinformer.Options) { o.Handler = nil },
		"ListerWatcher is missing":   func(o *rvinformer.Options) { o.Reflector.ListerWatcher = nil },
		"Options.Reflector.ResyncPeriod is 1m0s": func(o *rvinformer.Options) {
			o.Reflector.ResyncPeriod = time.Minute
		},
		"Store is set: the informer sets it itself": func(o *rvinformer.Options) {
			o.Reflector.Store = struct{ reflector.Store }{}
		},
	} {
		o := good
		spoil(&o)
		_, err := rvinformer.New(o)
		assert.ErrorContains(t, err, want)
	}
	_, err := rvinformer.New(good)
	assert.NoError(t, err)
}
