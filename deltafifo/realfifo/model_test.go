package realfifo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// model is the queue in its simplest form: a list of words, and the rules one after the other. It
// runs one program on itself and on a queue; each byte of the program is one choice. If the two
// disagree, one of them is wrong.
type model struct {
	*testing.T
	queue   *RealFIFO
	program []byte
	version int

	entries   []string // as describe shows them
	populated bool
	count     int
	newest    string // version of an entry
}

// choose returns a number below n, 0 at the end of the program.
func (m *model) choose(n int) int {
	if len(m.program) == 0 {
		return 0
	}
	c := int(m.program[0])
	m.program = m.program[1:]
	return c % n
}

func (m *model) object() watchglass.Object {
	m.version++
	names := []string{"web-1", "web-1", "web-1", "web-2", "web-2", "web-2", "bad", ""}
	return object(names[m.choose(len(names))], fmt.Sprint(m.version))
}

var errRefused = errors.New("refused")

// picky is a transform that refuses one name and marks all other objects.
func picky(obj watchglass.Object) (watchglass.Object, error) {
	if obj.GetName() == "bad" {
		return nil, errRefused
	}
	return object(obj.GetName(), obj.GetResourceVersion()+"t"), nil
}

func (m *model) put(t deltafifo.DeltaType, obj watchglass.Object) {
	m.entries = append(m.entries, describe(deltafifo.Delta{Type: t, Object: obj}))
	if version := obj.GetResourceVersion(); version != "" {
		m.newest = version
	}
}

func (m *model) step() string {
	switch m.choose(10) {
	case 0, 1, 2, 3:
		return m.event()
	case 4:
		return m.replace()
	case 5:
		require.NoError(m, m.queue.Resync())
		m.put(SyncAll, SyncAllInfo{})
		return "resync"
	case 6:
		version := []string{"", fmt.Sprint(m.version), fmt.Sprint(m.version, "t")}[m.choose(3)]
		m.queue.UpdateResourceVersion(version)
		if version != "" && version != m.newest {
			m.put(Bookmark, BookmarkInfo{ResourceVersion: version})
		}
		return "version " + version
	case 7:
		return m.pop(1)
	default:
		return m.pop(MaxBatch)
	}
}

func (m *model) event() string {
	obj, which := m.object(), m.choose(3)
	t := []deltafifo.DeltaType{deltafifo.Added, deltafifo.Updated, deltafifo.Deleted}[which]
	method := []func(watchglass.Object) error{m.queue.Add, m.queue.Update, m.queue.Delete}[which]
	m.populated = true
	transformed, err := picky(obj)
	ok := err == nil && obj.GetName() != ""
	if ok {
		m.put(t, transformed)
	}
	require.Equal(m, ok, method(obj) == nil, "%s %s", t, obj.GetName())
	return fmt.Sprint(t, " ", obj.GetName())
}

func (m *model) replace() string {
	var list, transformed []watchglass.Object
	ok := true
	for range m.choose(4) {
		list = append(list, m.object())
		obj, err := picky(list[len(list)-1])
		ok = ok && err == nil && obj.GetName() != ""
		transformed = append(transformed, obj)
	}
	m.version++
	version := fmt.Sprint(m.version)
	if ok {
		m.put(ReplacedAll, ReplacedAllInfo{ResourceVersion: version, Objects: transformed})
		if !m.populated {
			m.populated, m.count = true, len(m.entries)
		}
	}
	require.Equal(m, ok, m.queue.Replace(list, version) == nil)
	return fmt.Sprintf("replace with %d objects", len(list))
}

func (m *model) synced() bool { return m.populated && m.count == 0 }

// pop ends in one of the ways in which a process func can end.
func (m *model) pop(most int) string {
	if len(m.entries) == 0 {
		return "nothing to pop"
	}
	// A batch of the queue never takes from both of its slices.
	want := slices.Clone(m.entries[:min(most, len(m.queue.backlog.front()))])
	single := func(word string) bool { return strings.Contains("AddedUpdatedDeleted", word[:5]) }
	if i := slices.IndexFunc(want, func(word string) bool { return !single(word) }); i >= 0 {
		want = want[:max(1, i)]
	}
	synced, end := m.synced(), []string{"returns", "fails", "panics"}[m.choose(3)]
	process := func(d deltafifo.Deltas, isInInitialList bool) error {
		_ = append(d, deltafifo.Delta{}) // a consumer may append to its batch
		m.event()                        // the producer goes on while the consumer works
		require.Equal(m, want, describeAll(d))
		require.Equal(m, !synced, isInInitialList, "isInInitialList")
		require.Equal(m, m.synced(), m.queue.HasSynced(), "while a process func runs")
		switch end {
		case "fails":
			return errRefused
		case "panics":
			panic(end)
		}
		return nil
	}
	pop := func() error { return m.queue.PopBatch(process) }
	if most == 1 {
		pop = func() error {
			popped, err := m.queue.Pop(process)
			require.Equal(m, want, describeAll(popped))
			clear(popped) // it belongs to the consumer
			return err
		}
	}
	if end == "panics" { // and what was popped stays queued
		require.Panics(m, func() { _ = pop() })
	} else {
		require.Equal(m, end == "fails", pop() != nil)
		m.entries, m.count = m.entries[len(want):], max(0, m.count-1)
	}
	return fmt.Sprintf("pop %q, which %s", want, end)
}

func play(t *testing.T, program []byte) {
	m := &model{T: t, program: program, queue: New(Options{Transform: picky})}
	var history []string
	for len(m.program) > 0 {
		history = append(history, m.step())
		require.Equal(t, append([]string{}, m.entries...), queued(m.queue), "after %q", history)
		require.Equal(t, m.synced(), m.queue.HasSynced(), "synced after %q", history)
		require.NoError(t, m.queue.check(), "after %q", history)
	}
}

func TestTheQueueDoesWhatTheModelSays(t *testing.T) {
	for seed := range 100 {
		program := make([]byte, 200)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(program)
		play(t, program)
	}
}

func FuzzTheQueueDoesWhatTheModelSays(f *testing.F) {
	f.Add([]byte{4, 2, 0, 1, 7, 3, 5, 4, 0, 7, 0, 6, 0, 3})
	f.Fuzz(func(t *testing.T, program []byte) {
		play(t, program[:min(len(program), 200)]) // long programs only repeat themselves
	})
}
