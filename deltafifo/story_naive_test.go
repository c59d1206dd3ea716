package deltafifo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
)

// naive is the obvious first design, a queue of events in their order, without keys; its consumer;
// and the store that the consumer keeps. For how it fails see
// testdata/1_a_queue_of_events_fails_in_three_ways.story.
type naive struct {
	events []Delta
	store  *known
	told   []string // what the last command has caused, line by line
}

func (n *naive) do(command string, list []watchglass.Object) {
	n.told = nil
	switch command {
	case "begin", "known":
		n.store = newKnown(list...)
	case "relist":
		n.replace(list)
	case "resync": // it queues what the store holds
		n.push(Sync, n.store.byName())
	default:
		n.push(map[string]DeltaType{"add": Added, "update": Updated, "delete": Deleted}[command], list)
	}
}

func (n *naive) push(t DeltaType, list []watchglass.Object) {
	for _, obj := range list {
		n.events = append(n.events, Delta{Type: t, Object: obj})
	}
}

// replace compares the list with the store alone: without keys it cannot find an object in the
// queue.
func (n *naive) replace(list []watchglass.Object) {
	n.push(Replaced, list)
	missing := newKnown(n.store.byName()...)
	for _, obj := range list {
		delete(missing.objects, obj.GetName())
	}
	n.push(Deleted, missing.byName())
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
		"queue [" + strings.Join(events, ", ") + "]", fmt.Sprint("store ", n.store)})
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
