package deltafifo

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// model is the queue in its simplest form: a slice that is searched from the front, and the rules
// one after the other. If model and queue disagree, one of them is wrong. Its methods return
// whether the queue's method must succeed.
type model struct {
	known     *known // empty if the queue has none
	entries   []entry
	populated bool
	count     int
}

type entry struct {
	key    string
	deltas Deltas
}

var errRefused = errors.New("refused")

// picky is a transform that refuses two names and marks all other objects: one that is transformed
// twice has two marks. It panics at a tombstone, with which a queue must never call it.
func picky(obj watchglass.Object) (watchglass.Object, error) {
	switch meta := obj.(*watchglass.ObjectMeta); meta.Name {
	case "bad":
		return nil, errRefused
	case "void":
		return nil, nil
	default:
		return object(meta.Name, meta.ResourceVersion+"t"), nil
	}
}

// accept returns what has to be queued for an object.
func accept(obj watchglass.Object) (_ watchglass.Object, ok bool) {
	if _, tombstone := obj.(DeletedFinalStateUnknown); tombstone || obj.GetName() == "" {
		return obj, tombstone
	}
	transformed, err := picky(obj)
	return transformed, err == nil && transformed != nil
}

func (m *model) find(key string) *entry {
	if i := slices.IndexFunc(m.entries, func(e entry) bool { return e.key == key }); i >= 0 {
		return &m.entries[i]
	}
	return nil
}

func (m *model) put(key string, d Delta) {
	e := m.find(key)
	if e == nil {
		m.entries = append(m.entries, entry{key, Deltas{d}})
		return
	}
	last := &e.deltas[len(e.deltas)-1]
	_, lastIsTombstone := last.Object.(DeletedFinalStateUnknown)
	switch {
	case d.Type != Deleted || last.Type != Deleted:
		e.deltas = append(e.deltas, d)
	case lastIsTombstone:
		*last = d
	}
}

func (m *model) event(t DeltaType, obj watchglass.Object) (ok bool) {
	key := obj.GetName()
	if t == Deleted && key == "" {
		return false
	}
	m.populated = true
	_, known, err := m.known.GetByKey(key)
	if t == Deleted && m.find(key) == nil && !known && err == nil {
		return true
	}
	accepted, ok := accept(obj)
	switch {
	case ok:
		m.put(key, Delta{t, accepted})
	case t == Deleted:
		m.put(key, m.tombstone(key))
	}
	return ok
}

// tombstone is the deletion of an object of which only the key is known.
func (m *model) tombstone(key string) Delta {
	last, _, _ := m.known.GetByKey(key)
	if e := m.find(key); e != nil {
		last = e.deltas[len(e.deltas)-1].Object
	}
	if gone, ok := last.(DeletedFinalStateUnknown); ok {
		last = gone.Obj
	}
	return Delta{Deleted, DeletedFinalStateUnknown{key, last}}
}

func (m *model) replace(list []watchglass.Object) (whole bool) {
	listed, whole := map[string]bool{}, true
	for _, obj := range list {
		accepted, ok := accept(obj)
		switch {
		case obj.GetName() == "":
			return false
		case ok:
			m.put(obj.GetName(), Delta{Replaced, accepted})
		}
		listed[obj.GetName()] = true // and so never deleted, even if it cannot be used
		whole = whole && ok
	}
	for _, e := range slices.Clone(m.entries) {
		if !listed[e.key] {
			m.put(e.key, m.tombstone(e.key))
		}
	}
	for _, key := range slices.Sorted(slices.Values(m.known.ListKeys())) {
		if m.find(key) == nil && !listed[key] {
			m.put(key, m.tombstone(key))
		}
	}
	if !m.populated {
		m.populated, m.count = true, len(m.entries)
	}
	return whole
}

func (m *model) resync() {
	for _, key := range slices.Sorted(slices.Values(m.known.ListKeys())) {
		obj, exists, err := m.known.GetByKey(key)
		if m.find(key) == nil && exists && err == nil {
			m.put(key, Delta{Sync, obj})
		}
	}
}

func (m *model) addIfNotPresent(d Deltas) {
	m.populated = true
	if key := d[len(d)-1].Object.GetName(); m.find(key) == nil {
		m.entries = append(m.entries, entry{key, slices.Clone(d)})
	}
}

func (m *model) pop(requeue bool) {
	d := m.entries[0].deltas
	m.entries = m.entries[1:]
	m.count = max(0, m.count-1)
	if requeue {
		m.addIfNotPresent(d)
	}
}

func (m *model) synced() bool { return m.populated && m.count == 0 }

// both runs one program on the queue and on the model. Each byte of the program is one choice.
type both struct {
	*testing.T
	model
	*story.Program
	queue   *DeltaFIFO
	picture picture
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
	require.Equal(b, want, append([]string{}, b.picture.rows...), "drawn after %q", b.History)
	require.Equal(b, State{len(want), b.populated, b.count, b.synced()}, b.picture.state,
		"reported after %q", b.History)
	require.Equal(b, b.synced(), b.picture.synced == 1, "reported after %q", b.History)
}

func play(t *testing.T, program *story.Program) {
	b := &both{T: t, Program: program, model: model{known: newKnown()}}
	options := Options{Transform: picky, Trace: b.picture.trace()}
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
