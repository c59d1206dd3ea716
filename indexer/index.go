package indexer

import "slices"

// index is one index: a question, and the answers of all items the other way round. It knows
// nothing of locks: threadSafeMap guards it.
type index[T any] struct {
	name     string
	valuesOf func(T) ([]string, error) // the question

	// keys holds, for each value, the keys of the items that have it. No set is empty: the last item
	// to leave a value takes the value with it. Otherwise an index by something short-lived, such as
	// a Job's name or a Pod's IP, would grow for as long as the program runs.
	keys map[string]keySet
}

// keySet is a set of keys.
type keySet map[string]struct{}

func (ix *index[T]) insert(value, key string) {
	set := ix.keys[value]
	if set == nil {
		set = keySet{}
		ix.keys[value] = set
	}
	set[key] = struct{}{}
}

// remove may be given a value that the item never had, which changes nothing.
func (ix *index[T]) remove(value, key string) {
	set := ix.keys[value]
	delete(set, key)
	if len(set) == 0 {
		delete(ix.keys, value)
	}
}

// rebuilt returns an index that asks the same question, of these items, and leaves ix as it is. Its
// sets are made as large as those of ix: a relist mostly brings what is there already. The error is
// an *IndexError.
func (ix *index[T]) rebuilt(items map[string]T) (*index[T], error) {
	fresh := &index[T]{ix.name, ix.valuesOf, make(map[string]keySet, len(ix.keys))}
	for key, item := range items {
		values, err := ix.values(key, state[T]{item, true})
		if err != nil {
			return nil, err
		}
		for _, value := range values {
			if fresh.keys[value] == nil {
				fresh.keys[value] = make(keySet, len(ix.keys[value]))
			}
			fresh.insert(value, key)
		}
	}
	return fresh, nil
}

// state is what a key stands for at one moment: an item or, as the zero value, nothing. Adding is
// from nothing to an item, deleting from an item to nothing, and updating from one to another.
type state[T any] struct {
	item   T
	exists bool
}

// values asks the index's question. Nothing has no values.
func (ix *index[T]) values(key string, s state[T]) ([]string, error) {
	if !s.exists {
		return nil, nil
	}
	values, err := ix.valuesOf(s.item)
	if err != nil {
		return nil, &IndexError{ix.name, key, err}
	}
	return values, nil
}

// move is a change of one index that has been computed but not made: under which values a key was
// found, and under which it will be.
type move[T any] struct {
	index    *index[T]
	from, to []string
}

// apply makes the change. A value that stays is left alone: removed and inserted again, its set
// could become empty in between, and be thrown away and built anew.
func (m move[T]) apply(key string) {
	for _, value := range m.from {
		if !slices.Contains(m.to, value) {
			m.index.remove(value, key)
		}
	}
	for _, value := range m.to {
		m.index.insert(value, key)
	}
}
