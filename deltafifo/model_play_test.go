package deltafifo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// both runs one program on the queue and on the model. Each byte of the program is one choice.
type both struct {
	*testing.T
	model
	queue   *DeltaFIFO
	program []byte
	version int
	popped  Deltas // what was popped last
	told    [2]int // objects and deletions of the last list, as the trace reports them
}

// choose returns a number below n, 0 at the end of the program.
func (b *both) choose(n int) int {
	if len(b.program) == 0 {
		return 0
	}
	c := int(b.program[0])
	b.program = b.program[1:]
	return c % n
}

func (b *both) object() watchglass.Object {
	b.version++
	names := []string{"web-1", "web-1", "web-2", "web-2", "web-3", "web-3", "db-1", "bad", "void", ""}
	return object(names[b.choose(len(names))], fmt.Sprint(b.version))
}

func (b *both) step() string {
	switch b.choose(12) {
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
	obj, which := b.object(), b.choose(3)
	t := []DeltaType{Added, Updated, Deleted}[which]
	method := []func(watchglass.Object) error{b.queue.Add, b.queue.Update, b.queue.Delete}[which]
	if t == Deleted && obj.GetName() != "" && b.choose(4) == 0 {
		obj = DeletedFinalStateUnknown{obj.GetName(), obj}
	}
	require.Equal(b, b.event(t, obj), method(obj) == nil, "%s %s succeeds", t, obj.GetName())
	return fmt.Sprintf("%s %s", t, obj.GetName())
}

func (b *both) bothReplace() string {
	var list []watchglass.Object
	for range b.choose(5) {
		list = append(list, b.object())
	}
	ok := b.replace(list)
	require.Equal(b, ok, b.queue.Replace(list, "90") == nil, "replace succeeds")
	if ok {
		require.Equal(b, [2]int{len(list), b.deletions}, b.told, "objects and deletions")
	}
	clear(list) // the queue has not kept it
	return fmt.Sprintf("replace with %d objects", len(list))
}

// disturb changes the known objects without an event.
func (b *both) disturb() string {
	key := b.object().GetName()
	switch b.choose(4) {
	case 0:
		delete(b.known.objects, key)
		return "forget " + key
	case 1:
		b.known.failing[key] = !b.known.failing[key]
		return "look-up fails or works again for " + key
	case 2:
		b.known.ghosts = [][]string{nil, {"ghost"}}[b.choose(2)]
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
	end := []string{"returns", "returns", "fails", "asks to requeue", "panics"}[b.choose(5)]
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
func (b *both) agree(history []string) {
	want := []string{}
	for _, e := range b.entries {
		want = append(want, e.key+": "+describeAll(e.deltas))
	}
	require.Equal(b, want, lines(b.queue), "after %q", history)
	require.Equal(b, b.count, b.queue.progress.initialPopulationCount, "count after %q", history)
	require.Equal(b, b.synced(), b.queue.HasSynced(), "synced after %q", history)
	require.Equal(b, b.synced(), isClosed(b.queue.Synced()), "channel after %q", history)
	require.NoError(b, b.queue.check(), "after %q", history)
}

func play(t *testing.T, program []byte) {
	b := &both{T: t, program: program, model: model{known: newKnown()}}
	options := Options{Transform: picky, Trace: &Trace{
		Replaced: func(_ string, objects, deletions int) { b.told = [2]int{objects, deletions} },
	}}
	if b.choose(4) > 0 {
		b.known = newKnown(at("web-1@0", "db-2@0", "bad@0")...)
		options.KnownObjects = b.known
	}
	b.queue = New(options)
	var history []string
	for len(b.program) > 0 {
		history = append(history, b.step())
		b.agree(history)
	}
}

func TestTheQueueDoesWhatTheModelSays(t *testing.T) {
	for seed := range 30 {
		program := make([]byte, 200)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(program)
		play(t, program)
	}
}

func FuzzTheQueueDoesWhatTheModelSays(f *testing.F) {
	f.Add([]byte{1, 0, 0, 3, 1, 5, 1, 1, 7, 0, 8, 0})
	f.Add([]byte{0, 5, 0}) // a first list that is empty: the queue has synced
	f.Fuzz(func(t *testing.T, program []byte) {
		play(t, program[:min(len(program), 200)]) // long programs only repeat themselves
	})
}
