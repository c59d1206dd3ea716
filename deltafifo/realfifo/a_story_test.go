package realfifo

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/story"
)

// The stories play the same input through both queues. They are in testdata. Read them with
//
//	go test -v -run Stories ./deltafifo/realfifo
func TestStories(t *testing.T) {
	story.Play(t, "testdata/*.story", func(testing.TB) story.Machine { return newSideBySide() })
}

// sideBySide is a DeltaFIFO and a RealFIFO that get the same events, each with a consumer and its
// store. The commands are listed in testdata/story.template.
type sideBySide struct {
	delta      *deltafifo.DeltaFIFO
	deltaStore store
	keys       []string          // in delta, in their order, as its trace reports them
	pending    map[string]string // for each of these keys
	real       *RealFIFO
	realStore  store
	told       []string // what the last command has caused, line by line
}

// store is what a process loop fills.
type store map[string]watchglass.Object

func (s store) ListKeys() []string { return slices.Sorted(maps.Keys(s)) }

func (s store) GetByKey(key string) (watchglass.Object, bool, error) {
	return s[key], s[key] != nil, nil
}

func (s store) apply(deltas deltafifo.Deltas) {
	for _, d := range deltas {
		s[d.Object.GetName()] = d.Object
		if d.Type == deltafifo.Deleted {
			delete(s, d.Object.GetName())
		}
	}
}

func (s store) String() string {
	words := versions(slices.Collect(maps.Values(s)))
	slices.Sort(words)
	return fmt.Sprint(words)
}

func newSideBySide() *sideBySide {
	s := &sideBySide{deltaStore: store{}, pending: map[string]string{},
		real: New(Options{}), realStore: store{}}
	s.delta = deltafifo.New(deltafifo.Options{KnownObjects: s.deltaStore, Trace: &deltafifo.Trace{
		Queued: func(key string, _ deltafifo.Delta, pending deltafifo.Deltas, _ deltafifo.State) {
			if len(pending) == 1 {
				s.keys = append(s.keys, key)
			}
			s.pending[key] = strings.Join(describeAll(pending), " + ")
		},
		Popped: func(string, deltafifo.Deltas, bool, deltafifo.State) { s.keys = s.keys[1:] },
	}})
	return s
}

func (s *sideBySide) Do(c story.Command) error {
	s.told = nil
	switch c.Name {
	case "bookmark":
		s.real.UpdateResourceVersion(c.Arg(0))
		return nil
	case "pop":
		n, err := strconv.Atoi(cmp.Or(c.Arg(0), "1"))
		s.pop(n)
		return err
	}
	var list []watchglass.Object
	for _, word := range c.Args() {
		name, version, err := story.CutVersion(word)
		if err != nil {
			return err
		}
		list = append(list, object(name, version))
	}
	err := errors.Join(send(s.delta, c, list), send(s.real, c, list))
	if c.Name == "begin" { // the first list is not part of the story
		s.pop(len(list))
		s.told = nil
	}
	return err
}

// queue is what both queues have for a producer.
type queue interface {
	Add(watchglass.Object) error
	Update(watchglass.Object) error
	Delete(watchglass.Object) error
	Replace(list []watchglass.Object, resourceVersion string) error
	Resync() error
}

// send carries out the commands of the producer on one of the queues.
func send(q queue, c story.Command, list []watchglass.Object) (err error) {
	switch c.Name {
	case "resync":
		return q.Resync()
	case "relist", "begin":
		return q.Replace(list, "90")
	}
	method := map[string]func(watchglass.Object) error{
		"add": q.Add, "update": q.Update, "delete": q.Delete,
	}[c.Name]
	if method == nil {
		return c.Unknown()
	}
	for _, obj := range list {
		err = errors.Join(err, method(obj))
	}
	return err
}

// pop makes each consumer call Pop n times, unless its queue is empty.
func (s *sideBySide) pop(n int) {
	for range n {
		if s.delta.Len() > 0 {
			_, _ = s.delta.Pop(func(d deltafifo.Deltas, _ bool) error {
				s.tell("DeltaFIFO delivers %s", strings.Join(describeAll(d), ", "))
				s.deltaStore.apply(d)
				return nil
			})
		}
		if s.real.Len() > 0 {
			_, _ = s.real.Pop(func(d deltafifo.Deltas, _ bool) error {
				s.tell("RealFIFO delivers %s", describe(d[0]))
				s.consume(d[0])
				return nil
			})
		}
	}
}

func (s *sideBySide) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

// consume is what the consumer of a RealFIFO does: it compares a list with its store itself, and
// replays its store itself when a resync comes.
func (s *sideBySide) consume(d deltafifo.Delta) {
	switch info := d.Object.(type) {
	case ReplacedAllInfo:
		before := s.realStore.ListKeys()
		clear(s.realStore)
		for _, obj := range info.Objects {
			s.realStore[obj.GetName()] = obj
		}
		for _, key := range before {
			if s.realStore[key] == nil {
				s.tell("  and its consumer finds %s deleted", key)
			}
		}
	case SyncAllInfo:
		s.tell("  and its consumer looks at %v", s.realStore)
	case BookmarkInfo:
		s.tell("  and its consumer knows that its cache is the state at version %s",
			info.ResourceVersion)
	default:
		s.realStore.apply(deltafifo.Deltas{d})
	}
}

func (s *sideBySide) State() string {
	var keys []string
	for _, key := range s.keys {
		keys = append(keys, s.pending[key])
	}
	return strings.Join(append(s.told,
		fmt.Sprintf("DeltaFIFO [%s], cache %v", strings.Join(keys, ", "), s.deltaStore),
		fmt.Sprintf("RealFIFO  [%s], cache %v", strings.Join(queued(s.real), ", "), s.realStore),
	), "\n")
}
