package indexer

import (
	"errors"
	"slices"
)

// state is what a key stands for at one moment: an item or, as the zero value, nothing. Adding is
// from nothing to an item, deleting from an item to nothing, and updating from one to another.
type state[T any] struct {
	item   T
	exists bool
}

// updateIndices updates all indices when what key stands for changes from before to after. If an
// index func refuses the new item, its index leaves the item out; the error joins an *IndexError
// for each such index. It is called with the lock held, before the items change.
func (m *threadSafeMap[T]) updateIndices(key string, before, after state[T]) error {
	// First call all index funcs: when one panics, no index must have changed yet.
	var refused []error
	for _, ix := range m.indices {
		var err error
		// An item that is refused now was refused when it was stored, so no value holds it.
		ix.from, _ = ix.valuesOf(ix.from, before)
		if ix.to, err = ix.valuesOf(ix.to, after); err != nil {
			refused = append(refused, &IndexError{Index: ix.name, Key: key, Err: err})
		}
	}
	// Then move the key, which can't fail. The set of a value that stays is not touched: most updates
	// change no value, and a set that loses its only key would be dropped and made again.
	for _, ix := range m.indices {
		if slices.Equal(ix.from, ix.to) {
			continue
		}
		for _, value := range ix.from {
			if _, stays := slices.BinarySearch(ix.to, value); !stays {
				ix.remove(value, key)
			}
		}
		for _, value := range ix.to {
			if _, stays := slices.BinarySearch(ix.from, value); !stays {
				ix.insert(value, key)
			}
		}
	}
	return errors.Join(refused...)
}

// valuesOf returns the values of s, sorted, in a slice that belongs to the index and uses the room
// of buf. There are none if s is nothing, or if the index func refuses the item; then err is the
// error of the func.
func (ix *index[T]) valuesOf(buf []string, s state[T]) (values []string, err error) {
	if !s.exists {
		return buf[:0], nil
	}
	if values, err = ix.indexFunc(buf[:0], s.item); err != nil {
		return buf[:0], err
	}
	// Copied, because the func may have returned a slice of its own: one that the item holds, which
	// must not be sorted, or one that the func uses again in its next call.
	values = append(buf[:0], values...)
	slices.Sort(values)
	return values, nil
}
