package rvinformer_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
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
	law(t, "the first list and each change are written; after a gap or restart, the differences",
		func(t *testing.T, r *fixture) {
			r.write("create web-1 create web-2 create web-3")
			r.run(nil)
			assert.Equal(t, "add web-1 (initial); add web-2 (initial); add web-3 (initial)", r.read())
			<-r.informer.Synced()
			r.write("create web-4 paint web-1 delete web-4")
			assert.Equal(t, "add web-4; delete web-4; update web-1", r.read())
			r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
			r.server.DropConnections()
			r.write("delete web-2 paint web-3")
			r.server.Compact()
			r.server.Heal()
			time.Sleep(time.Minute)
			assert.Equal(t, "delete default/web-2, last state <nil>; sync web-1; update web-3", r.read())
			r.stop()
			r.write("paint web-3 delete web-1 create web-5")
			r.restart()
			assert.Equal(t, "add web-5 (initial); delete default/web-1, last state <nil> (initial); "+
				"update web-3 (initial)", r.read())
		})
	law(t, "a state that is older than the recorded one is ignored", func(t *testing.T, r *fixture) {
		r.write("create web-1 create web-2")
		r.rows = map[string]string{"default/web-1": "1000", "default/web-2": "9x"}
		r.run(r.versions())
		r.write("paint web-1")
		assert.Equal(t, "update web-2 (initial)", r.read())
		r.write("delete web-1 create web-1")
		assert.Equal(t, "add web-1; delete web-1", r.read(), "a deletion forgets the version")
	})
	law(t, "a write that fails is reported, and does not hide the deletion behind it",
		func(t *testing.T, r *fixture) {
			r.fail(errBroken, false)
			r.options.OnProcessError = func(err error) { // what comes meanwhile is queued
				assert.ErrorContains(t, err, `mirror "default/web-1": database is down`)
				r.reported = append(r.reported, err)
				time.Sleep(time.Minute)
			}
			r.run(nil)
			r.write("create web-1 paint web-1 delete web-1")
			time.Sleep(time.Hour)
			assert.Equal(t, "add web-1; add web-1; delete web-1", r.read())
			assert.Len(t, r.reported, 2, "one error for each pop")
		})
}

func TestErrorsOfTheWatch(t *testing.T) {
	law(t, "are logged under the name of the mirror, or passed on", func(t *testing.T, r *fixture) {
		var log bytes.Buffer
		var passed []error
		refuse := fakeapi.Fault{Kind: fakeapi.FaultStatus, Code: 500}
		r.options.Name, r.options.Logger = "pods of east", slog.New(slog.NewTextHandler(&log, nil))
		r.server.Inject(refuse)
		r.run(nil)
		assert.Contains(t, log.String(), `"pods of east: `)
		r.options.WatchErrorHandler = func(err error) { passed = append(passed, err) }
		r.server.Inject(refuse)
		r.restart()
		assert.NotEmpty(t, passed)
	})
}

func TestMemory(t *testing.T) {
	law(t, "no object is kept after the handler's call", func(t *testing.T, r *fixture) {
		var objects []weak.Pointer[widget]
		r.options.Transform = func(obj watchglass.Object) (watchglass.Object, error) {
			objects = append(objects, weak.Make(obj.(*widget)))
			return obj, nil
		}
		r.write("create web-1 create web-2")
		r.run(nil)
		r.write("paint web-1 create last") // the reflector may still hold the event that it has read last
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
	law(t, "happens once, and makes no further call when it ends", func(t *testing.T, r *fixture) {
		r.write("create web-1 create web-2")
		r.before = func() { r.cancel() }
		r.run(nil)
		assert.Len(t, r.calls, 1)
		assert.ErrorIs(t, r.informer.Run(t.Context()), watchglass.ErrStarted)
	})
	law(t, "returns after everything that it started", func(t *testing.T, r *fixture) {
		r.options.ListerWatcher, r.options.Reflector.ListFirst = stubborn{}, true
		r.run(nil)
		began := time.Now()
		r.stop()
		assert.Equal(t, time.Minute, time.Since(began), "the request under way")
	})
	law(t, "can be waited for, and names the last failure", func(t *testing.T, r *fixture) {
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Code: 404, Count: -1})
		r.options.Name, r.options.Reflector.ListFirst = "mirror", true
		r.run(nil)
		assert.Equal(t, "mirror", r.informer.Name())
		assert.ErrorContains(t, r.informer.Err(), "mirror: listing: http://fakeapi/")
		require.Empty(t, r.informer.Ended())
		r.stop()
		<-r.informer.Ended()
	})
	law(t, "panics if the handler does", func(t *testing.T, r *fixture) {
		r.write("create web-1")
		r.before = func() { panic("oh") }
		i := rvinformer.New(r.options)
		assert.PanicsWithValue(t, "oh", func() { _ = i.Run(context.Background()) })
		synctest.Wait() // the bubble fails if the reflector does not end
	})
}

func TestOptionsThatCannotWork(t *testing.T) {
	for _, handler := range []rvinformer.Handler{nil, (*fixture)(nil)} {
		assert.PanicsWithValue(t, "rvinformer: Options.Handler is nil",
			func() { rvinformer.New(rvinformer.Options{Handler: handler}) })
	}
	assert.PanicsWithValue(t, "reflector: Config.ListerWatcher is nil",
		func() { rvinformer.New(rvinformer.Options{Handler: &fixture{}}) })
}

// A server changes at random while connections are cut, history is lost, writes to the mirror fail
// or lose their answers, and the informer is restarted. Each call must fit the rows of the mirror
// (the fixture checks that). After each run, versions and rows must be the same. When nothing fails
// any more, the mirror must become what the server holds.
func TestTheMirrorBecomesWhatTheServerHolds(t *testing.T) {
	for seed := range uint64(8) {
		law(t, fmt.Sprint("seed ", seed), func(t *testing.T, r *fixture) {
			random := rand.New(rand.NewPCG(seed, 25))
			r.options.Reflector.ListFirst = seed%2 == 0
			var log bytes.Buffer
			if seed > 3 { // without OnProcessError, failed writes are logged, if there is a log
				r.options.OnProcessError = nil
			}
			if seed > 5 {
				r.options.Logger = slog.New(slog.NewTextHandler(&log, nil))
			}
			r.run(nil)
			for range 60 {
				r.step(random)
			}
			r.server.Heal()
			r.fail(nil, false)
			r.restart() // its first list makes the failed calls again
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			held := map[string]string{}
			list, err := r.options.ListerWatcher.List(t.Context(), reflector.ListOptions{})
			require.NoError(t, err)
			for _, obj := range list.Items {
				key, _ := watchglass.MetaNamespaceKeyFunc(obj)
				held[key] = obj.GetResourceVersion()
			}
			require.Equal(t, held, r.rows, "the mirror, when nothing changes any more")
			for _, err := range r.reported {
				assert.ErrorIs(t, err, errBroken)
			}
			assert.Equal(t, seed < 4, len(r.reported) > 0, "errors of the mirror are reported")
			assert.Equal(t, seed > 5, strings.Contains(log.String(), "object not mirrored"))
		})
	}
}

// step makes a random change or fault, and sometimes lets time pass.
func (r *fixture) step(random *rand.Rand) {
	name := fmt.Sprint("web-", random.IntN(5))
	switch random.IntN(11) {
	case 0, 1, 2:
		r.write("create " + name)
	case 3, 4:
		r.write("paint " + name)
	case 5:
		r.write("delete " + name)
	case 6:
		r.server.DropConnections()
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: random.IntN(3)})
	case 7:
		r.server.Compact()
	case 8: // with an error that means something to the queue: that of a mirror must not
		r.fail(deltafifo.ErrRequeue{Err: errBroken}, random.IntN(2) == 0)
	case 9:
		r.fail(nil, false)
	case 10:
		r.restart()
	}
	if random.IntN(3) == 0 {
		time.Sleep(time.Duration(random.IntN(60)) * time.Second)
	}
	synctest.Wait()
}
