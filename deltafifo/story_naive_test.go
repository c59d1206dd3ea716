package deltafifo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
)

// A naiveQueue is the obvious first design: a queue of events, in their order, without keys. For
// how it fails see testdata/1_a_queue_of_events_fails_in_three_ways.story.
type naiveQueue struct{ events []Delta }

func (q *naiveQueue) push(t DeltaType, obj watchglass.Object) {
	q.events = append(q.events, Delta{Type: t, Object: obj})
}

func (q *naiveQueue) pop() (d Delta, ok bool) {
	if len(q.events) == 0 {
		return Delta{}, false
	}
	d, q.events = q.events[0], q.events[1:]
	return d, true
}

// replace compares the list with the store alone: without keys it cannot find an object in the
// queue.
func (q *naiveQueue) replace(list []watchglass.Object, store *known) {
	missing := newKnown(store.objectsByName()...)
	for _, obj := range list {
		q.push(Replaced, obj)
		delete(missing.objects, obj.GetName())
	}
	for _, obj := range missing.objectsByName() {
		q.push(Deleted, obj)
	}
}

// resync queues what the store holds.
func (q *naiveQueue) resync(store *known) {
	for _, obj := range store.objectsByName() {
		q.push(Sync, obj)
	}
}

// naiveStage is a naive queue, its consumer and the store that the consumer keeps.
type naiveStage struct {
	queue naiveQueue
	store *known
	told  []string // what the last command has caused, line by line
}

func (s *stage) putBeside(what string) error {
	if what != "naive" {
		return fmt.Errorf("there is no %q to put beside the queue; expected naive", what)
	}
	s.naive = &naiveStage{store: newKnown()}
	return nil
}

func (n *naiveStage) do(command string, list []watchglass.Object) {
	n.told = nil
	switch command {
	case "begin", "known":
		n.store = newKnown(list...)
	case "relist":
		n.queue.replace(list, n.store)
	case "add", "update", "delete":
		t := map[string]DeltaType{"add": Added, "update": Updated, "delete": Deleted}[command]
		for _, obj := range list {
			n.queue.push(t, obj)
		}
	}
}

// pop takes one event.
func (n *naiveStage) pop() {
	d, ok := n.queue.pop()
	if !ok {
		n.told = append(n.told, "nothing to pop: a consumer would wait now")
		return
	}
	n.told = append(n.told, fmt.Sprintf("popped %s %v", d.Object.GetName(), d))
	n.store.apply(Deltas{d})
}

func (n *naiveStage) state() string {
	events := []string{}
	for _, d := range n.queue.events {
		events = append(events, fmt.Sprintf("%s %v", d.Object.GetName(), d))
	}
	told := n.told
	n.told = nil
	return "queue of events\n" + indent(told, []string{
		"queue [" + strings.Join(events, ", ") + "]", fmt.Sprint("store ", n.store)})
}

func indent(all ...[]string) string {
	var b strings.Builder
	for _, line := range slices.Concat(all...) {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// objectsByName returns what a store holds, in the order of names.
func (k *known) objectsByName() (list []watchglass.Object) {
	for _, key := range slices.Sorted(maps.Keys(k.objects)) {
		list = append(list, k.objects[key])
	}
	return list
}
