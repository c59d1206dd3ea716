package chaos

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
	s.server.Heal()
	s.refusals.Store(0)
	s.writers.Wait()
	time.Sleep(30 * time.Minute)
	s.rest()
	for _, name := range slices.Sorted(maps.Keys(s.informers)) {
		s.breaks(name, s.informers[name].agrees(s.server, name == "listed"))
	}
	for _, g := range s.all() {
		s.breaks("handler "+g.name, g.agrees())
	}
	s.show(allAgree)
}

// stopNow stops the informers in the middle of what they do. No promise to a handler may be broken,
// and one that drains must have got all that the cache holds.
func (s *storm) stopNow() {
	s.stop()
	s.running.Wait()
	s.server.Heal()
	for _, g := range s.all() {
		<-g.registration.Ended()
		err := g.err()
		if g.drain && !g.isRemoved() {
			err = errors.Join(err, g.checker.Settled())
		}
		s.breaks("handler "+g.name+" after the stop", err)
	}
	s.show(allStopped)
}

// rest waits until all handlers are at rest.
func (s *storm) rest() {
	for range 1000 { // a resync may just have begun
		synctest.Wait()
		if !slices.ContainsFunc(s.all(), func(g *guest) bool { return !g.atRest() }) {
			return
		}
		time.Sleep(10 * time.Second)
	}
}

// agrees compares the cache with the server, and the index with the cache.
func (w *watcher) agrees(server *fakeapi.Server, marked bool) error {
	items, _, err := server.List(w.resource, "")
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
	byColor := map[string]int{}
	for _, obj := range w.cache.List() {
		got[obj.GetName()] = obj.GetResourceVersion()
		if (obj.(*labelled).Annotations["marked"] == "yes") != marked {
			return fmt.Errorf("%s was transformed: %v", obj.GetName(), !marked)
		}
		if values, err := colorOf(obj); err == nil {
			byColor[values[0]]++
		}
	}
	if !maps.Equal(want, got) {
		return fmt.Errorf("the server holds %v, the cache %v", want, got)
	}
	for color, objects := range byColor {
		if held, err := w.cache.ByIndex("color", color); len(held) != objects {
			return fmt.Errorf("index color=%s holds %v (%v), the cache %d", color, held, err, objects)
		}
	}
	if colors := w.cache.ListIndexFuncValues("color"); len(colors) != len(byColor) {
		return fmt.Errorf("the index has colors %v, the cache %v", colors, byColor)
	}
	if w.checker != nil {
		return w.checker.Settled()
	}
	return nil
}

// show says how the script has ended, if nothing was wrong.
func (s *storm) show(good string) {
	if s.shown = good; len(s.broken) > 0 {
		s.shown = errors.Join(s.broken...).Error() + "\n"
	}
}

// State implements story.Machine. It shows only what agree or stop has found.
func (s *storm) State() string {
	defer func() { s.shown = "" }()
	return s.shown
}

const (
	allAgree   = "server, caches, indices and handlers agree\n"
	allStopped = "all has ended, and no promise was broken\n"
)
