package contract

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass"
)

type thing struct{ watchglass.ObjectMeta }

func at(name, version string) *thing {
	return &thing{watchglass.ObjectMeta{Name: name, ResourceVersion: version}}
}

// cache is a cache of things by name.
type cache map[string]*thing

func (c cache) GetByKey(key string) (watchglass.Object, bool, error) {
	if key == "unreadable" {
		return nil, false, errors.New("no cache today")
	}
	obj, ok := c[key]
	return obj, ok, nil
}

func (c cache) List() (list []watchglass.Object) {
	for _, obj := range c {
		list = append(list, obj)
	}
	return list
}

// registration is a Registration whose state the test sets.
type registration struct {
	synced bool
	ended  chan struct{}
}

func (r *registration) HasSynced() bool        { return r.synced }
func (r *registration) Ended() <-chan struct{} { return r.ended }

// play is a checker, with the cache and the registration that an informer would give it. The test
// makes the calls of the informer.
type play struct {
	*Checker
	cache        cache
	registration *registration
}

func newPlay() *play {
	p := &play{cache: cache{}, registration: &registration{ended: make(chan struct{})}}
	p.Checker = New(nil, p.cache)
	p.Registered(p.registration)
	return p
}

// holds sets what the cache holds.
func (p *play) holds(objs ...*thing) {
	clear(p.cache)
	for _, obj := range objs {
		p.cache[obj.Name] = obj
	}
}

func TestWhatKeepsTheContract(t *testing.T) {
	for law, tell := range map[string]func(p *play){
		"a history: added, updated twice, deleted, added again": func(p *play) {
			p.holds(at("web", "9"))
			p.OnAdd(at("web", "1"), true)
			p.OnUpdate(at("web", "1"), at("web", "2"))
			p.OnUpdate(at("web", "2"), at("web", "4"))
			p.OnDelete(at("web", "5"))
			p.OnAdd(at("web", "9"), false)
		},
		"a resync: updated to itself": func(p *play) {
			p.holds(at("web", "1"))
			p.OnAdd(at("web", "1"), true)
			p.OnUpdate(at("web", "1"), at("web", "1"))
		},
		"deleted from the cache before the call for the add": func(p *play) {
			p.OnAdd(at("web", "1"), false)
			p.OnDelete(at("web", "2"))
		},
		"created again in the cache before the calls for the first object": func(p *play) {
			p.OnAdd(at("web", "1"), false)
			p.holds(at("web", "5"))
			p.OnUpdate(at("web", "1"), at("web", "2"))
			p.OnDelete(at("web", "3"))
			p.OnAdd(at("web", "5"), false)
		},
		"synced when the last add of the initial list has returned": func(p *play) {
			p.holds(at("web", "1"), at("db", "2"))
			p.OnAdd(at("web", "1"), true)
			p.registration.synced = true
			p.next = inside(func() {})
			p.OnAdd(at("db", "2"), false)
		},
		"a tombstone, which has no version": func(p *play) {
			p.OnAdd(at("web", "1"), false)
			p.OnDelete(at("web", ""))
		},
		"a tombstone of an object that was created again since": func(p *play) {
			p.OnAdd(at("web", "1"), false)
			p.holds(at("web", "7"))
			p.OnDelete(at("web", ""))
			p.OnAdd(at("web", "7"), false)
		},
		"versions that are no numbers": func(p *play) {
			p.holds(at("web", "a"))
			p.OnAdd(at("web", "b"), false)
			p.OnUpdate(at("web", "b"), at("web", "a"))
		},
		"an add after the sync that is not of the initial list": func(p *play) {
			p.holds(at("web", "1"))
			p.registration.synced = true
			p.OnAdd(at("web", "1"), false)
		},
	} {
		p := newPlay()
		tell(p)
		assert.NoError(t, p.Settled(), law)
	}
}

func TestWhatBreaksTheContract(t *testing.T) {
	for _, c := range []struct {
		broken string
		tell   func(p *play)
	}{
		{"web@2 is added, but the handler already knows web@1", func(p *play) {
			p.OnAdd(at("web", "1"), true)
			p.OnAdd(at("web", "2"), false)
		}},
		{"web@2 is updated, but the handler does not know the object", func(p *play) {
			p.OnUpdate(at("web", "1"), at("web", "2"))
		}},
		{"web@3 is updated from version 2, but the handler knows web@1", func(p *play) {
			p.OnAdd(at("web", "1"), true)
			p.OnUpdate(at("web", "2"), at("web", "3"))
		}},
		{"web@1 is updated to db@2: two keys", func(p *play) {
			p.OnAdd(at("web", "1"), true)
			p.OnUpdate(at("web", "1"), at("db", "2"))
		}},
		{"web@2 is deleted, but the handler does not know the object", func(p *play) {
			p.OnDelete(at("web", "2"))
		}},
		{"web@1 is deleted, but the handler knows the newer web@2", func(p *play) {
			p.OnAdd(at("web", "2"), true)
			p.OnDelete(at("web", "1"))
		}},
		{"the handler is told of web@2, but the cache holds the older web@1", func(p *play) {
			p.holds(at("web", "1"))
			p.OnAdd(at("web", "2"), true)
		}},
		{"the handler is told of web@3, but the cache holds the older web@2", func(p *play) {
			p.holds(at("web", "2"))
			p.OnAdd(at("web", "1"), true)
			p.OnUpdate(at("web", "1"), at("web", "3"))
		}},
		{"the handler is told that web@2 is deleted, but the cache still holds web@1", func(p *play) {
			p.holds(at("web", "1"))
			p.OnAdd(at("web", "1"), true)
			p.OnDelete(at("web", "2"))
		}},
		{"the handler is told that web@2 is deleted, but the cache still holds web@2", func(p *play) {
			p.holds(at("web", "2"))
			p.OnAdd(at("web", "1"), true)
			p.OnDelete(at("web", "2"))
		}},
		{"the handler was told of web@2 before the cache held it", func(p *play) {
			p.OnAdd(at("web", "1"), false)
			p.holds(at("web", "2"))
			p.OnUpdate(at("web", "1"), at("web", "2"))
		}},
		{"the handler is told that web is deleted, but the cache still holds web@1", func(p *play) {
			p.holds(at("web", "1"))
			p.OnAdd(at("web", "1"), true)
			p.OnDelete(at("web", "")) // a tombstone
		}},
		{"the registration has synced while web@1 of the initial list was being added", func(p *play) {
			p.next = inside(func() { p.registration.synced = true })
			p.OnAdd(at("web", "1"), true)
		}},
		{"web@1 of the initial list is added after the registration has synced", func(p *play) {
			p.registration.synced = true
			p.OnAdd(at("web", "1"), true)
		}},
		{"the handler is called after its registration has ended", func(p *play) {
			close(p.registration.ended)
			p.OnAdd(at("web", "1"), true)
		}},
		{"the registration has ended while a call was under way", func(p *play) {
			p.next = inside(func() { close(p.registration.ended) })
			p.OnAdd(at("web", "1"), true)
		}},
		{"the handler is called while another call is under way", func(p *play) {
			p.next = inside(func() {
				p.next = nil
				p.OnAdd(at("db", "1"), true)
			})
			p.OnAdd(at("web", "1"), true)
		}},
		{"the cache cannot be read: no cache today", func(p *play) {
			p.OnAdd(at("unreadable", "1"), true)
		}},
		{"the handler is told of an object without a key", func(p *play) {
			p.OnAdd(at("", "1"), true)
		}},
	} {
		p := newPlay()
		c.tell(p)
		assert.ErrorContains(t, p.Err(), c.broken)
	}
}

func TestWhatDoesNotAgree(t *testing.T) {
	for _, c := range []struct {
		broken string
		tell   func(p *play)
	}{
		{"the cache holds web@1, but the handler does not know it", func(p *play) {
			p.holds(at("web", "1"))
		}},
		{"the cache holds web@2, but the handler knows web@1", func(p *play) {
			p.holds(at("web", "2"))
			p.OnAdd(at("web", "1"), true)
		}},
		{"the handler was told of web@1 before the cache held it", func(p *play) {
			p.OnAdd(at("web", "1"), true)
			p.holds(at("web", "1"))
		}},
		{"the handler knows web@1, but the cache does not hold it", func(p *play) {
			p.OnAdd(at("web", "1"), true)
		}},
	} {
		p := newPlay()
		c.tell(p)
		assert.NoError(t, p.Err(), "handler and cache may differ until nothing changes any more")
		assert.EqualError(t, p.Settled(), c.broken)
	}
}

// inside is a handler that does something in its calls.
type inside func()

func (f inside) OnAdd(watchglass.Object, bool)   { f() }
func (f inside) OnUpdate(_, _ watchglass.Object) { f() }
func (f inside) OnDelete(watchglass.Object)      { f() }

func TestCallsArePassedOn(t *testing.T) {
	calls := 0
	c := New(inside(func() { calls++ }), nil)
	c.OnAdd(at("web", "1"), true)
	c.OnUpdate(at("web", "1"), at("web", "2"))
	c.OnDelete(at("web", "2"))
	assert.Equal(t, 3, calls)
	assert.NoError(t, c.Settled(), "without a cache there is nothing to compare with")
}

func TestAPanicEndsItsCall(t *testing.T) {
	c := New(inside(func() { panic("no") }), nil)
	assert.Panics(t, func() { c.OnAdd(at("web", "1"), true) })
	c.next = nil
	c.OnUpdate(at("web", "1"), at("web", "2"))
	assert.NoError(t, c.Err(), "a call that has panicked is no longer under way")
}

func TestBrokenPromisesAreBounded(t *testing.T) {
	c := New(nil, nil)
	for i := range 1000 {
		c.OnDelete(at(fmt.Sprint("web-", i), "1"))
	}
	assert.Len(t, c.broken, maxBroken)
}
