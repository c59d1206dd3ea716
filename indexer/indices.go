package indexer

import (
	"maps"
	"slices"
	"strings"
)

// indices are all the indices over one map, sorted by name: so that of two IndexFuncs that fail, it
// is always the same one that is reported. There are a handful, and every change walks them, so
// they are a slice and not a map.
type indices[T any] []*index[T]

// newIndices returns empty indices that ask these questions.
func newIndices[T any, F ~func(T) ([]string, error)](questions map[string]F) indices[T] {
	var ixs indices[T]
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		ixs = append(ixs, &index[T]{name, questions[name], map[string]keySet{}})
	}
	return ixs
}

// find returns the index with that name, or nil.
func (ixs indices[T]) find(name string) *index[T] {
	for _, ix := range ixs {
		if ix.name == name {
			return ix
		}
	}
	return nil
}

// merge returns all indices of both, which have no name in common.
func (ixs indices[T]) merge(others indices[T]) indices[T] {
	all := slices.Concat(ixs, others)
	slices.SortFunc(all, byName)
	return all
}

func byName[T any](a, b *index[T]) int { return strings.Compare(a.name, b.name) }

// plan appends to moves what has to change in each index when what key stands for changes. An index
// that gives the same answer as before needs no move: most updates do not move anything, and then
// nothing is allocated either.
//
// Nothing is changed here, so that it can fail. The error is an *IndexError.
func (ixs indices[T]) plan(
	moves []move[T], key string, before, after state[T],
) ([]move[T], error) {
	for _, ix := range ixs {
		from, err := ix.values(key, before)
		if err != nil {
			return nil, err
		}
		to, err := ix.values(key, after)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(from, to) {
			moves = append(moves, move[T]{ix, from, to})
		}
	}
	return moves, nil
}

// rebuilt returns indices that ask the same questions, of these items, and leaves ixs as it is. The
// error is an *IndexError.
func (ixs indices[T]) rebuilt(items map[string]T) (indices[T], error) {
	fresh := make(indices[T], len(ixs))
	for i, ix := range ixs {
		rebuilt, err := ix.rebuilt(items)
		if err != nil {
			return nil, err
		}
		fresh[i] = rebuilt
	}
	return fresh, nil
}
