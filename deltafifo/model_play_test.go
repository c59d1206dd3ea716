package deltafifo

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// both runs one program on the queue and on the model. Each byte of the program is one choice.
type both struct {
	*testing.T
	model
	*story.Program
	queue   *DeltaFIFO
	version int
	popped  Deltas // what was popped last
}

func (b *both) object() watchglass.Object {
	b.version++
	names := []string{"web-1", "web-1", "web-2", "web-2", "web-3", "web-3", "db-1", "bad", "void", ""}
	return object(names[b.Choose(len(names))], fmt.Sprint(b.version))
}

func (b *both) step() string {
	switch b.Choose(12) {
	case 0, 1, 2, 3, 4:
		return b.bothEvent()
	case 5:
		return b.bothReplace()
	case 6:
		require.NoError(b, b.queue.Resync())
		b.resync()
		return "resync"
	case 7:
		if b.queue.known != nil {
			return b.disturb()
		}
		return b.putBack()
	default:
		return b.bothPop()
	}
}

func (b *both) bothEvent() string {
	obj, which := b.object(), b.Choose(3)
	t := []DeltaType{Added, Updated, Deleted}[which]
	method := []func(watchglass.Object) error{b.queue.Add, b.queue.Update, b.queue.Delete}[which]
	if t == Deleted && obj.GetName() != "" && b.Choose(4) == 0 {
		obj = DeletedFinalStateUnknown{obj.GetName(), obj}
	}
	require.Equal(b, b.event(t, obj), method(obj) == nil, "%s %s succeeds", t, obj.GetName())
	return fmt.Sprintf("%s %s", t, obj.GetName())
}

func (b *both) bothReplace() string {
	var list []watchglass.Object
	for range b.Choose(5) {
		list = append(list, b.object())
	}
	require.Equal(b, b.replace(list), b.queue.Replace(list, "90") == nil, "replace succeeds")
	clear(list) // the queue has not kept it
	return fmt.Sprintf("replace with %d objects", len(list))
}

// disturb changes the known objects without an event.
func (b *both) disturb() string {
	key := b.object().GetName()
	switch b.Choose(4) {
	case 0:
		delete(b.known.objects, key)
		return "forget " + key
	case 1:
		b.known.failing[key] = !b.known.failing[key]
		return "look-up fails or works again for " + key
	case 2:
		b.known.ghosts = [][]string{nil, {"ghost"}}[b.Choose(2)]
		return "ghosts come and go"
	}
	return b.putBack()
}

func (b *both) putBack() string {
	if b.popped != nil {
		b.addIfNotPresent(b.popped)
		d := slices.Clone(b.popped)
		require.NoError(b, b.queue.AddIfNotPresent(d))
		clear(d) // the queue has a copy
	}
	return "put back " + describeAll(b.popped)
}

// bothPop ends in one of the ways in which a process func can end.
func (b *both) bothPop() string {
	if len(b.entries) == 0 {
		return "nothing to pop"
	}
	end := []string{"returns", "returns", "fails", "asks to requeue", "panics"}[b.Choose(5)]
	want, synced := b.entries[0].deltas, b.synced()
	process := func(d Deltas, isInInitialList bool) error {
		require.Equal(b, want, d)
		require.Equal(b, !synced, isInInitialList, "isInInitialList")
		require.Equal(b, synced, isClosed(b.queue.Synced()), "while a process func runs")
		switch end {
		case "fails":
			return errRefused
		case "asks to requeue":
			return fmt.Errorf("later: %w", ErrRequeue{errRefused})
		case "panics":
			panic(end)
		}
		return nil
	}
	if end == "panics" { // and everything stays as it was
		require.Panics(b, func() { _, _ = b.queue.Pop(process) })
		return "pop, and panic"
	}
	got, err := b.queue.Pop(process)
	require.Equal(b, want, got)
	require.Equal(b, map[string]error{"fails": errRefused, "asks to requeue": errRefused}[end], err)
	b.pop(end == "asks to requeue")
	if end == "returns" && b.queue.known != nil {
		b.known.apply(got)
	}
	b.popped = slices.Clone(got)
	clear(got) // it belongs to the consumer
	return fmt.Sprintf("pop %s, which %s", describeAll(b.popped), end)
}

// agree compares everything that can be read, and checks the queue's invariants.
func (b *both) agree() {
	want := []string{}
	for _, e := range b.entries {
		want = append(want, e.key+": "+describeAll(e.deltas))
	}
	require.Equal(b, want, lines(b.queue), "after %q", b.History)
	require.Equal(b, b.count, b.queue.progress.initialPopulationCount, "count after %q", b.History)
	require.Equal(b, b.synced(), b.queue.HasSynced(), "synced after %q", b.History)
	require.Equal(b, b.synced(), isClosed(b.queue.Synced()), "channel after %q", b.History)
	require.NoError(b, b.queue.check(), "after %q", b.History)
}

func play(t *testing.T, program *story.Program) {
	b := &both{T: t, Program: program, model: model{known: newKnown()}}
	options := Options{Transform: picky}
	if b.Choose(4) > 0 {
		b.known = newKnown(at("web-1@0", "db-2@0", "bad@0")...)
		options.KnownObjects = b.known
	}
	b.queue = New(options)
	for !b.Over() {
		b.Note("%s", b.step())
		b.agree()
	}
}

func FuzzTheQueueDoesWhatTheModelSays(f *testing.F) {
	story.FuzzModel(f, 30, 200, play, []byte{0, 5, 0}) // a first list that is empty: it has synced
}
