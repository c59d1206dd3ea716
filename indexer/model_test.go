package indexer

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// item is what the map holds here: it need not be an object. Its letters are its values, so "ab" is
// found under "a" and "b". The index x refuses an item with an x in it, and panics at one with an
// X. The indices y and z do the same with their letters.
type item string

func letters(index string) func([]string, item) ([]string, error) {
	return func(values []string, i item) ([]string, error) {
		if i.panics(index) {
			panic("an item with a capital letter")
		}
		if i.refusedBy(index) {
			return nil, errors.New("refused")
		}
		return append(values, strings.Split(string(i), "")...), nil
	}
}

func (i item) refusedBy(index string) bool { return strings.Contains(string(i), index) }

func (i item) panics(index string) bool {
	return strings.Contains(string(i), strings.ToUpper(index))
}

// model is the map in its simplest form: it has no index at all, and searches all items.
type model struct {
	items   map[string]item
	indices []string
}

// panics says whether an index panics at one of these items.
func (m *model) panics(items ...item) bool {
	return slices.ContainsFunc(m.indices, func(index string) bool {
		return slices.ContainsFunc(items, func(i item) bool { return i.panics(index) })
	})
}

// refused lists what each index leaves out of these items: "x: web-1 and 2 more".
func refused(indices []string, items map[string]item) []string {
	var lines []string
	for _, index := range slices.Sorted(slices.Values(indices)) {
		var keys []string
		for key, i := range items {
			if i.refusedBy(index) {
				keys = append(keys, key)
			}
		}
		if len(keys) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s and %d more", index, slices.Min(keys), len(keys)-1))
		}
	}
	return lines
}

// reported lists the same from an error.
func reported(err error) []string {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var lines []string
	for _, err := range joined.Unwrap() {
		if e, ok := errors.AsType[*IndexError](err); ok {
			lines = append(lines, fmt.Sprintf("%s: %s and %d more", e.Index, e.Key, e.More))
		}
	}
	return lines
}

func (m *model) find(index, value string) []string {
	keys := []string{}
	for key, i := range m.items {
		if strings.Contains(string(i), value) && !i.refusedBy(index) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// both runs one program on the map and on the model. Each byte of the program is one choice.
type both struct {
	t       *testing.T
	program []byte
	real    *threadSafeMap[item]
	model   *model
}

func (b *both) choose(n int) int {
	if len(b.program) == 0 {
		return 0
	}
	c := int(b.program[0])
	b.program = b.program[1:]
	return c % n
}

// item mostly has the letters a to d, and seldom one that an index refuses or panics at.
func (b *both) item() item {
	var i item
	for range b.choose(4) {
		i += item("aaaabbbbccccddddxyzXYZ"[b.choose(22)])
	}
	return i
}

func (b *both) step() string {
	key := []string{"web-1", "web-2", "web-3", "db-1"}[b.choose(4)]
	switch b.choose(8) {
	default:
		return b.set(key, b.item())
	case 5:
		old, existed := b.model.items[key]
		require.Equal(b.t, state[item]{old, existed}, b.real.remove(key))
		delete(b.model.items, key)
		return "remove " + key
	case 6:
		return b.replace()
	case 7:
		return b.addIndex()
	}
}

// panics makes a change and reports whether it panicked, which must be as wanted.
func (b *both) panics(want bool, change func()) (panicked bool) {
	defer func() {
		recovered := recover()
		panicked = recovered != nil
		require.Equal(b.t, want, panicked, "panics: %v", recovered)
	}()
	change()
	return false
}

func (b *both) set(key string, i item) string {
	told := fmt.Sprintf("set %s to %q", key, i)
	if b.panics(b.model.panics(i), func() {
		before, err := b.real.set(key, i)
		old, existed := b.model.items[key]
		require.Equal(b.t, state[item]{old, existed}, before)
		require.Equal(b.t, refused(b.model.indices, map[string]item{key: i}), reported(err))
	}) {
		return told + ": panic"
	}
	b.model.items[key] = i
	return told
}

func (b *both) replace() string {
	items := map[string]item{}
	for n := range b.choose(5) {
		items[fmt.Sprint("new-", n)] = b.item()
	}
	for key, i := range b.model.items {
		if b.choose(2) == 0 {
			items[key] = i
		}
	}
	told := fmt.Sprintf("replace with %v", items)
	modelItems := maps.Clone(items)
	if b.panics(b.model.panics(slices.Collect(maps.Values(items))...), func() {
		require.Equal(b.t, refused(b.model.indices, modelItems), reported(b.real.replace(items)))
	}) {
		return told + ": panic"
	}
	b.model.items = modelItems
	return told
}

func (b *both) addIndex() string {
	name := []string{"x", "y", "z"}[b.choose(3)]
	exists := slices.Contains(b.model.indices, name)
	alone := &model{indices: []string{name}}
	panics := !exists && alone.panics(slices.Collect(maps.Values(b.model.items))...)
	if b.panics(panics, func() {
		err := b.real.addIndices(newIndices[item](map[string]func([]string, item) ([]string, error){
			name: letters(name),
		}))
		require.Equal(b.t, exists, errors.Is(err, ErrIndexExists))
		if !exists {
			require.Equal(b.t, refused(alone.indices, b.model.items), reported(err))
		}
	}) {
		return "add index " + name + ": panic"
	}
	if !exists {
		b.model.indices = append(b.model.indices, name)
	}
	return "add index " + name
}

// agree compares everything that can be read.
func (b *both) agree(history []string) {
	require.NoError(b.t, b.real.check(), "after %q", history)
	require.Equal(b.t, b.model.items, b.real.items, "after %q", history)
	for _, name := range []string{"x", "y", "z"} {
		if !slices.Contains(b.model.indices, name) {
			_, err := b.real.keysByIndex(name, "a")
			require.ErrorIs(b.t, err, ErrNoIndex)
			continue
		}
		for _, value := range strings.Split("abcdxyzXYZ", "") {
			want := b.model.find(name, value)
			got, err := b.real.keysByIndex(name, value)
			require.NoError(b.t, err)
			require.True(b.t, slices.Equal(want, got), "%s=%s after %q: want %v, got %v",
				name, value, history, want, got)
			require.Equal(b.t, len(want) > 0, slices.Contains(b.real.indexValues(name), value))
		}
	}
}

func playBoth(t *testing.T, program []byte) {
	b := &both{
		t: t, program: program,
		real:  newThreadSafeMap[item](nil),
		model: &model{items: map[string]item{}},
	}
	var history []string
	for len(b.program) > 0 {
		history = append(history, b.step())
		b.agree(history)
	}
}

func TestMapAgreesWithModel(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		program := make([]byte, 200)
		for i := range program {
			program[i] = byte(r.Uint32())
		}
		playBoth(t, program)
	}
}

func FuzzMapAgreesWithModel(f *testing.F) {
	f.Add([]byte{0, 7, 0, 0, 0, 2, 0, 3, 0, 0, 1, 5, 0, 5})
	f.Add([]byte{0, 0, 3, 0, 3, 6, 0, 7, 1, 1, 6, 2, 1, 2, 3, 4, 0, 1})
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 200 {
			t.Skip("long programs only repeat themselves")
		}
		playBoth(t, program)
	})
}
