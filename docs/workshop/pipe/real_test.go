package main

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	process "example.com/watchglass/docs/workshop/6_1_process"
	"example.com/watchglass/fakeapi"
	real "example.com/watchglass/informer"
	"example.com/watchglass/processor"
	stage "example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

// The verdict compares with what the informer of this project does in the same scenes: here.
func TestTheRealInformerDoesWhatTheVerdictSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		defer server.Close()
		p, network := &printer{out: io.Discard}, &network{to: server.Client().Transport}
		watched, err := client.New[watchglass.Unstructured](client.Options{
			URL:        fakeapi.URL + path,
			HTTPClient: &http.Client{Transport: network},
		})
		require.NoError(t, err)
		widgets := real.NewSharedIndexInformer(real.Options{
			ListerWatcher: watched,
			Reflector:     stage.Options{ListFirst: true},
			Trace: real.Trace{Reflector: &stage.Trace{
				Listed: func(objects int, version string, _ bool) { p.listed(objects, version) },
			}},
		})
		_, err = widgets.AddEventHandler(tell(p), processor.HandlerOptions{})
		require.NoError(t, err)
		rest := func() {
			time.Sleep(200 * time.Millisecond)
			synctest.Wait()
			cache := process.Cache{}
			for _, obj := range widgets.GetIndexer().List() {
				cache[obj.GetName()] = state(obj)
			}
			p.holds(cache, nil)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		scenes := &scenes{printer: p, server: server, network: network, rest: rest}
		scenes.play(func() { running.Go(func() { _ = widgets.Run(ctx) }) })
		got := p.end()
		assert.Equal(t, realRun.calls(), got.calls())
		assert.Equal(t, realRun.lists, got.lists)
		assert.Equal(t, realRun.cache, got.cache)
	})
}

// tell returns a handler that notes what it is told as the pump's handler does.
func tell(p *printer) processor.ResourceEventHandlerFuncs {
	return processor.ResourceEventHandlerFuncs{
		AddFunc: func(obj watchglass.Object, _ bool) { p.note("5.2 pump", "OnAdd "+state(obj)) },
		UpdateFunc: func(old, new watchglass.Object) {
			p.note("5.2 pump", "OnUpdate "+state(old)+" "+state(new))
		},
		DeleteFunc: func(obj watchglass.Object) {
			what := "OnDelete "
			if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
				what, obj = "OnDelete (tombstone) ", gone.Obj
			}
			p.note("5.2 pump", what+state(obj))
		},
	}
}

func state(obj watchglass.Object) string {
	labels := obj.(*watchglass.Unstructured).GetLabels()
	return obj.GetName() + "@" + obj.GetResourceVersion() + ":" + labels["app"]
}
