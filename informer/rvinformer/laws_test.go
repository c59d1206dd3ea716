package rvinformer_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/rvinformer"
	"example.com/watchglass/reflector"
)

func TestARun(t *testing.T) {
	inBubble(t, "an empty mirror gets every object, and then each change", func(t *testing.T) {
		r := newRig(t)
		r.create("web-1", "web-2")
		r.run(nil)
		assert.Equal(t, "add web-1 (initial); add web-2 (initial)", r.table.read())
		assert.True(t, isClosed(r.informer.Synced()), "the handler has been called with the first list")
		r.create("web-3")
		r.paint("web-1", "blue")
		r.delete("web-2")
		assert.Equal(t, "add web-3; delete web-2; update web-1", r.table.read())
		assert.Equal(t, r.table.rows, r.informer.Versions(), "the versions are what the mirror holds")
	})
	inBubble(t, "a cut connection causes no call", func(t *testing.T) {
		r := newRig(t)
		r.create("web-1")
		r.run(nil)
		r.table.read()
		r.server.DropConnections()
		time.Sleep(time.Minute)
		r.paint("web-1", "blue")
		assert.Equal(t, "update web-1", r.table.read())
	})
	inBubble(t, "a relist after lost history writes only the differences", func(t *testing.T) {
		r := newRig(t)
		r.create("web-1", "web-2", "web-3")
		r.run(nil)
		r.table.read()
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
		r.server.DropConnections()
		r.delete("web-2")
		r.paint("web-3", "blue")
		r.create("web-4")
		r.server.Compact()
		r.server.Heal()
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, "add web-4; delete default/web-2, last state <nil>; sync web-1; update web-3",
			r.table.read())
		assert.Equal(t, r.table.rows, r.informer.Versions())
	})
	inBubble(t, "an informer runs once", func(t *testing.T) {
		r := newRig(t)
		r.run(nil)
		assert.ErrorIs(t, r.informer.Run(t.Context()), rvinformer.ErrStarted)
	})
}

func TestARestart(t *testing.T) {
	inBubble(t, "it writes only the differences", func(t *testing.T) {
		r := newRig(t)
		r.create("web-1", "web-2", "web-3")
		r.run(nil)
		r.stop()
		r.table.read()
		r.paint("web-2", "blue")
		r.delete("web-3")
		r.create("web-4")
		r.server.Compact()
		r.run(r.informer.Versions())
		assert.Equal(t, "add web-4 (initial); delete default/web-3, last state <nil> (initial); "+
			"sync web-1; update web-2 (initial)", r.table.read())
		assert.Equal(t, r.table.rows, r.informer.Versions())
		r.stop()
		r.run(r.informer.Versions())
		assert.Equal(t, "sync web-1; sync web-2; sync web-4", r.table.read(), "nothing has changed")
	})
	inBubble(t, "an older state than the recorded one is ignored", func(t *testing.T) {
		r := newRig(t)
		r.create("web-1", "web-2")
		r.table.rows = map[string]string{"default/web-1": "1000", "default/web-2": "1"}
		r.run(map[string]string{"default/web-1": "1000", "default/web-2": "1"})
		assert.Equal(t, "update web-2 (initial)", r.table.read())
		assert.Equal(t, "1000", r.informer.Versions()["default/web-1"])
		r.paint("web-1", "blue")
		assert.Empty(t, r.table.read(), "a watch that catches up does not set the mirror back")
		r.delete("web-1")
		r.create("web-1")
		assert.Equal(t, "add web-1; delete web-1", r.table.read(),
			"a deletion forgets the version, so the next object is added")
	})
	inBubble(t, "if the recorded version is not a number, the state is written", func(t *testing.T) {
		r := newRig(t)
		saved := map[string]string{}
		for key, version := range map[string]string{
			"web-1": "", "web-2": "v9", "web-3": "0999", "web-4": "9x",
		} {
			r.create(key)
			saved["default/"+key], r.table.rows["default/"+key] = version, version
		}
		r.run(saved)
		assert.Equal(t, "update web-1 (initial); update web-2 (initial); update web-3 (initial); "+
			"update web-4 (initial)", r.table.read())
	})
	inBubble(t, "the saved map is copied, in and out", func(t *testing.T) {
		r := newRig(t)
		saved := map[string]string{}
		r.run(saved)
		r.create("web-1")
		assert.Empty(t, saved, "the map that was given belongs to the caller")
		r.informer.Versions()["default/web-1"] = "mine"
		assert.Equal(t, r.table.rows, r.informer.Versions(), "and so does the one that is returned")
	})
}

func TestVersionsNeverRunAheadOfTheMirror(t *testing.T) {
	inBubble(t, "during a call, the version is the one before", func(t *testing.T) {
		r := newRig(t)
		var during []map[string]string
		r.table.seen = func(string) { during = append(during, r.informer.Versions()) }
		r.run(nil)
		r.create("web-1")
		held := r.informer.Versions()
		r.paint("web-1", "blue")
		updated := r.informer.Versions()
		r.delete("web-1")
		assert.NotEqual(t, held, updated)
		assert.Equal(t, []map[string]string{{}, held, updated}, during)
		assert.Empty(t, r.informer.Versions())
	})
	inBubble(t, "a call that fails is made again by the next event", func(t *testing.T) {
		r := newRig(t)
		var reported []error
		r.options.OnProcessError = func(err error) { reported = append(reported, err) }
		r.table.broken.Store(true)
		r.run(nil)
		r.create("web-1")
		require.Len(t, reported, 1)
		assert.ErrorIs(t, reported[0], errBroken)
		assert.EqualError(t, reported[0], `mirror "default/web-1": database is down`)
		assert.Empty(t, r.informer.Versions(), "the mirror does not hold it")
		r.table.broken.Store(false)
		r.paint("web-1", "blue")
		assert.Equal(t, "add web-1; add web-1", r.table.read())
		r.table.broken.Store(true)
		r.paint("web-1", "red")
		r.delete("web-1")
		assert.Len(t, r.informer.Versions(), 1, "the mirror still holds it")
		r.table.broken.Store(false)
		r.stop()
		r.table.read()
		r.run(r.informer.Versions())
		assert.Equal(t, "delete default/web-1, last state <nil> (initial)", r.table.read(),
			"the first list after a restart makes the failed call again")
		assert.Empty(t, r.informer.Versions())
	})
}

func TestNoObjectIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.create("web-1", "web-2", "web-3")
		var objects []weak.Pointer[widget]
		r.options.Transform = func(obj watchglass.Object) (watchglass.Object, error) {
			objects = append(objects, weak.Make(obj.(*widget)))
			return obj, nil
		}
		r.run(nil)
		r.paint("web-1", "blue")
		r.create("last") // the reflector may still hold the event that it has read last
		require.Len(t, objects, 5)
		runtime.GC()
		runtime.GC()
		for i, p := range objects[:4] {
			assert.Nil(t, p.Value(), "object %d is still in memory after the handler's call", i)
		}
		assert.Len(t, r.informer.Versions(), 4, "only the versions stay")
	})
}

func TestAPanicOfTheHandlerReachesTheCallerOfRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.create("web-1")
		r.table.seen = func(string) { panic("oh") }
		i, err := rvinformer.New(r.options)
		require.NoError(t, err)
		assert.PanicsWithValue(t, "oh", func() { _ = i.Run(context.Background()) })
		synctest.Wait() // the bubble fails if the reflector does not end
		assert.Empty(t, i.Versions())
	})
}

// stubborn is a collection whose requests take a minute, whatever the context says.
type stubborn struct{}

func (stubborn) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	time.Sleep(time.Minute)
	return &reflector.List{ResourceVersion: "1"}, nil
}

func (stubborn) Watch(ctx context.Context, _ reflector.ListOptions) (reflector.Watch, error) {
	time.Sleep(time.Minute)
	return nil, ctx.Err()
}

func TestRunReturnsAfterEverythingItStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.options.Reflector.ListerWatcher = stubborn{}
		r.run(nil)
		began := time.Now()
		r.stop()
		assert.Equal(t, time.Minute, time.Since(began), "Run waits for the request under way")
	})
}

func TestAKeyFuncOfYourOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.options.KeyFunc = func(obj watchglass.Object) (string, error) {
			return "the one called " + obj.(*widget).Name, nil // panics on a tombstone
		}
		r.create("web-1", "web-2")
		r.run(nil)
		r.stop()
		r.delete("web-2")
		r.table.read()
		r.run(r.informer.Versions())
		assert.Equal(t, "delete the one called web-2, last state <nil> (initial); sync web-1",
			r.table.read())
		assert.Len(t, r.informer.Versions(), 1)
	})
}

func TestOptionsThatCannotWork(t *testing.T) {
	client := struct{ reflector.ListerWatcher }{}
	good := rvinformer.Options{
		Handler: &table{}, Reflector: reflector.Options{ListerWatcher: client},
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
