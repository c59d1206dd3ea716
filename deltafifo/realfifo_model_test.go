package deltafifo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// realModel is a RealFIFO in its simplest form: a list of words, and the rules one after the other.
// It runs one program on itself and on a queue; each byte of the program is one choice. If the two
// disagree, one of them is wrong.
type realModel struct {
	*testing.T
	*story.Program
	queue   *RealFIFO
	picture picture
	version int

	entries   []string // as entryOf shows them
	populated bool
	count     int
	newest    string // version of an entry
}

// object returns an object, the one that is to be queued for it in a list, and whether it is
// accepted.
func (m *realModel) object() (obj, queued watchglass.Object, ok bool) {
	m.version++
	names := []string{"web-1", "web-1", "web-1", "web-2", "web-2", "web-2", "bad", ""}
	obj = object(names[m.Choose(len(names))], fmt.Sprint(m.version))
	if queued, ok = accept(obj); !ok {
		queued = &watchglass.Unusable{Name: "bad", ResourceVersion: obj.GetResourceVersion()}
	}
	return obj, queued, ok
}

func (m *realModel) put(t DeltaType, obj watchglass.Object) {
	m.entries = append(m.entries, entryOf(Delta{Type: t, Object: obj}))
	if version := obj.GetResourceVersion(); version != "" {
		m.newest = version
	}
}

func (m *realModel) step() {
	switch m.Choose(10) {
	case 0, 1, 2, 3:
		m.event()
	case 4:
		m.replace()
	case 5:
		m.Note("resync")
		require.NoError(m, m.queue.Resync())
		m.put(SyncAll, SyncAllInfo{})
	case 6:
		version := []string{"", fmt.Sprint(m.version), fmt.Sprint(m.version, "t")}[m.Choose(3)]
		m.Note("version %s", version)
		m.queue.UpdateResourceVersion(version)
		if version != "" && version != m.newest {
			m.put(Bookmark, BookmarkInfo{ResourceVersion: version})
		}
	case 7:
		m.pop(1)
	default:
		m.pop(maxBatch)
	}
	require.Equal(m, append([]string{}, m.entries...), entriesOf(m.queue.queue), "after %q", m.History)
	require.Equal(m, m.synced(), m.queue.HasSynced(), "synced after %q", m.History)
	require.Equal(m, len(m.entries), m.queue.Len(), "length")
	require.Equal(m, append([]string{}, m.entries...), append([]string{}, m.picture.rows...),
		"drawn after %q", m.History)
	require.Equal(m, State{len(m.entries), m.populated, m.count, m.synced()}, m.picture.state,
		"reported after %q", m.History)
	require.Equal(m, m.synced(), m.picture.synced == 1, "reported after %q", m.History)
}

func (m *realModel) event() {
	obj, queued, ok := m.object()
	which := m.Choose(3)
	t := []DeltaType{Added, Updated, Deleted}[which]
	method := []func(watchglass.Object) error{m.queue.Add, m.queue.Update, m.queue.Delete}[which]
	m.Note("%v %s", t, obj.GetName())
	m.populated = true
	switch {
	case ok:
		m.put(t, queued)
	case t == Deleted && obj.GetName() != "":
		m.put(t, DeletedFinalStateUnknown{Key: obj.GetName()})
	}
	require.Equal(m, ok, method(obj) == nil, "%q", m.History)
}

func (m *realModel) replace() {
	var list, transformed []watchglass.Object
	whole, keys := true, true
	for range m.Choose(4) {
		obj, queued, ok := m.object()
		list, transformed = append(list, obj), append(transformed, queued)
		whole, keys = whole && ok, keys && obj.GetName() != ""
	}
	m.Note("replace with %d objects", len(list))
	m.version++
	version := fmt.Sprint(m.version)
	if keys {
		m.put(ReplacedAll, ReplacedAllInfo{ResourceVersion: version, Objects: transformed})
		if !m.populated {
			m.populated, m.count = true, len(m.entries)
		}
	}
	require.Equal(m, whole, m.queue.Replace(list, version) == nil, "%q", m.History)
}

func (m *realModel) synced() bool { return m.populated && m.count == 0 }

// pop ends in one of the ways in which a process func can end.
func (m *realModel) pop(most int) {
	if len(m.entries) == 0 {
		return
	}
	want := m.firstBatch(most)
	synced, end := m.synced(), []string{"returns", "fails", "panics"}[m.Choose(3)]
	m.Note("pop %q, which %s", want, end)
	process := func(d Deltas, isInInitialList bool) error {
		_ = append(d, Delta{}) // a consumer may append to its batch
		m.event()              // the producer goes on while the consumer works
		require.Equal(m, want, entriesOf(d))
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
		pop = func(process PopProcessFunc) error {
			popped, err := m.queue.Pop(process)
			require.Equal(m, want, entriesOf(popped))
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

// firstBatch ends before what is not about one object, or about one that is in it already.
func (m *realModel) firstBatch(most int) (batch []string) {
	has := map[string]bool{}
	for _, word := range m.entries {
		name, _, _ := strings.Cut(word, " ")
		if whole := name[0] < 'a'; len(batch) > 0 && (len(batch) == most || whole || has[name]) {
			return batch
		} else if batch = append(batch, word); whole {
			return batch
		}
		has[name] = true
	}
	return batch
}

func playReal(t *testing.T, program *story.Program) {
	m := &realModel{T: t, Program: program}
	m.queue = NewRealFIFO(RealFIFOOptions{Transform: picky, Trace: m.picture.trace()})
	for !m.Over() {
		m.step()
	}
}

func FuzzRealFIFODoesWhatItsModelSays(f *testing.F) { story.FuzzModel(f, 30, 200, playReal) }
