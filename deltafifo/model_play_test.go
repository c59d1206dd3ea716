package deltafifo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

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

// agree compares everything that can be read, and checks the queue's invariants.
func (b *both) agree(history []string) {
	want := []string{}
	for _, e := range b.m.entries {
		want = append(want, e.key+": "+describeAll(e.deltas))
	}
	require.Equal(b.t, want, lines(b.q), "after %q", history)
	require.Equal(b.t, b.m.populated, b.q.progress.populated, "populated after %q", history)
	require.Equal(b.t, b.m.count, b.q.progress.initialPopulationCount, "count after %q", history)
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
