package informer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/informer"
	"example.com/watchglass/informer/contract"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// TestPlainChaos plays random writes, faults and relists against a plain informer. The process loop
// calls its handler, so each call is checked against the cache of exactly that moment.
func TestPlainChaos(t *testing.T) {
	for seed := range uint64(3) {
		inBubble(t, fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := newFactoryRig(t, informer.FactoryOptions{}) // for its server
			collection := collectionAt(r.server, widgetsPath)
			collection.Kind, collection.APIVersion = "Widget", "workshop.example.dev/v1"
			client, err := wire.NewClient[widget](collection)
			require.NoError(t, err)
			handler := &lateBound{}
			cache, controller, err := informer.NewInformer(informer.Options{
				ListerWatcher: client, Queue: queueOfPairs, ResyncPeriod: time.Minute,
				Reflector: reflector.Options{Backoff: reflector.Backoff{Jitter: -1}},
			}, handler)
			require.NoError(t, err)
			handler.Checker = contract.New(nil, cache)
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { _ = controller.Run(ctx) })
			random := rand.New(rand.NewPCG(seed, 14))
			for range 400 {
				r.shake(random)
				if random.IntN(3) == 0 {
					time.Sleep(time.Duration(random.IntN(20_000)) * time.Millisecond)
				}
			}
			r.server.Heal()
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			items, _, err := r.server.List("widgets", "")
			require.NoError(t, err)
			assert.Equal(t, len(items), cache.Len(), "objects in the cache")
			assert.NoError(t, handler.Settled())
			stop()
			running.Wait()
		})
	}
}

// lateBound is a handler whose checker is set later: the checker needs the cache, and NewInformer
// needs the handler before it returns the cache.
type lateBound struct{ *contract.Checker }
