package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/words"
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
			URL: fakeapi.URL + path, HTTPClient: &http.Client{Transport: network}})
		require.NoError(t, err)
		widgets := real.NewSharedIndexInformer(real.Options{ListerWatcher: watched,
			Reflector: stage.Options{ListFirst: true}, Trace: real.Trace{Reflector: &stage.Trace{
				Listed: func(int, string, bool) { p.say("reflector", "listed") }}}})
		_, err = widgets.AddEventHandler(processor.ResourceEventHandlerFuncs{
			AddFunc:    func(obj watchglass.Object, _ bool) { p.say("handler", "OnAdd %s", words.At(obj)) },
			UpdateFunc: func(old, new watchglass.Object) { p.say("handler", "OnUpdate %s %s", words.At(old), words.At(new)) },
			DeleteFunc: func(obj watchglass.Object) {
				if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
					p.say("handler", "OnDelete %s (tombstone)", words.At(gone.Obj))
					return
				}
				p.say("handler", "OnDelete %s", words.At(obj))
			},
		}, real.HandlerOptions{})
		require.NoError(t, err)
		scenes := &scenes{printer: p, server: server, network: network,
			rest: func() { time.Sleep(200 * time.Millisecond); synctest.Wait() },
			cache: func() string {
				var held []string
				for _, obj := range widgets.GetIndexer().List() {
					held = append(held, words.At(obj))
				}
				slices.Sort(held)
				return fmt.Sprint(held)
			}}
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		scenes.play(func() { running.Go(func() { _ = widgets.Run(ctx) }) })
		assert.Equal(t, realRun.calls(), p.record.calls())
		assert.Equal(t, realRun.lists, p.record.lists)
		assert.Equal(t, realRun.cache, scenes.cache())
	})
}
