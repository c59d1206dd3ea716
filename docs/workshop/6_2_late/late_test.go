package late

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed late.go
var source string

// cache is a Store that looks, each time it is used, whether the informer's lock is held: if it is
// not, another goroutine could make a change at this very moment.
type cache struct {
	states   map[string]string
	order    []string
	informer *Informer
	unlocked []string // what was done without the lock
}

func (c *cache) Set(key, state string) (known bool) {
	c.look("Set")
	_, known = c.states[key]
	if !known {
		c.order = append(c.order, key)
	}
	c.states[key] = state
	return known
}

func (c *cache) States() []string {
	c.look("States")
	var all []string
	for i := range c.order { // newest first, so that it matters whether they are sorted
		all = append(all, c.states[c.order[len(c.order)-1-i]])
	}
	return all
}

func (c *cache) look(what string) {
	if c.informer.Mu.TryLock() {
		c.unlocked = append(c.unlocked, what)
		c.informer.Mu.Unlock()
	}
}

func newInformer() (*Informer, *cache) {
	store := &cache{states: map[string]string{}}
	store.informer = &Informer{Cache: store}
	return store.informer, store
}

// listen returns a handler and what it has been told.
func listen(c *cache) (Handler, *[]string) {
	var told []string
	return func(call, state string, initial bool) {
		c.look("a handler")
		told = append(told, strings.TrimSuffix(fmt.Sprintf("%s %s %t", call, state, initial), " false"))
	}, &told
}

func compare(t *testing.T, why string, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s.\ntold %q\nwant %q", why, got, want)
	}
}

func TestWhatIsThereIsToldAsInitialAdds(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	informer.Change("web-2", "web-2@2")
	informer.Change("web-1", "web-1@3")
	h, told := listen(store)
	informer.Join(h)
	compare(t, "a handler that joins late has to know what there is, or its own state is never complete",
		*told, "OnAdd web-1@3 true", "OnAdd web-2@2 true")
}

func TestWhatComesLaterIsToldAsItComes(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	informer.Change("web-1", "web-1@1")
	h, told := listen(store)
	informer.Join(h)
	informer.Change("web-1", "web-1@2")
	informer.Change("web-2", "web-2@3")
	compare(t, "web-1 was there when it joined, so its change is an update; web-2 is new, and not part of what was there",
		*told, "OnAdd web-1@1 true", "OnUpdate web-1@2", "OnAdd web-2@3")
}

func TestOtherHandlersAreNotToldAgain(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	early, told := listen(store)
	informer.Join(early)
	informer.Change("web-1", "web-1@1")
	late, _ := listen(store)
	informer.Join(late)
	compare(t, "the initial adds are for the handler that joins, and for no other", *told, "OnAdd web-1@1")
}

func TestNoChangeComesBetweenCopyAndJoining(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	informer.Change("web-1", "web-1@1")
	h, _ := listen(store)
	informer.Join(h)
	if len(store.unlocked) > 0 {
		t.Errorf("a change that is made after the cache was copied and before the handler is in the list is lost for it. "+
			"One that is made between Set and the calls is told twice.\nso the lock has to be held all the time; "+
			"it was free during: %v", store.unlocked)
	}
	if len(informer.Handlers) != 1 {
		t.Errorf("the informer has %d handlers after one has joined", len(informer.Handlers))
	}
}

func TestTheLockIsReleased(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	h, _ := listen(store)
	informer.Join(h)
	if !informer.Mu.TryLock() {
		t.Fatal("Join has returned and still holds the lock: the next change would wait for ever")
	}
	informer.Mu.Unlock()
	informer.Change("web-1", "web-1@1")
	if !informer.Mu.TryLock() {
		t.Fatal("Change has returned and still holds the lock")
	}
}
