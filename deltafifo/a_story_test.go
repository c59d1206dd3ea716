package deltafifo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// The stories of this stage are in testdata. Read them with
//
//	go test -v -run Stories ./deltafifo
func TestStories(t *testing.T) {
	story.Play(t, "testdata/*.story", func(testing.TB) story.Machine { return newStage() })
}

// stage is a queue and the cache that its consumer keeps, as a story sees them. The commands are
// listed in testdata/story.template.
type stage struct {
	queue *DeltaFIFO
	store *known
	other rival    // nil unless the story puts another queue beside this one
	told  []string // what the last command has caused, line by line
}

// rival is another queue with its consumer and the cache that the consumer keeps. It gets the
// events that the DeltaFIFO gets, as the same commands.
type rival interface {
	do(c story.Command, list []watchglass.Object) error
	pop() // one entry; says so if there is none
	len() int
	state() string // and forgets what the last command has caused
}

func newStage() *stage {
	s := &stage{store: newKnown()}
	s.queue = New(Options{KnownObjects: s.store, Trace: &Trace{
		Merged: func(key string, dropped Delta, pending Deltas, _ State) {
			s.tell("merged %s: keeps %s, drops %s",
				key, describe(*pending.Newest()), describe(dropped))
		},
		Ignored: func(key string, d Delta, _ State) { s.tell("ignored %s: %s", key, describe(d)) },
		Popped: func(key string, d Deltas, isInInitialList bool, _ State) {
			if s.other != nil {
				s.tell("popped %s: %s", key, describeAll(d)) // the story is not about lists
				return
			}
			s.tell("popped %s: %s (isInInitialList %t)", key, describeAll(d), isInInitialList)
		},
		Requeued: func(key string, d Deltas, _ State) {
			s.tell("put back %s: %s", key, describeAll(d))
		},
		Synced: func(State) { s.tell("synced") },
	}})
	return s
}

func (s *stage) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

func (s *stage) Do(c story.Command) error {
	s.told = nil
	switch c.Name {
	case "beside":
		switch other := c.Arg(0); other {
		case "naive":
			s.other = &naive{store: newKnown()}
		case "realfifo":
			s.other = newOrdered()
		default:
			return fmt.Errorf("expected naive or realfifo, not %q", other)
		}
	case "pop":
		s.pop(c.Arg(0))
	case "drain":
		s.drain()
	case "close":
		s.queue.Close()
	case "begin", "known", "add", "update", "delete", "relist", "resync":
		list, err := objects(c.Args())
		if err == nil && s.other != nil {
			err = s.other.do(c, slices.Clone(list))
		}
		if err == nil {
			err = s.tellQueue(c, list)
		}
		return err
	case "bookmark":
		ordered, ok := s.other.(*ordered)
		if !ok {
			return errors.New("only a RealFIFO handles versions; put one beside the queue first")
		}
		ordered.queue.UpdateResourceVersion(c.Arg(0))
	default:
		return c.Unknown()
	}
	return nil
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

// tellQueue carries out the commands of the producer.
func (s *stage) tellQueue(c story.Command, list []watchglass.Object) (err error) {
	method := s.queue.Add
	switch c.Name {
	case "begin":
		err = s.queue.Replace(list, "1")
		s.drain()
		s.told = nil // the first list is not part of the story
		return err
	case "known":
		*s.store = *newKnown(list...)
		return nil
	case "relist":
		return s.queue.Replace(list, c.Opt("rv", "90"))
	case "resync":
		return s.queue.Resync()
	case "update":
		method = s.queue.Update
	case "delete":
		method = s.queue.Delete
	}
	for _, obj := range list {
		err = errors.Join(err, method(obj))
	}
	return err
}

// pop does what a process loop does: it brings the cache up to date.
func (s *stage) pop(outcome string) {
	if s.other != nil {
		s.other.pop()
	}
	if s.queue.Len() == 0 && !s.queue.closed {
		s.tell("nothing to pop: a consumer would wait now")
		return
	}
	s.popOne(outcome)
}

// drain pops all that is queued.
func (s *stage) drain() {
	for s.queue.Len() > 0 {
		s.popOne("")
	}
	for s.other != nil && s.other.len() > 0 {
		s.other.pop()
	}
}

func (s *stage) popOne(outcome string) {
	_, err := s.queue.Pop(func(d Deltas, _ bool) error {
		switch outcome {
		case "fail":
			return errors.New("processing failed")
		case "requeue":
			return ErrRequeue{errors.New("processing failed, try again later")}
		}
		s.store.apply(d)
		return nil
	})
	if err != nil {
		s.tell("pop returns: %v", err)
	}
}

func (s *stage) State() string {
	if s.other != nil {
		return s.other.state() + "DeltaFIFO\n" + indent(s.told, s.contents())
	}
	counts := fmt.Sprintf(
		"populated %t, initialPopulationCount %d, synced %t",
		s.queue.progress.populated, s.queue.progress.initialPopulationCount, s.queue.HasSynced())
	return strings.Join(slices.Concat(s.told, s.contents(), []string{counts}), "\n")
}

// contents are the lines about what is in queue and cache.
func (s *stage) contents() []string {
	keys, deltas := []string{}, []string{}
	for _, line := range lines(s.queue) {
		key, _, _ := strings.Cut(line, ":")
		keys = append(keys, key)
		deltas = append(deltas, "  "+line)
	}
	return slices.Concat([]string{fmt.Sprint("queue ", keys)}, deltas,
		[]string{fmt.Sprint("cache ", s.store)})
}

// naive is the obvious first design, a queue of events in their order, without keys; its consumer;
// and the cache that the consumer keeps. For how it fails see
// testdata/01_a_queue_of_events_fails_in_three_ways.story.
type naive struct {
	events []Delta
	store  *known
	told   []string // what the last command has caused, line by line
}

func (n *naive) do(c story.Command, list []watchglass.Object) error {
	n.told = nil
	switch c.Name {
	case "begin", "known":
		n.store = newKnown(list...)
	case "relist": // without keys it cannot find an object in the queue, only in the cache
		n.push(Replaced, list)
		missing := newKnown(n.store.byName()...)
		for _, obj := range list {
			delete(missing.objects, obj.GetName())
		}
		n.push(Deleted, missing.byName())
	case "resync": // it queues what the cache holds
		n.push(Sync, n.store.byName())
	default:
		n.push(map[string]DeltaType{"add": Added, "update": Updated, "delete": Deleted}[c.Name], list)
	}
	return nil
}

func (n *naive) len() int { return len(n.events) }

func (n *naive) push(t DeltaType, list []watchglass.Object) {
	for _, obj := range list {
		n.events = append(n.events, Delta{Type: t, Object: obj})
	}
}

// pop takes one event.
func (n *naive) pop() {
	if len(n.events) == 0 {
		n.told = append(n.told, "nothing to pop: a consumer would wait now")
		return
	}
	d := n.events[0]
	n.events = n.events[1:]
	n.told = append(n.told, fmt.Sprintf("popped %s %v", d.Object.GetName(), d))
	n.store.apply(Deltas{d})
}

func (n *naive) state() string {
	events := []string{}
	for _, d := range n.events {
		events = append(events, fmt.Sprintf("%s %v", d.Object.GetName(), d))
	}
	told := n.told
	n.told = nil
	return "queue of events\n" + indent(told, []string{
		"queue [" + strings.Join(events, ", ") + "]", fmt.Sprint("cache ", n.store)})
}

func indent(all ...[]string) string {
	var b strings.Builder
	for _, line := range slices.Concat(all...) {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// byName returns what a store holds, in the order of names.
func (k *known) byName() (list []watchglass.Object) {
	for _, key := range slices.Sorted(maps.Keys(k.objects)) {
		list = append(list, k.objects[key])
	}
	return list
}

// String shows a store by name: [db-1@1 web-1@5].
func (k *known) String() string {
	held := []string{}
	for _, obj := range k.byName() {
		held = append(held, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	return fmt.Sprint(held)
}
