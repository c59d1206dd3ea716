package informer_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/contract"
)

// TestAbuse adds and removes handlers on many goroutines, while objects change, watches break and
// indices are added. In the end the informer is stopped in the middle of this. No call may hang, no
// goroutine may be left, and the contract must be kept with every handler.
func TestAbuse(t *testing.T) {
	inBubble(t, "handlers are added and removed at any time", func(t *testing.T) {
		p := newPair(t, informer.Options{ResyncPeriod: time.Second})
		for i := range 10 {
			p.create(fmt.Sprint("web-", i), "red")
		}
		p.run()
		var guests sync.WaitGroup
		for g := range 12 {
			guests.Go(func() { p.visit(t, g) })
		}
		for i := range 500 {
			_, err := p.server.Patch("widgets", "default", fmt.Sprint("web-", i%10),
				fmt.Sprintf(`{"spec":{"color":"%d"}}`, i))
			assert.NoError(t, err)
			if i%50 == 0 {
				time.Sleep(2 * time.Second)
				p.server.DropWatches()
				p.server.Compact()
			}
		}
		p.stop()
		guests.Wait()
	})
}

// visit adds and removes handlers, in a way that depends on the guest, until the informer has
// stopped.
func (p *pair) visit(t *testing.T, guest int) {
	for visit := 0; ; visit++ {
		c := contract.New(nil, p.informer.GetIndexer())
		r, err := p.informer.AddEventHandler(c, informer.HandlerOptions{Drain: guest%2 == 0})
		if err != nil {
			assert.ErrorIs(t, err, informer.ErrStopped)
			return
		}
		c.Registered(r)
		if guest%3 == 0 {
			time.Sleep(time.Duration(guest) * time.Millisecond)
		}
		if guest == 7 {
			p.informer.Stats()
			_ = p.informer.AddIndexers(indexer.Indexers{ // or it has stopped
				fmt.Sprint(visit): indexer.MetaNamespaceIndexFunc,
			})
		}
		if guest%4 == 0 {
			assert.NoError(t, p.informer.ShutDownEventHandler(t.Context(), r))
		} else {
			assert.NoError(t, p.informer.RemoveEventHandler(r))
		}
		<-r.Ended()
		assert.NoError(t, c.Err(), "the contract with a handler of guest %d", guest)
		time.Sleep(50 * time.Millisecond)
	}
}
