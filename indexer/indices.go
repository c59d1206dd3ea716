package indexer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// indices are all the indices over one map, sorted by name, so that the errors of several indices
// are always in the same order. There are a handful, and every change goes through all of them, so
// they are a slice and not a map.
type indices[T any] []*index[T]

// newIndices returns empty indices with these funcs. It panics if one of them is nil.
func newIndices[T any, F ~func([]string, T) ([]string, error)](indexers map[string]F) indices[T] {
	var ixs indices[T]
	for _, name := range slices.Sorted(maps.Keys(indexers)) {
		if indexers[name] == nil {
			panic(fmt.Sprintf("indexer: the IndexFunc of index %q is nil", name))
		}
		ixs = append(ixs, newIndex(name, indexers[name], 0))
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

// rebuilt returns indices with the same names and funcs over these items, and leaves ixs as it is.
// The error holds an *IndexError for each index that leaves items out.
func (ixs indices[T]) rebuilt(items map[string]T) (indices[T], error) {
	fresh := make(indices[T], len(ixs))
	errs := make([]error, len(ixs))
	for i, ix := range ixs {
		fresh[i], errs[i] = ix.rebuilt(items)
	}
	return fresh, errors.Join(errs...)
}
