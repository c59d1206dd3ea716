package late

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed late.go
var source string

// A lock that does not leave to chance what other goroutines do: before each Lock and after each
// Unlock another one could get it. At one of these moments, others runs.
type lock struct {
	mu     sync.Mutex
	before int // how many moments come before that one
	others func()
	ended  chan bool
}

func (l *lock) Lock() { l.moment(); l.mu.Lock() }

func (l *lock) Unlock() { l.mu.Unlock(); l.moment() }

// moment lets others go first. If they wait for a second lock of the learner's, which is held until
// the caller returns, that is no mistake: then they go on after it.
func (l *lock) moment() {
	others := l.others
	if l.before--; others == nil || l.before >= 0 {
		return
	}
	l.others, l.ended = nil, make(chan bool)
	go func() { others(); close(l.ended) }()
	select {
	case <-l.ended:
	case <-time.After(500 * time.Millisecond):
	}
}

// wait waits for others, and says whether there was such a moment.
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

// compare takes what may be told, in one order or another.
func compare(t *testing.T, why string, got []string, may ...string) {
	t.Helper()
	if !slices.Contains(may, strings.Join(got, ", ")) {
		t.Errorf("%s.\ntold %s\nwant %s", why, strings.Join(got, ", "), strings.Join(may, "\nor   "))
	}
}

func TestWhatIsThereIsToldAsInitialAdds(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	informer.Change("web-1", "web-1@2")
	informer.Change("web-2", "web-2@3")
	h, told := listen(store)
	informer.Join(h)
	compare(t, "a handler that joins late must be told of all that is there, or what it builds is "+
		"never complete; "+
		"sorted, because two runs should do the same", *told, "OnAdd web-1@2 true, OnAdd web-2@3 true")
}

func TestOtherHandlersAreNotToldAgain(t *testing.T) {
	exercise.Start(t, "late.go", source)
	informer, store := newInformer()
	early, told := listen(store)
	informer.Join(early)
	informer.Change("web-1", "web-1@1")
	late, lateTold := listen(store)
	informer.Join(late)
	compare(t, "the initial adds are for the handler that joins, and for no other", *told,
		"OnAdd web-1@1")
	informer.Change("web-1", "web-1@2")
	compare(t, "a handler that joins takes no other handler's place", *told,
		"OnAdd web-1@1, OnUpdate web-1@2")
	informer.Change("web-2", "web-2@3")
	compare(t, "each change is for all handlers", *lateTold,
		"OnAdd web-1@1 true, OnUpdate web-1@2, OnAdd web-2@3")
}

// Whenever the lock is free during a Join, another handler joins and a change is made: both
// handlers must be told of it once, whatever moment that is.
func TestAChangeDuringAJoinIsToldOnce(t *testing.T) {
	exercise.Start(t, "late.go", source)
	for moment := 0; !t.Failed(); moment++ {
		informer, store := newInformer()
		informer.Change("web-1", "web-1@1")
		h, told := listen(store)
		other, otherTold := listen(store)
		store.lock.before, store.lock.others = moment,
			func() { informer.Join(other); informer.Change("web-1", "web-1@2") }
		informer.Join(h)
		if !store.lock.wait() {
			return // the lock was free less often
		}
		informer.Change("web-1", "web-1@3")
		compare(t, "another goroutine changed web-1 while the lock was free during Join. If it was "+
			"free between the copy and the "+
			"entry in the list, or the list is used without it, the change is lost, or told twice", *told,
			"OnAdd web-1@1 true, OnUpdate web-1@2, OnUpdate web-1@3", "OnAdd web-1@2 true, OnUpdate web-1@3")
		compare(t, "another handler joined while the lock was free during Join, and its entry in the "+
			"list is lost", *otherTold,
			"OnAdd web-1@1 true, OnUpdate web-1@2, OnUpdate web-1@3")
	}
}

func TestAJoinDuringAChangeIsToldOnce(t *testing.T) {
	exercise.Start(t, "late.go", source)
	for moment := 0; !t.Failed(); moment++ {
		informer, store := newInformer()
		h, told := listen(store)
		store.lock.before, store.lock.others = moment, func() { informer.Join(h) }
		informer.Change("web-1", "web-1@1")
		if !store.lock.wait() {
			return
		}
		compare(t, "a handler joined while the lock was free during Change. If it was free between "+
			"storing and telling, or the "+
			"list is read without it, the handler is told of web-1 twice, or never", *told,
			"OnAdd web-1@1 true", "OnAdd web-1@1")
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
		t.Errorf("another goroutine could make a change at that very moment, and the change would be "+
			"lost or told twice.\n"+
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
