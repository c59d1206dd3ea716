package realfifo

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/story"
)

// sideBySide is a DeltaFIFO and a RealFIFO that get the same events, each with a consumer and its
// store. The commands are listed in testdata/story.template.
type sideBySide struct {
	delta      *deltafifo.DeltaFIFO
	deltaStore store
	deltaKeys  map[string]string // what is pending, as the trace reports it
	deltaOrder []string
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

func (s store) apply(d deltafifo.Delta) {
	s[d.Object.GetName()] = d.Object
	if d.Type == deltafifo.Deleted {
		delete(s, d.Object.GetName())
	}
}

func (s store) String() string {
	words := []string{}
	for _, key := range s.ListKeys() {
		words = append(words, key+"@"+s[key].GetResourceVersion())
	}
	return fmt.Sprint(words)
}

func newSideBySide() *sideBySide {
	s := &sideBySide{deltaStore: store{}, deltaKeys: map[string]string{},
		real: New(Options{}), realStore: store{}}
	s.delta = deltafifo.New(deltafifo.Options{KnownObjects: s.deltaStore, Trace: &deltafifo.Trace{
		Queued: func(key string, _ deltafifo.Delta, pending deltafifo.Deltas) {
			if len(pending) == 1 {
				s.deltaOrder = append(s.deltaOrder, key)
			}
			s.deltaKeys[key] = strings.Join(describeAll(pending), " + ")
		},
		Popped: func(string, deltafifo.Deltas, bool) { s.deltaOrder = s.deltaOrder[1:] },
	}})
	return s
}

// queue is what both queues can do.
type queue interface {
	Add(watchglass.Object) error
	Update(watchglass.Object) error
	Delete(watchglass.Object) error
	Replace(list []watchglass.Object, resourceVersion string) error
	Resync() error
}

func (s *sideBySide) Do(c story.Command) error {
	s.told = nil
	switch c.Name {
	case "bookmark":
		s.real.UpdateResourceVersion(c.Arg(0))
		return nil
	case "pop":
		n, err := strconv.Atoi(cmp.Or(c.Arg(0), "1"))
		for range n {
			s.pop()
		}
		return err
	}
	err := cmp.Or(send(s.delta, c), send(s.real, c))
	for c.Name == "begin" && s.delta.Len()+s.real.Len() > 0 {
		s.pop()
		s.told = nil // the first list is not part of the story
	}
	return err
}

func send(q queue, c story.Command) error {
	var list []watchglass.Object
	for _, word := range c.Args() {
		name, version, err := story.CutVersion(word)
		if err != nil {
			return err
		}
		list = append(list, object(name, version))
	}
	switch c.Name {
	case "begin":
		return q.Replace(list, "1")
	case "relist":
		return q.Replace(list, "90")
	case "resync":
		return q.Resync()
	}
	method, known := map[string]func(watchglass.Object) error{
		"add": q.Add, "update": q.Update, "delete": q.Delete,
	}[c.Name]
	if !known {
		return c.Unknown()
	}
	for _, obj := range list {
		_ = method(obj)
	}
	return nil
}

func (s *sideBySide) pop() {
	if s.delta.Len() > 0 {
		_, _ = s.delta.Pop(func(d deltafifo.Deltas, _ bool) error {
			s.tell("DeltaFIFO delivers %s", strings.Join(describeAll(d), ", "))
			for _, delta := range d {
				s.deltaStore.apply(delta)
			}
			return nil
		})
	}
	if s.real.Len() > 0 {
		_, _ = s.real.Pop(func(d deltafifo.Deltas, _ bool) error {
			s.tell("RealFIFO delivers %s", strings.Join(describeAll(d), ", "))
			s.consume(d[0])
			return nil
		})
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
		s.tell("  and its consumer knows that its store is the state at version %s",
			info.ResourceVersion)
	default:
		s.realStore.apply(d)
	}
}

func (s *sideBySide) State() string {
	var keys []string
	for _, key := range s.deltaOrder {
		keys = append(keys, s.deltaKeys[key])
	}
	return strings.Join(append(s.told,
		fmt.Sprintf("DeltaFIFO [%s], store %v", strings.Join(keys, ", "), s.deltaStore),
		fmt.Sprintf("RealFIFO  [%s], store %v", strings.Join(queued(s.real), ", "), s.realStore),
	), "\n")
}
