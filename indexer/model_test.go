package indexer

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// model is an indexer in its simplest form: a map, and no index at all. It plays a program, each
// byte of which is one choice, on itself and on a real indexer. There are the indices x, y and z: x
// refuses pods on the node x and panics at those on X, and so on.
type model struct {
	*story.Program
	t       *testing.T
	items   map[string]*pod
	indices []string // sorted
	version int

	real *Indexer
	told []string // by the trace of the real indexer, in this step
	want []string // what it should have told
}

func playModel(t *testing.T, program *story.Program) {
	m := &model{t: t, Program: program, items: map[string]*pod{}}
	m.real = New(Options{Trace: narrator(func(line string) {
		m.told = append(m.told, line)
		m.real.Len() // a trace may read: the lock is released
	})})
	for !m.Over() {
		m.told, m.want = nil, nil
		m.step()
		require.Equal(t, fmt.Sprint(m.want), fmt.Sprint(m.told), "told after %q", m.History)
		m.agree()
	}
}

// pod is mostly on the nodes a to d, and seldom on one that an index refuses or panics at. Now and
// then it has no name, and so no key.
func (m *model) pod() *pod {
	m.version++
	name := []string{"web-1", "web-1", "web-2", "web-3", "web-3", "db-1", ""}[m.Choose(7)]
	word := fmt.Sprintf("%s@%d", name, m.version)
	for range m.Choose(4) {
		word += " " + string("aaabbbcccdddxxxyyyzzzXYZ"[m.Choose(24)])
	}
	return newPod(word)
}

func (m *model) step() {
	switch m.Choose(8) {
	case 0:
		m.replace()
	case 1:
		m.addIndices()
	case 2:
		writes := make([]Write, 1+m.Choose(4))
		for i := range writes {
			writes[i] = Write{Object: m.pod(), Delete: m.Choose(3) == 0}
		}
		m.write("transaction", writes, m.real.Transaction)
		writes[0].Object = m.pod() // the slice may be used again
		m.write("transaction", writes, m.real.Transaction)
	case 3:
		m.write("delete", []Write{{Object: m.pod(), Delete: true}}, m.one(m.real.Delete))
	case 4:
		m.write("add", []Write{{Object: m.pod()}}, m.one(m.real.Add))
	case 5:
		m.write("update", []Write{{Object: m.pod()}}, m.one(m.real.Update))
	default:
		m.write("swap", []Write{{Object: m.pod()}}, func(w []Write) {
			w[0].Old, w[0].Err = m.real.Swap(w[0].Object)
		})
	}
}

// one is a method for one object, which does not return the old one, as a transaction.
func (m *model) one(method func(watchglass.Object) error) func([]Write) {
	return func(w []Write) {
		w[0].Old, _, _ = m.real.GetByKey(w[0].Object.GetName())
		w[0].Err = method(w[0].Object)
	}
}

// result is what a write returns.
type result struct {
	old *pod // nil: there was none
	err string
}

// write makes the writes in the model, in their order, until one panics. Then the real indexer does
// the same, and must return the same.
func (m *model) write(operation string, writes []Write, do func([]Write)) {
	var want, got []result
	told, panics := len(m.want), false
	for i := 0; i < len(writes) && !panics; i++ {
		p := writes[i].Object.(*pod)
		m.Note("%s %s %v delete=%t", operation, p.Name, p.nodes, writes[i].Delete)
		if panics = !writes[i].Delete && p.Name != "" && panicAt(m.indices, p); panics {
			m.want = m.want[:told] // the trace is called after the last write
		} else {
			want = append(want, m.makeOne(operation, p, writes[i].Delete))
		}
	}
	m.do(panics, func() {
		do(writes)
		for _, w := range writes {
			old, _ := w.Old.(*pod)
			got = append(got, result{old, fmt.Sprint(w.Err)})
		}
		require.Equal(m.t, want, got, "after %q", m.History)
	})
}

// makeOne makes one write in the model.
func (m *model) makeOne(operation string, p *pod, del bool) result {
	if p.Name == "" {
		_, err := watchglass.MetaNamespaceKeyFunc(p)
		return result{err: fmt.Sprintf("indexer: %s: %v", operation, err)}
	}
	say := narrator(func(line string) { m.want = append(m.want, line) })
	old, existed := m.items[p.Name]
	switch {
	case del && !existed:
	case del:
		delete(m.items, p.Name)
		say.Deleted(p.Name, old)
	case existed:
		say.Updated(p.Name, old, p)
	default:
		say.Added(p.Name, p)
	}
	if del {
		return result{old, noError}
	}
	m.items[p.Name] = p
	return result{old, refusal(operation, m.indices, p)}
}

func (m *model) replace() {
	var list []watchglass.Object
	items := map[string]*pod{}
	var keyless error // of the first object without a key
	for range m.Choose(6) {
		p := m.pod()
		list, items[p.Name] = append(list, p), p
		if _, err := watchglass.MetaNamespaceKeyFunc(p); keyless == nil {
			keyless = err
		}
	}
	m.Note("replace with %v", slices.Collect(maps.Keys(items)))
	all := slices.Collect(maps.Values(items))
	want := refusal("replace", m.indices, all...)
	panics := panicAt(m.indices, all...)
	if keyless != nil {
		want, panics = "indexer: replace: "+keyless.Error(), false
	} else if !panics {
		m.items = items
		m.want = []string{fmt.Sprintf("replaced everything: %d objects at 7", len(items))}
	}
	m.do(panics, func() {
		require.Equal(m.t, want, fmt.Sprint(m.real.Replace(list, "7")), "after %q", m.History)
		clear(list) // it belongs to the caller
	})
}

// addIndices adds one index or two: if there is one of them already, it adds none.
func (m *model) addIndices() {
	names := [][]string{{"x"}, {"y", "z"}, {"x", "z"}}[m.Choose(3)]
	m.Note("add indices %v", names)
	added := Indexers{}
	for _, name := range names {
		added[name] = byNodeBut(name, strings.ToUpper(name))
	}
	all := slices.Collect(maps.Values(m.items))
	want, panics := refusal("add indexers", names, all...), panicAt(names, all...)
	known := slices.IndexFunc(names, func(name string) bool {
		return slices.Contains(m.indices, name)
	})
	if known >= 0 {
		want, panics = `indexer: add indexers: index exists already: "`+names[known]+`"`, false
	} else if !panics {
		m.indices = slices.Sorted(slices.Values(append(names, m.indices...)))
	}
	m.do(panics, func() {
		require.Equal(m.t, want, fmt.Sprint(m.real.AddIndexers(added)), "after %q", m.History)
		clear(added) // it belongs to the caller
	})
}

// do makes a change that must panic or must not.
func (m *model) do(panics bool, change func()) {
	if panics {
		require.Panics(m.t, change, "after %q", m.History)
	} else {
		change()
	}
}

func panicAt(indices []string, all ...*pod) bool {
	return slices.ContainsFunc(all, func(p *pod) bool {
		return slices.ContainsFunc(indices, func(name string) bool {
			return slices.Contains(p.nodes, strings.ToUpper(name))
		})
	})
}

const noError = "<nil>" // as fmt shows it

// refusal is the text of the error that tells what each index leaves out of these pods.
func refusal(operation string, indices []string, all ...*pod) string {
	var lines []string
	for _, name := range indices {
		var keys []string
		for _, p := range all {
			if slices.Contains(p.nodes, name) {
				keys = append(keys, p.Name)
			}
		}
		if len(keys) == 0 {
			continue
		}
		more := ""
		if len(keys) > 1 {
			more = fmt.Sprintf(" and %d more are", len(keys)-1)
		}
		lines = append(lines, fmt.Sprintf("object %q%s left out of index %q: there is no such node",
			slices.Min(keys), cmp.Or(more, " is"), name))
	}
	if len(lines) == 0 {
		return noError
	}
	return "indexer: " + operation + ": " + strings.Join(lines, "\n")
}

// agree compares everything that can be read.
func (m *model) agree() {
	keys := slices.Sorted(maps.Keys(m.items))
	require.Equal(m.t, len(keys), m.real.Len(), "after %q", m.History)
	listed := m.real.ListKeys()
	require.ElementsMatch(m.t, keys, listed, "after %q", m.History)
	clear(listed) // it belongs to the caller
	m.same(keys, m.real.List())
	for _, key := range []string{"web-1", "web-2", "web-3", "db-1"} {
		want, exists := m.items[key]
		got, found, _ := m.real.GetByKey(key)
		require.True(m.t, exists == found && (!exists || got == want), "%s after %q", key, m.History)
	}
	for _, name := range []string{"x", "y", "z"} {
		m.agreeOn(name, keys)
	}
	funcs := m.real.GetIndexers()
	require.Len(m.t, funcs, len(m.indices))
	for _, name := range m.indices {
		require.Contains(m.t, funcs, name)
		delete(funcs, name) // it belongs to the caller
	}
}

func (m *model) agreeOn(name string, all []string) {
	unknown := !slices.Contains(m.indices, name)
	held := []string{}
	for _, value := range []string{"X", "Y", "Z", "a", "b", "c", "d", "x", "y", "z"} {
		want := slices.DeleteFunc(slices.Clone(all), func(key string) bool {
			nodes := m.items[key].nodes
			return unknown || slices.Contains(nodes, name) || !slices.Contains(nodes, value)
		})
		if len(want) > 0 {
			held = append(held, value+": "+strings.Join(want, " "))
		}
		found, err := m.real.ByIndex(name, value)
		require.Equal(m.t, unknown, errors.Is(err, ErrNoIndex), "after %q", m.History)
		m.same(want, found)
	}
	require.Equal(m.t, held, lines(m.real, name), "after %q", m.History)
}

// same demands the objects with these keys, in any order, and writes to the slice, which belongs to
// the caller.
func (m *model) same(want []string, objects []watchglass.Object) {
	for _, obj := range objects {
		if obj != m.items[obj.GetName()] || !slices.Contains(want, obj.GetName()) {
			m.t.Fatalf("want %q, got %v after %q", want, obj, m.History)
		}
	}
	require.Len(m.t, objects, len(want), "after %q", m.History)
	clear(objects)
}

func FuzzTheIndexerDoesWhatTheModelSays(f *testing.F) { story.FuzzModel(f, 15, 200, playModel) }
