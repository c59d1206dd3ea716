package chaos_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer/chaos"
	"example.com/watchglass/processor"
)

// The scripts say what an informer does, step by step:
//
//	holds web@1 db@2        what the cache holds from now on
//	add web@1               calls of the handler; add! is of the initial list
//	update web@1 web@2
//	delete web@3            delete web is a tombstone, which has no version
//	synced, ended           what the registration says from now on
//	inside: STEP            the next call is under way while this happens
var scripts = []struct {
	law     string
	script  string
	err     string // in Err, and in Settled; "" if no promise is broken
	differs string // only in Settled; "" if handler and cache agree
}{
	{"a history: added, updated twice, deleted, added again", "holds web@9; add! web@1; " +
		"update web@1 web@2; update web@2 web@4; delete web@5; add web@9", "", ""},
	{"deleted from the cache before the call for the add", "add web@1; delete web@2", "", ""},
	{"created again in the cache before the calls for the first object",
		"add web@1; holds web@5; update web@1 web@2; delete web@3; add web@5", "", ""},
	{"synced when the last add of the initial list has returned",
		"holds web@1 db@2; add! web@1; synced; add db@2", "", ""},
	{"a tombstone of an object that was created again since",
		"add web@1; holds web@7; delete web; add web@7", "", ""},
	{"versions that are no numbers", "holds web@a; add web@b; update web@b web@a", "", ""},
	{"a call after one that has panicked", "holds web@1; inside: panics; add web@1; update web@1 web@1", "", ""},

	{"added twice", "add! web@1; add web@2", "web@2 is added, but the handler already knows web@1", ""},
	{"updated before it is added", "update web@1 web@2",
		"web@2 is updated, but the handler does not know the object", ""},
	{"an update that was left out", "add! web@1; update web@2 web@3",
		"web@3 is updated from version 2, but the handler knows web@1", ""},
	{"one object updated to another", "add! web@1; update web@1 db@2", "web@1 is updated to db@2: two keys", ""},
	{"deleted before it is added", "delete web@2",
		"web@2 is deleted, but the handler does not know the object", ""},
	{"deleted at an older version", "add! web@2; delete web@1",
		"web@1 is deleted, but the handler knows the newer web@2", ""},
	{"an add before the cache has it", "holds web@1; add! web@2",
		"the handler is told of web@2, but the cache holds the older web@1", ""},
	{"an add of what the cache holds only later", "add web@1; holds web@2; update web@1 web@2",
		"the handler was told of web@2 before the cache held it", ""},
	{"a deletion before that from the cache", "holds web@2; add! web@1; delete web@2",
		"the handler is told that web@2 is deleted, but the cache still holds web@2", ""},
	{"a tombstone before the deletion from the cache", "holds web@1; add! web@1; delete web",
		"the handler is told that web is deleted, but the cache still holds web@1", ""},
	{"synced too early", "inside: synced; add! web@1",
		"the registration has synced while web@1 of the initial list was being added", ""},
	{"an initial add after the sync", "synced; add! web@1",
		"web@1 of the initial list is added after the registration has synced", ""},
	{"a call after the end", "add! web@1; ended; delete web@2",
		"the handler is called after its registration has ended", ""},
	{"an end during a call", "add! web@1; inside: ended; update web@1 web@2",
		"the registration has ended while a call was under way", ""},
	{"two calls at a time", "inside: add! db@1; add! web@1",
		"the handler is called while another call is under way", ""},
	{"an object without a name", "add! @1", "the handler is told of an object without a key", ""},
	{"no object", "update web@1 nil", "the handler is told of an update without an object: <nil> is nil", ""},
	{"a nil pointer", "add! nil!", "of an add without an object: *watchglass.Unstructured is nil", ""},

	{"a missing add", "holds web@1", "", "the cache holds web@1, but the handler does not know it"},
	{"a missing update", "holds web@2; add! web@1", "", "the cache holds web@2, but the handler knows web@1"},
	{"a missing deletion", "add! web@1", "", "the handler knows web@1, but the cache does not hold it"},
	{"an add that came before the cache", "add! web@1; holds web@1", "",
		"the handler was told of web@1 before the cache held it"},
}

func TestTheContract(t *testing.T) {
	for _, s := range scripts {
		t.Run(s.law, func(t *testing.T) {
			cache := indexer.New(indexer.Options{})
			p := &play{cache: cache, ends: make(chan struct{})}
			p.Checker = chaos.NewChecker(&p.next, cache)
			p.Registered(p)
			for step := range strings.SplitSeq(s.script, "; ") {
				p.do(step)
			}
			assert.Contains(t, said(p.Err()), s.err)
			if s.err == "" {
				assert.Empty(t, said(p.Err()))
				assert.Equal(t, s.differs, said(p.Settled()))
			}
		})
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A play is a checker with the cache and the registration of an informer, whose calls a script
// makes.
type play struct {
	*chaos.Checker
	next   processor.ResourceEventHandlerFuncs // does what happens inside the next call
	cache  *indexer.Indexer
	synced bool
	ends   chan struct{}
}

func (p *play) do(step string) {
	words := strings.Fields(step)
	var objs []watchglass.Object
	for _, word := range words[1:] {
		objs = append(objs, object(word))
	}
	switch words[0] {
	case "holds":
		_ = p.cache.Replace(objs, "")
	case "add", "add!":
		defer func() { _ = recover() }() // from a handler that panics
		p.OnAdd(objs[0], words[0] == "add!")
	case "update":
		p.OnUpdate(objs[0], objs[1])
	case "delete":
		p.OnDelete(objs[0])
	case "synced":
		p.synced = true
	case "ended":
		close(p.ends)
	case "inside:":
		inside := func() {
			p.next = processor.ResourceEventHandlerFuncs{}
			p.do(strings.TrimPrefix(step, "inside: "))
		}
		p.next = processor.ResourceEventHandlerFuncs{
			AddFunc:    func(watchglass.Object, bool) { inside() },
			UpdateFunc: func(_, _ watchglass.Object) { inside() },
		}
	case "panics":
		panic("the handler")
	}
}

// object is what a word of a script stands for: web@1, or web for a tombstone.
func object(word string) watchglass.Object {
	name, version, versioned := strings.Cut(word, "@")
	switch {
	case word == "nil":
		return nil
	case word == "nil!":
		return (*watchglass.Unstructured)(nil)
	case !versioned:
		return deltafifo.DeletedFinalStateUnknown{Key: name}
	}
	return &watchglass.ObjectMeta{Name: name, ResourceVersion: version}
}

func (p *play) HasSynced() bool        { return p.synced }
func (p *play) Ended() <-chan struct{} { return p.ends }
