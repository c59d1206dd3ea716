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
	"example.com/watchglass/docs/story"
)

// sideBySide is a DeltaFIFO and a RealFIFO that get the same events, each with a consumer and its
// store. The commands are listed in testdata/story.template.
type sideBySide struct {
	delta      *deltafifo.DeltaFIFO
	deltaStore store
	deltaKeys  map[string]deltafifo.Deltas // what the trace reported, for State
	deltaOrder []string
	real       *RealFIFO
	realStore  store
	told       []string // what the last command has caused, line by line
}

// store is what a process loop fills.
type store map[string]watchglass.Object

func (s store) ListKeys() []string { return slices.Sorted(maps.Keys(s)) }

func (s store) GetByKey(key string) (watchglass.Object, bool, error) {
	obj, exists := s[key]
	return obj, exists, nil
}

func (s store) String() string {
	words := []string{}
	for _, key := range s.ListKeys() {
		words = append(words, key+"@"+s[key].GetResourceVersion())
	}
	return fmt.Sprint(words)
}

func newSideBySide() *sideBySide {
	s := &sideBySide{
		deltaStore: store{}, realStore: store{}, deltaKeys: map[string]deltafifo.Deltas{},
		real: New(Options{}),
	}
	s.delta = deltafifo.New(deltafifo.Options{KnownObjects: s.deltaStore, Trace: &deltafifo.Trace{
		Queued: func(key string, _ deltafifo.Delta, pending deltafifo.Deltas) {
			if len(pending) == 1 {
				s.deltaOrder = append(s.deltaOrder, key)
			}
			s.deltaKeys[key] = slices.Clone(pending)
		},
		Popped: func(string, deltafifo.Deltas, bool) { s.deltaOrder = s.deltaOrder[1:] },
	}})
	return s
}

func (s *sideBySide) Do(c story.Command) error {
	s.told = nil
	switch c.Name {
	case "begin":
		return s.begin(c.Args())
	case "add":
		return s.both(s.delta.Add, s.real.Add, c.Args())
	case "update":
		return s.both(s.delta.Update, s.real.Update, c.Args())
	case "delete":
		return s.both(s.delta.Delete, s.real.Delete, c.Args())
	case "relist":
		return s.relist(c.Args(), "90")
	case "resync":
		return cmp.Or(s.delta.Resync(), s.real.Resync())
	case "bookmark":
		s.real.UpdateResourceVersion(c.Arg(0))
	case "pop":
		n, err := strconv.Atoi(cmp.Or(c.Arg(0), "1"))
		for range n {
			s.pop()
		}
		return err
	default:
		return c.Unknown()
	}
	return nil
}

func (s *sideBySide) begin(words []string) error {
	if err := s.relist(words, "1"); err != nil {
		return err
	}
	for s.delta.Len()+s.real.Len() > 0 {
		s.pop()
	}
	s.told = nil // the first list is not part of the story
	return nil
}

func (s *sideBySide) relist(words []string, version string) error {
	list, err := objects(words)
	return cmp.Or(err, s.delta.Replace(list, version), s.real.Replace(list, version))
}

func objects(words []string) (list []watchglass.Object, err error) {
	for _, word := range words {
		name, version, err := story.CutVersion(word)
		if err != nil {
			return nil, err
		}
		list = append(list, object(name, version))
	}
	return list, nil
}

func (s *sideBySide) both(delta, real func(watchglass.Object) error, words []string) error {
	list, err := objects(words)
	for _, obj := range list {
		if err := cmp.Or(delta(obj), real(obj)); err != nil {
			return err
		}
	}
	return err
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

func (s store) apply(d deltafifo.Delta) {
	key, _ := watchglass.MetaNamespaceKeyFunc(d.Object)
	if d.Type == deltafifo.Deleted {
		delete(s, key)
		return
	}
	s[key] = d.Object
}

// consume is what the consumer of a RealFIFO does: it compares a list with its store itself, and
// replays its store itself when a resync comes.
func (s *sideBySide) consume(d deltafifo.Delta) {
	switch info := d.Object.(type) {
	case ReplacedAllInfo:
		before := maps.Clone(s.realStore)
		clear(s.realStore)
		for _, obj := range info.Objects {
			s.realStore.apply(deltafifo.Delta{Type: deltafifo.Updated, Object: obj})
		}
		for _, key := range before.ListKeys() {
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
	var b strings.Builder
	for _, line := range s.told {
		fmt.Fprintln(&b, line)
	}
	var keys []string
	for _, key := range s.deltaOrder {
		keys = append(keys, strings.Join(describeAll(s.deltaKeys[key]), " + "))
	}
	fmt.Fprintf(&b, "DeltaFIFO [%s], store %v\n", strings.Join(keys, ", "), s.deltaStore)
	fmt.Fprintf(&b, "RealFIFO  [%s], store %v\n", strings.Join(queued(s.real), ", "), s.realStore)
	return b.String()
}
