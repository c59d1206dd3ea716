package late

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed late.go
var source string

// A lock that does not leave to chance what other goroutines do: as soon as it is free for the nth
// time, others runs. That is the moment in which another goroutine could have got it.
type lock struct {
	mu     sync.Mutex
	frees  int // guarded by mu
	nth    int
	others func()
	ended  chan bool
}

func (l *lock) Lock() { l.mu.Lock() }

// Unlock lets others go first. If they wait for a second lock of the learner's, which is held until
// the caller of Unlock returns, that is no mistake: then they go on after it.
func (l *lock) Unlock() {
	l.frees++
	isFree := l.frees == l.nth
	l.mu.Unlock()
	if !isFree {
		return
	}
	l.ended = make(chan bool)
	go func() { l.others(); close(l.ended) }()
	select {
	case <-l.ended:
	case <-time.After(500 * time.Millisecond):
	}
}

// wait waits for others, and says whether the lock was free for the nth time.
func (l *lock) wait() bool {
	if l.ended != nil {
		<-l.ended
	}
	return l.ended != nil
}

// cache is a Store. It notes what is done to it, and to handlers, while the lock is free.
type cache struct {
	states   map[string]string
	order    []string
	lock     *lock
	unlocked []string
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
	if c.lock.mu.TryLock() {
		c.unlocked = append(c.unlocked, what)
		c.lock.mu.Unlock()
	}
}

func newInformer() (*Informer, *cache) {
	store := &cache{states: map[string]string{}, lock: &lock{}}
	return &Informer{Mu: store.lock, Cache: store}, store
}

// listen returns a handler and what it has been told.
func listen(c *cache) (Handler, *[]string) {
	var told []string
	return func(call, state string, initial bool) {
		c.look("a handler's call")
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
	informer.Change("web-1", "web-1@2")
	informer.Change("web-2", "web-2@3")
	h, told := listen(store)
	informer.Join(h)
	compare(t, "a handler that joins late must be told of all that is there, or what it builds is never complete; "+
		"sorted, because two runs should do the same", *told, "OnAdd web-1@2 true", "OnAdd web-2@3 true")
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
	late, lateTold := listen(store)
	informer.Join(late)
	compare(t, "the initial adds are for the handler that joins, and for no other", *told, "OnAdd web-1@1")
	informer.Change("web-1", "web-1@2")
	compare(t, "a handler that joins takes no other handler's place", *told, "OnAdd web-1@1", "OnUpdate web-1@2")
	informer.Change("web-2", "web-2@3")
	compare(t, "each change is for all handlers", *lateTold, "OnAdd web-1@1 true", "OnUpdate web-1@2", "OnAdd web-2@3")
}

// Whenever the lock is free during a Join, a change is made: it must be told once, whatever moment
// that is.
func TestAChangeDuringAJoinIsToldOnce(t *testing.T) {
	exercise.Start(t, "late.go", source)
	for nth := 1; nth <= 3; nth++ {
		informer, store := newInformer()
		informer.Change("web-1", "web-1@1")
		store.lock.frees, store.lock.nth = 0, nth
		store.lock.others = func() { informer.Change("web-1", "web-1@2") }
		h, told := listen(store)
		informer.Join(h)
		if !store.lock.wait() {
			break // the lock was free less often: there is no such moment
		}
		compare(t, fmt.Sprintf("another goroutine changed web-1 when the lock was free (time %d) during Join. "+
			"If it was free between the copy and the entry in the list, the change is lost, or told twice", nth),
			*told, "OnAdd web-1@1 true", "OnUpdate web-1@2")
	}
}

func TestAJoinDuringAChangeIsToldOnce(t *testing.T) {
	exercise.Start(t, "late.go", source)
	for nth := 1; nth <= 3; nth++ {
		informer, store := newInformer()
		h, told := listen(store)
		store.lock.nth = nth
		store.lock.others = func() { informer.Join(h) }
		informer.Change("web-1", "web-1@1")
		if !store.lock.wait() {
			break
		}
		compare(t, fmt.Sprintf("a handler joined when the lock was free (time %d) during Change. "+
			"If it was free between storing and telling, the handler finds web-1 in the cache and is told of it again", nth),
			*told, "OnAdd web-1@1 true")
	}
}

func TestNothingHappensWithoutTheLock(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	informer.Change("web-1", "web-1@1")
	h, _ := listen(store)
	informer.Join(h)
	informer.Change("web-1", "web-1@2")
	if len(store.unlocked) > 0 {
		t.Errorf("another goroutine could make a change at that very moment, and the change would be lost or told twice.\n"+
			"done while the lock was free: %v", store.unlocked)
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
	if !store.lock.mu.TryLock() {
		t.Fatal("Join has returned and still holds the lock: the next change would wait forever")
	}
	store.lock.mu.Unlock()
	informer.Change("web-1", "web-1@1")
	if !store.lock.mu.TryLock() {
		t.Fatal("Change has returned and still holds the lock")
	}
}
