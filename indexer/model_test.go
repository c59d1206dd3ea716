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
// found under "a" and "b". An index refuses an item with its own name in it.
type item string

func letters(refused string) func(item) ([]string, error) {
	return func(i item) ([]string, error) {
		if strings.Contains(string(i), refused) {
			return nil, errors.New("refused")
		}
		return strings.Split(string(i), ""), nil
	}
}

// model is the map, told without any cleverness: it has no indices at all, and searches all items
// whenever it is asked.
type model struct {
	items   map[string]item
	indices []string
}

func (m *model) refuses(i item) bool {
	return slices.ContainsFunc(m.indices, func(name string) bool {
		return strings.Contains(string(i), name)
	})
}

func (m *model) find(value string) []string {
	keys := []string{}
	for key, i := range m.items {
		if value != "" && strings.Contains(string(i), value) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// both plays one program, a byte a choice, to the map and to the model.
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

// item mostly has the letters a to d, and seldom one that some index refuses.
func (b *both) item() item {
	var i item
	for range b.choose(4) {
		i += item("aaabbbcccdddxyz"[b.choose(15)])
	}
	return i
}

func (b *both) step() string {
	key := []string{"web-1", "web-2", "web-3", "db-1"}[b.choose(4)]
	switch b.choose(8) {
	default:
		i := b.item()
		before, err := b.real.set(key, i)
		old, existed := b.model.items[key]
		require.Equal(b.t, state[item]{old, existed}, before)
		require.Equal(b.t, b.model.refuses(i), err != nil)
		if err == nil {
			b.model.items[key] = i
		}
		return fmt.Sprintf("set %s to %q: %v", key, i, err)
	case 5:
		_, err := b.real.remove(key)
		require.NoError(b.t, err)
		delete(b.model.items, key)
		return "remove " + key
	case 6:
		return b.replace()
	case 7:
		return b.addIndex()
	}
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
	modelItems := maps.Clone(items)
	refused := slices.ContainsFunc(slices.Collect(maps.Values(items)), b.model.refuses)
	err := b.real.replace(items)
	require.Equal(b.t, refused, err != nil)
	if err == nil {
		b.model.items = modelItems
	}
	return fmt.Sprintf("replace with %v: %v", items, err)
}

func (b *both) addIndex() string {
	name := []string{"x", "y", "z"}[b.choose(3)]
	want := !slices.Contains(b.model.indices, name)
	for _, i := range b.model.items {
		want = want && !strings.Contains(string(i), name)
	}
	err := b.real.addIndices(newIndices[item](map[string]func(item) ([]string, error){
		name: letters(name),
	}))
	require.Equal(b.t, want, err == nil)
	if err == nil {
		b.model.indices = append(b.model.indices, name)
	}
	return fmt.Sprintf("add index %s: %v", name, err)
}

// agree compares everything there is to ask.
func (b *both) agree(history []string) {
	require.NoError(b.t, b.real.check(), "after %q", history)
	require.Equal(b.t, b.model.items, b.real.items, "after %q", history)
	for _, name := range []string{"x", "y", "z"} {
		if !slices.Contains(b.model.indices, name) {
			_, err := b.real.keysByIndex(name, "a")
			require.ErrorIs(b.t, err, ErrNoIndex)
			continue
		}
		for _, value := range strings.Split("abcdxyz", "") {
			want := b.model.find(value)
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
