package deltafifo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/docs/story"
)

// stage is a queue and the store that its consumer keeps, as a story sees them:
//
//	begin web-1@1 …       the first list, worked off: store and queue start from there
//	known web-1@1 …       what is in the store from before; the queue was told nothing
//	add web-1@2 …         what a watch says; also update, delete
//	relist web-1@5 …      what a list returns, and with rv=7 at which version
//	resync
//	pop                   also: pop fail, pop requeue
//	close
type stage struct {
	queue *DeltaFIFO
	store *known
	told  []string // what the last command made happen
}

func newStage() *stage {
	s := &stage{store: newKnown()}
	s.queue = New(Options{KnownObjects: s.store, Trace: &Trace{
		Merged: func(key string, kept, dropped Delta) {
			s.tell("merged %s: keeps %s, drops %s", key, describe(kept), describe(dropped))
		},
		Ignored: func(key string, d Delta) { s.tell("ignored %s: %s", key, describe(d)) },
		Popped: func(key string, d Deltas, isInInitialList bool) {
			s.tell("popped %s: %s (isInInitialList %t)", key, describeAll(d), isInInitialList)
		},
		Requeued: func(key string, d Deltas) { s.tell("put back %s: %s", key, describeAll(d)) },
		Synced:   func() { s.tell("synced") },
	}})
	return s
}

func (s *stage) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

func (s *stage) Do(c story.Command) error {
	s.told = nil
	list := at(c.Args...)
	switch c.Name {
	case "begin":
		return s.begin(list)
	case "known":
		*s.store = *newKnown(list...)
	case "add":
		return each(s.queue.Add, list)
	case "update":
		return each(s.queue.Update, list)
	case "delete":
		return each(s.queue.Delete, list)
	case "relist":
		return s.queue.Replace(list, c.Opt("rv", "90"))
	case "resync":
		return s.queue.Resync()
	case "pop":
		s.pop(c.Arg(0))
	case "close":
		s.queue.Close()
	default:
		return c.Unknown()
	}
	return nil
}

func (s *stage) begin(list []watchglass.Object) error {
	if err := s.queue.Replace(list, "1"); err != nil {
		return err
	}
	for range list {
		s.pop("")
	}
	return nil
}

func each(method func(watchglass.Object) error, list []watchglass.Object) error {
	for _, obj := range list {
		if err := method(obj); err != nil {
			return err
		}
	}
	return nil
}

// pop does what a process loop does: it brings the store up to date.
func (s *stage) pop(outcome string) {
	if s.queue.Len() == 0 && !s.queue.IsClosed() {
		s.tell("nothing to pop: a consumer would wait now")
		return
	}
	_, err := s.queue.Pop(func(d Deltas, _ bool) error {
		switch outcome {
		case "fail":
			return errors.New("processing failed")
		case "requeue":
			return ErrRequeue{errors.New("processing failed, please again")}
		}
		s.store.apply(d)
		return nil
	})
	if err != nil {
		s.tell("pop returns: %v", err)
	}
}

func (s *stage) State() string {
	var keys, known []string
	for _, line := range lines(s.queue) {
		key, _, _ := strings.Cut(line, ":")
		keys = append(keys, key)
	}
	for _, key := range slices.Sorted(maps.Keys(s.store.objects)) {
		known = append(known, key+"@"+s.store.objects[key].GetResourceVersion())
	}
	var b strings.Builder
	for _, line := range s.told {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b, "queue", keys)
	for _, line := range lines(s.queue) {
		fmt.Fprintln(&b, "  "+line)
	}
	fmt.Fprintln(&b, "store", known)
	fmt.Fprintf(&b, "populated %t, initialPopulationCount %d, synced %t",
		s.queue.populated, s.queue.initialPopulationCount, s.queue.HasSynced())
	return b.String()
}
