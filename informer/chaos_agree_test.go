package informer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing/synctest"
	"time"

	"example.com/watchglass/fakeapi"
)

// agree lets the server heal and everything come to rest, and compares server, caches, indices and
// handlers.
func (s *storm) agree() {
	s.agreed = true
	s.server.Heal()
	s.writers.Wait()
	time.Sleep(3 * time.Hour)
	for range 300 { // a resync may just have begun
		if synctest.Wait(); !s.pending() {
			break
		}
		time.Sleep(time.Second)
	}
	for _, name := range slices.Sorted(maps.Keys(s.informers)) {
		s.breaks(name, s.informers[name].agrees(s.server))
	}
	for _, g := range s.guests {
		s.breaks("handler "+g.name, g.agrees())
	}
}

// pending reports whether a notification waits for a handler.
func (s *storm) pending() bool {
	return slices.ContainsFunc(s.guests, func(g *guest) bool { return g.registration.Pending() > 0 })
}

// agrees compares the cache with the server, and the index with the cache.
func (i *stormInformer) agrees(server *fakeapi.Server) error {
	items, _, err := server.List(i.resource, "")
	if err != nil {
		return err
	}
	want, got := map[string]string{}, map[string]string{}
	for _, item := range items {
		var obj labelled
		if err := json.Unmarshal(item, &obj); err != nil {
			return err
		}
		want[obj.Name] = obj.ResourceVersion
	}
	byColor := map[string][]string{}
	for _, obj := range i.GetIndexer().List() {
		got[obj.GetName()] = obj.GetResourceVersion()
		if values, err := colorOf(obj); err == nil {
			byColor[values[0]] = append(byColor[values[0]], "default/"+obj.GetName())
		}
	}
	if !maps.Equal(want, got) {
		return fmt.Errorf("the server holds %v, the cache %v", want, got)
	}
	for color, keys := range byColor {
		slices.Sort(keys)
		if held, err := i.GetIndexer().IndexKeys("color", color); !slices.Equal(held, keys) {
			return fmt.Errorf("index color=%s holds %v (%v), the cache %v", color, held, err, keys)
		}
	}
	if colors := i.GetIndexer().ListIndexFuncValues("color"); len(colors) != len(byColor) {
		return fmt.Errorf("the index has colors %v, the cache %v", colors, byColor)
	}
	return nil
}

// agrees checks that the contract was kept with the handler.
func (g *guest) agrees() error {
	if !g.removed {
		if n := g.registration.Pending(); n > 0 {
			return fmt.Errorf("%d notifications still wait", n)
		}
		if !g.registration.HasSynced() {
			return errors.New("has not synced")
		}
		return g.checker.Settled()
	}
	select {
	case <-g.registration.Ended():
		return g.checker.Err()
	default:
		return errors.New("was removed and has not ended")
	}
}

// State implements story.Machine. It shows only what agree has found.
func (s *storm) State() string {
	if !s.agreed {
		return ""
	}
	s.agreed = false
	if err := errors.Join(s.broken...); err != nil {
		return err.Error() + "\n"
	}
	return allAgree
}

const allAgree = "server, caches, indices and handlers agree\n"
