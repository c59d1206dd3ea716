package realfifo

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// model is the queue in its simplest form: a list of words, and the rules one after the other. If
// model and queue disagree, one of them is wrong.
type model struct {
	entries   []string
	populated bool
	count     int
	version   string // the newest
}

func (m *model) put(word, version string) {
	m.entries = append(m.entries, word)
	if version != "" {
		m.version = version
	}
}

func (m *model) event(t deltafifo.DeltaType, obj watchglass.Object) {
	m.populated = true
	if transformed, err := picky(obj); err == nil && transformed != nil && obj.GetName() != "" {
		m.put(describe(deltafifo.Delta{Type: t, Object: transformed}), transformed.GetResourceVersion())
	}
}

func (m *model) replace(list []watchglass.Object, version string) {
	var words []string
	for _, obj := range list {
		transformed, err := picky(obj)
		if err != nil || transformed == nil || obj.GetName() == "" {
			return
		}
		words = append(words, transformed.GetName()+"@"+transformed.GetResourceVersion())
	}
	m.put(fmt.Sprintf("ReplacedAll@%s %v", version, words), version)
	if !m.populated {
		m.populated = true
		m.count = len(m.entries)
	}
}

func (m *model) synced() bool { return m.populated && m.count == 0 }

// isSingle says whether the word is a delta of a single object, which may share a batch.
func isSingle(word string) bool { return word[0] == 'A' || word[0] == 'U' || word[0] == 'D' }

func (m *model) pop(most int) (words []string, initial bool) {
	initial = !m.synced()
	for _, word := range m.entries {
		if len(words) == most || len(words) > 0 && !(isSingle(word) && isSingle(words[0])) {
			break
		}
		words = append(words, word)
	}
	m.entries = m.entries[len(words):]
	m.count = max(0, m.count-1)
	return words, initial
}

// both runs one program on the queue and on the model. Each byte of the program is one choice.
type both struct {
	t       *testing.T
	q       *RealFIFO
	m       *model
	program []byte
	version int
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
	name := []string{"web-1", "web-2", "web-3", "db-1", "bad", "nil", ""}[b.choose(40)%7]
	return object(name, fmt.Sprint(b.version))
}

func (b *both) step() string {
	switch b.choose(10) {
	case 0, 1:
		obj := b.object()
		_ = b.q.Add(obj)
		b.m.event(deltafifo.Added, obj)
		return "add " + obj.GetName()
	case 2:
		obj := b.object()
		_ = b.q.Update(obj)
		b.m.event(deltafifo.Updated, obj)
		return "update " + obj.GetName()
	case 3:
		obj := b.object()
		_ = b.q.Delete(obj)
		b.m.event(deltafifo.Deleted, obj)
		return "delete " + obj.GetName()
	case 4:
		var list []watchglass.Object
		for range b.choose(4) {
			list = append(list, b.object())
		}
		b.version++
		b.m.replace(list, fmt.Sprint(b.version)) // first, because the queue keeps the list
		_ = b.q.Replace(list, fmt.Sprint(b.version))
		return fmt.Sprintf("replace with %d objects", len(list))
	case 5:
		_ = b.q.Resync()
		b.m.put("SyncAll", "")
		return "resync"
	case 6:
		version := fmt.Sprint(b.version + b.choose(2))
		b.q.UpdateResourceVersion(version)
		if version != b.m.version {
			b.m.put("Bookmark@"+version, version)
		}
		return "version " + version
	case 7:
		return b.pop(1)
	default:
		return b.pop(MaxBatch)
	}
}

func (b *both) pop(most int) string {
	if len(b.m.entries) == 0 {
		return "nothing to pop"
	}
	// A batch of the queue never takes from both of its slices.
	want, wantInitial := b.m.pop(min(most, len(b.q.backlog.front())))
	result := []error{nil, errNo}[b.choose(2)]
	process := func(d deltafifo.Deltas, initial bool) error {
		require.Equal(b.t, want, describeAll(d))
		require.Equal(b.t, wantInitial, initial, "isInInitialList")
		return result
	}
	var err error
	if most == 1 {
		_, err = b.q.Pop(process)
	} else {
		err = b.q.PopBatch(process)
	}
	require.Equal(b.t, result, err)
	return fmt.Sprintf("pop %q", want)
}

// agree compares everything that can be read, and checks the queue's invariants.
func (b *both) agree(history []string) {
	require.Equal(b.t, append([]string{}, b.m.entries...), queued(b.q), "after %q", history)
	require.Equal(b.t, b.m.synced(), b.q.HasSynced(), "synced after %q", history)
	require.NoError(b.t, b.q.check(), "after %q", history)
}

func playBoth(t *testing.T, program []byte) {
	b := &both{t: t, program: program, m: &model{}, q: New(Options{Transform: picky})}
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
