package informer_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/contract"
	"example.com/watchglass/processor"
)

// mirror is a filtered handler that keeps the objects that exist according to its calls.
type mirror struct {
	mu      sync.Mutex
	colors  map[string]string
	broken  []string
	checker *contract.Checker
}

func (m *mirror) join(t *testing.T, i informer.Informer[*widget]) {
	m.colors = map[string]string{}
	set := func(what string, w *widget, wantKnown bool) {
		m.mu.Lock()
		defer m.mu.Unlock()
		key := w.Namespace + "/" + w.Name
		if _, known := m.colors[key]; known != wantKnown || !isRed(w) {
			m.broken = append(m.broken, fmt.Sprint(what, " ", key, " ", w.Spec.Color, known))
		}
		m.colors[key] = w.Spec.Color
	}
	h := informer.Handler[*widget]{
		Filter: isRed,
		Add:    func(w *widget, _ bool) { set("add", w, false) },
		Update: func(_, w *widget) { set("update", w, true) },
		Delete: func(d informer.Deletion[*widget]) {
			m.mu.Lock()
			defer m.mu.Unlock()
			delete(m.colors, d.Key)
		},
	}
	m.checker = contract.New(h, i.GetIndexer())
	r, err := i.AddEventHandler(m.checker, informer.HandlerOptions{})
	require.NoError(t, err)
	m.checker.Registered(r)
}

// TestTypedChaos plays random writes, faults and relists against a factory. At random times it asks
// for an informer and adds a filtered handler. In the end each handler must hold what the lister
// finds.
func TestTypedChaos(t *testing.T) {
	for seed := range uint64(3) {
		inBubble(t, fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := newFactoryRig(t, informer.FactoryOptions{
				Informer: informer.Options{
					ResyncPeriod: time.Minute,
					OnPanic:      func(string, processor.Notification, any) {},
				},
			})
			r.run()
			random := rand.New(rand.NewPCG(seed, 0))
			var mirrors []*mirror
			for range 400 {
				if random.IntN(20) == 0 {
					m := &mirror{}
					m.join(t, r.widgets(t))
					mirrors = append(mirrors, m)
				}
				r.shake(random)
				if random.IntN(3) == 0 {
					time.Sleep(time.Duration(random.IntN(20_000)) * time.Millisecond)
				}
			}
			r.server.Heal()
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			want := map[string]string{}
			for w := range r.widgets(t).Lister().All() {
				if isRed(w) {
					want[w.Namespace+"/"+w.Name] = "red"
				}
			}
			items, _, err := r.server.List("widgets", "")
			require.NoError(t, err)
			assert.Len(t, r.widgets(t).Lister().List(), len(items), "objects in the cache")
			for _, m := range mirrors {
				assert.NoError(t, m.checker.Settled())
				assert.Empty(t, m.broken, "calls that do not fit the earlier ones, or the filter")
				assert.True(t, maps.Equal(want, m.colors), "want %v, have %v", want, m.colors)
			}
		})
	}
}

// shake makes a random write or fault.
func (r *factoryRig) shake(random *rand.Rand) {
	name, color := randomName(random), pick(random, "red", "red", "blue")
	switch random.IntN(10) {
	case 0:
		_ = r.server.Delete("widgets", "default", name)
	case 1:
		r.server.Compact()
		r.server.DropWatches()
	case 2:
		r.server.Inject(fakeapi.Fault{
			Kind:  chaosFaults[random.IntN(len(chaosFaults))],
			Count: 1 + random.IntN(2), After: random.IntN(3), Delay: time.Second,
		})
	case 3, 4:
		_, _ = r.server.Create("widgets", newWidget(name, color))
	default:
		_, _ = r.server.Patch("widgets", "default", name,
			fmt.Sprintf(`{"spec":{"color":%q},"metadata":{"labels":{"n":"%d"}}}`, color, random.Int()))
	}
}
