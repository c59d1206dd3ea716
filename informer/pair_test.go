package informer

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/internal/contract"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/wire"
)

var law = story.Bubble

// pair is a server and an informer of its widgets, in the bubble of a test.
type pair struct {
	Informer[*widget]
	t      *testing.T
	server *fakeapi.Server
	run    func() // returns when the informer has come to rest
	stop   func() // ends Run and returns when it has returned; may be called more than once
}

func newPair(t *testing.T, options Options) *pair {
	options.MutationDetector = noFindings(t)
	options.Reflector.Backoff.Jitter = -1
	options.Reflector.ListFirst = true
	p := &pair{t: t, server: fakeapi.New(fakeapi.Options{})}
	var err error
	p.Informer, err = For[widget](wire.ClientOptions{
		URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		HTTPClient: p.server.Client(),
	}, options)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	p.run = func() {
		running.Go(func() { _ = p.Run(ctx) })
		synctest.Wait()
	}
	p.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(func() {
		p.stop()
		p.server.Close()
	})
	return p
}

// write changes the color of a widget, which it creates if need be, and returns its new version.
func (p *pair) write(name, color string) string {
	p.t.Helper()
	written, err := p.server.Patch("widgets", "default", name, colored(color))
	if err != nil {
		written, err = p.server.Create("widgets", newWidget(name, color))
	}
	require.NoError(p.t, err)
	synctest.Wait()
	return versionOf(p.t, written)
}

func (p *pair) delete(name string) {
	p.t.Helper()
	require.NoError(p.t, p.server.Delete("widgets", "default", name))
	synctest.Wait()
}

func versionOf(t testing.TB, written json.RawMessage) string {
	var obj watchglass.Unstructured
	require.NoError(t, json.Unmarshal(written, &obj))
	return obj.GetResourceVersion()
}

// missEvents disconnects the informer, calls f, makes the server forget its history, and lets the
// informer connect again: it has to list.
func (p *pair) missEvents(f func()) {
	p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
	p.server.DropWatches()
	synctest.Wait()
	f()
	p.server.Compact()
	p.server.Heal()
	time.Sleep(time.Hour)
	synctest.Wait()
}

func (p *pair) handle(h processor.ResourceEventHandler) *processor.Registration {
	p.t.Helper()
	r := checked(p.t, p.SharedIndexInformer, h, HandlerOptions{})
	synctest.Wait()
	return r
}

// checked adds a handler. At the end of the test the informer must have kept the contract with it.
// If the handler has not ended and nothing waits for it, handler and cache must agree.
func checked(t testing.TB, i *SharedIndexInformer, h processor.ResourceEventHandler,
	options HandlerOptions) *processor.Registration {
	t.Helper()
	c := contract.New(h, i.GetIndexer())
	r, err := i.AddEventHandler(c, options)
	require.NoError(t, err)
	c.Registered(r)
	t.Cleanup(func() {
		synctest.Wait()
		kept := c.Settled
		if ended(r) != "" || r.Pending() > 0 {
			kept = c.Err
		}
		assert.NoError(t, kept(), "broken promise to handler %s", options.Name)
	})
	return r
}
