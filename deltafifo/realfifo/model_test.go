package realfifo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
	history []string
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

var errRefused = errors.New("refused")

// picky is a transform that refuses one name and marks all other objects.
func picky(obj watchglass.Object) (watchglass.Object, error) {
	if obj.GetName() == "bad" {
		return nil, errRefused
	}
	return object(obj.GetName(), obj.GetResourceVersion()+"t"), nil
}

// object returns an object, the one that is to be queued for it, and whether it is accepted.
func (m *model) object() (obj, queued watchglass.Object, ok bool) {
	m.version++
	names := []string{"web-1", "web-1", "web-1", "web-2", "web-2", "web-2", "bad", ""}
	obj = object(names[m.choose(len(names))], fmt.Sprint(m.version))
	queued, err := picky(obj)
	return obj, queued, err == nil && obj.GetName() != ""
}

func (m *model) put(t deltafifo.DeltaType, obj watchglass.Object) {
	m.entries = append(m.entries, describe(deltafifo.Delta{Type: t, Object: obj}))
	if version := obj.GetResourceVersion(); version != "" {
		m.newest = version
	}
}

func (m *model) step() {
	switch m.choose(10) {
	case 0, 1, 2, 3:
		m.event()
	case 4:
		m.replace()
	case 5:
		m.history = append(m.history, "resync")
		require.NoError(m, m.queue.Resync())
		m.put(SyncAll, SyncAllInfo{})
	case 6:
		version := []string{"", fmt.Sprint(m.version), fmt.Sprint(m.version, "t")}[m.choose(3)]
		m.history = append(m.history, "version "+version)
		m.queue.UpdateResourceVersion(version)
		if version != "" && version != m.newest {
			m.put(Bookmark, BookmarkInfo{ResourceVersion: version})
		}
	case 7:
		m.pop(1)
	default:
		m.pop(MaxBatch)
	}
	require.Equal(m, append([]string{}, m.entries...), queued(m.queue), "after %q", m.history)
	require.Equal(m, m.synced(), m.queue.HasSynced(), "synced after %q", m.history)
	check(m, m.queue)
}

func (m *model) event() {
	obj, queued, ok := m.object()
	which := m.choose(3)
	t := []deltafifo.DeltaType{deltafifo.Added, deltafifo.Updated, deltafifo.Deleted}[which]
	method := []func(watchglass.Object) error{m.queue.Add, m.queue.Update, m.queue.Delete}[which]
	m.history = append(m.history, fmt.Sprint(t, " ", obj.GetName()))
	m.populated = true
	if ok {
		m.put(t, queued)
	}
	require.Equal(m, ok, method(obj) == nil, "%q", m.history)
}

func (m *model) replace() {
	var list, transformed []watchglass.Object
	whole := true
	for range m.choose(4) {
		obj, queued, ok := m.object()
		list, transformed, whole = append(list, obj), append(transformed, queued), whole && ok
	}
	m.history = append(m.history, fmt.Sprintf("replace with %d objects", len(list)))
	m.version++
	version := fmt.Sprint(m.version)
	if whole {
		m.put(ReplacedAll, ReplacedAllInfo{ResourceVersion: version, Objects: transformed})
		if !m.populated {
			m.populated, m.count = true, len(m.entries)
		}
	}
	require.Equal(m, whole, m.queue.Replace(list, version) == nil, "%q", m.history)
}

func (m *model) synced() bool { return m.populated && m.count == 0 }

// pop ends in one of the ways in which a process func can end.
func (m *model) pop(most int) {
	if len(m.entries) == 0 {
		return
	}
	// A batch of the queue never takes from both of its slices.
	want := slices.Clone(m.entries[:min(most, len(m.queue.backlog.front()))])
	if i := slices.IndexFunc(want, func(word string) bool { return word[0] != 'w' }); i >= 0 {
		want = want[:max(1, i)] // what is not about one object is a batch of its own
	}
	synced, end := m.synced(), []string{"returns", "fails", "panics"}[m.choose(3)]
	m.history = append(m.history, fmt.Sprintf("pop %q, which %s", want, end))
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
	pop := m.queue.PopBatch
	if most == 1 {
		pop = func(process deltafifo.PopProcessFunc) error {
			popped, err := m.queue.Pop(process)
			require.Equal(m, want, describeAll(popped))
			clear(popped) // it belongs to the consumer
			return err
		}
	}
	if end == "panics" { // and what was popped stays queued
		require.Panics(m, func() { _ = pop(process) })
		return
	}
	require.Equal(m, end == "fails", pop(process) != nil)
	m.entries, m.count = m.entries[len(want):], max(0, m.count-1)
}

func play(t *testing.T, program []byte) {
	m := &model{T: t, program: program, queue: New(Options{Transform: picky})}
	for len(m.program) > 0 {
		m.step()
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
	f.Add([]byte{4, 2, 0, 1, 7, 3, 5, 4, 0, 7, 0, 6, 0, 3})
	f.Fuzz(func(t *testing.T, program []byte) {
		play(t, program[:min(len(program), 200)]) // long programs only repeat themselves
	})
}
