package deltafifo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// model is the queue in its simplest form: a slice that is searched from the front, and the rules
// one after the other. If model and queue disagree, one of them is wrong.
type model struct {
	known     *known
	entries   []entry
	populated bool
	count     int
}

type entry struct {
	key    string
	deltas Deltas
}

func (m *model) find(key string) *entry {
	for i := range m.entries {
		if m.entries[i].key == key {
			return &m.entries[i]
		}
	}
	return nil
}

func (m *model) isKnown(key string) bool {
	_, exists, err := m.known.GetByKey(key)
	return exists || err != nil
}

func (m *model) put(key string, d Delta) {
	e := m.find(key)
	if e == nil {
		m.entries = append(m.entries, entry{key, Deltas{d}})
		return
	}
	last := e.deltas[len(e.deltas)-1]
	_, lastIsTombstone := last.Object.(DeletedFinalStateUnknown)
	switch {
	case d.Type != Deleted || last.Type != Deleted:
		e.deltas = append(e.deltas, d)
	case lastIsTombstone:
		e.deltas[len(e.deltas)-1] = d
	}
}

func (m *model) event(t DeltaType, obj watchglass.Object) {
	m.populated = true
	key := obj.GetName()
	if t == Deleted && m.find(key) == nil && !m.isKnown(key) {
		return
	}
	if _, tombstone := obj.(DeletedFinalStateUnknown); tombstone {
		m.put(key, Delta{t, obj})
	} else if transformed, err := fuzzTransform(obj); err == nil {
		m.put(key, Delta{t, transformed})
	}
}

func (m *model) replace(list []watchglass.Object) {
	listed := map[string]bool{}
	for _, obj := range list {
		transformed, err := fuzzTransform(obj)
		if err != nil {
			return
		}
		m.put(obj.GetName(), Delta{Replaced, transformed})
		listed[obj.GetName()] = true
	}
	deletions := 0
	for _, e := range slices.Clone(m.entries) {
		if !listed[e.key] {
			last := e.deltas[len(e.deltas)-1].Object
			if gone, ok := last.(DeletedFinalStateUnknown); ok {
				last = gone.Obj
			}
			m.put(e.key, Delta{Deleted, DeletedFinalStateUnknown{e.key, last}})
			deletions++
		}
	}
	keys := m.known.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		if m.find(key) == nil {
			obj, _, _ := m.known.GetByKey(key)
			m.put(key, Delta{Deleted, DeletedFinalStateUnknown{key, obj}})
			deletions++
		}
	}
	if !m.populated {
		m.populated = true
		m.count = len(listed) + deletions
	}
}

func (m *model) resync() {
	keys := m.known.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		obj, exists, err := m.known.GetByKey(key)
		if m.find(key) == nil && exists && err == nil {
			m.put(key, Delta{Sync, obj})
		}
	}
}

func (m *model) putBack(d Deltas) {
	m.populated = true
	if key := d[len(d)-1].Object.GetName(); m.find(key) == nil {
		m.entries = append(m.entries, entry{key, slices.Clone(d)})
	}
}

func (m *model) pop(requeue bool) (d Deltas, initial bool) {
	e := m.entries[0]
	m.entries = m.entries[1:]
	initial = !m.synced()
	if m.count > 0 {
		m.count--
	}
	if requeue {
		m.putBack(e.deltas)
	}
	return e.deltas, initial
}

func (m *model) synced() bool { return m.populated && m.count == 0 }

// fuzzTransform refuses some versions, and marks all others. It panics at a tombstone, with which a
// queue must never call it.
func fuzzTransform(obj watchglass.Object) (watchglass.Object, error) {
	meta := obj.(*watchglass.ObjectMeta)
	if len(meta.ResourceVersion)%2 == 1 && meta.ResourceVersion[0] == '7' {
		return nil, errors.New("refused")
	}
	return object(meta.Name, meta.ResourceVersion+"t"), nil
}

// both runs one program on the queue and on the model. Each byte of the program is one choice.
type both struct {
	t       *testing.T
	q       *DeltaFIFO
	m       *model
	program []byte
	version int
	popped  Deltas // what was popped last
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
	key := []string{"web-1", "web-2", "web-3", "db-1"}[b.choose(4)]
	return object(key, fmt.Sprint(b.version))
}

func (b *both) step() string {
	switch b.choose(10) {
	case 0, 1:
		obj := b.object()
		_ = b.q.Add(obj)
		b.m.event(Added, obj)
		return "add " + obj.GetName()
	case 2:
		obj := b.object()
		_ = b.q.Update(obj)
		b.m.event(Updated, obj)
		return "update " + obj.GetName()
	case 3:
		obj := b.object()
		if b.choose(4) == 0 {
			obj = DeletedFinalStateUnknown{obj.GetName(), obj}
		}
		_ = b.q.Delete(obj)
		b.m.event(Deleted, obj)
		return "delete " + obj.GetName()
	case 4:
		var list []watchglass.Object
		for range b.choose(5) {
			list = append(list, b.object())
		}
		_ = b.q.Replace(list, "1")
		b.m.replace(list)
		return fmt.Sprintf("replace with %d objects", len(list))
	case 5:
		_ = b.q.Resync()
		b.m.resync()
		return "resync"
	case 6:
		return b.trouble()
	default:
		return b.pop()
	}
}

// trouble changes the known objects without an event, or puts back what was popped last.
func (b *both) trouble() string {
	key := b.object().GetName()
	switch b.choose(4) {
	case 0:
		delete(b.m.known.objects, key)
		return "forget " + key
	case 1:
		b.m.known.failing[key] = !b.m.known.failing[key]
		return "look-up fails or works again for " + key
	case 2:
		b.m.known.ghosts = nil
		if b.choose(2) == 1 {
			b.m.known.ghosts = []string{"ghost"}
		}
		return "ghosts come and go"
	default:
		if b.popped == nil {
			return "nothing to put back"
		}
		_ = b.q.AddIfNotPresent(b.popped)
		b.m.putBack(b.popped)
		return "put back " + describeAll(b.popped)
	}
}

func (b *both) pop() string {
	if len(b.m.entries) == 0 {
		return "nothing to pop"
	}
	result := []error{nil, nil, errors.New("failed"), ErrRequeue{}}[b.choose(4)]
	_, requeue := result.(ErrRequeue)
	want, wantInitial := b.m.pop(requeue)
	got, _ := b.q.Pop(func(d Deltas, initial bool) error {
		require.Equal(b.t, wantInitial, initial, "isInInitialList")
		return result
	})
	require.Equal(b.t, want, got)
	b.popped = got
	if result == nil {
		b.m.known.apply(got)
	}
	return "pop " + describeAll(got)
}

// agree compares everything there is to see, and checks the queue's invariants.
func (b *both) agree(history []string) {
	want := []string{}
	for _, e := range b.m.entries {
		want = append(want, e.key+": "+describeAll(e.deltas))
	}
	require.Equal(b.t, want, lines(b.q), "after %q", history)
	require.Equal(b.t, b.m.populated, b.q.populated, "populated after %q", history)
	require.Equal(b.t, b.m.count, b.q.initialPopulationCount, "count after %q", history)
	require.Equal(b.t, b.m.synced(), b.q.HasSynced(), "synced after %q", history)
	require.NoError(b.t, b.q.check(), "after %q", history)
}

func playBoth(t *testing.T, program []byte) {
	k := newKnown(at("web-1@0", "db-2@0")...)
	b := &both{
		t: t, program: program, m: &model{known: k},
		q: New(Options{KnownObjects: k, Transform: fuzzTransform}),
	}
	var history []string
	for len(b.program) > 0 {
		history = append(history, b.step())
		b.agree(history)
	}
}

func TestQueueAgreesWithModel(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		program := make([]byte, 200)
		for i := range program {
			program[i] = byte(r.Uint32())
		}
		playBoth(t, program)
	}
}

func FuzzQueueAgreesWithModel(f *testing.F) {
	f.Add([]byte{0, 0, 3, 0, 1, 4, 1, 1, 7, 0, 7, 0})
	f.Add([]byte{4, 2, 0, 1, 7, 3, 5, 4, 0, 7, 0, 6, 0, 3})
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 200 {
			t.Skip("long programs only repeat themselves")
		}
		playBoth(t, program)
	})
}
