package indexer

import (
	"errors"
	"slices"

	"example.com/watchglass"
)

// updateIndices updates all indices when the object under a key changes from before to after. Nil
// means no object: an add is a change from nil, a delete a change to nil. If an IndexFunc refuses
// the new object, its index leaves it out; the error joins an *IndexError for each such index. The
// caller holds the lock, and has not changed the items yet.
func (ix *Indexer) updateIndices(key string, before, after watchglass.Object) error {
	// First call all index funcs: when one panics, no index must have changed yet.
	var refused []error
	for _, x := range ix.indices {
		var err error
		// If the func refuses the old object now, it refused it when it was stored, so no set of
		// this index holds the key.
		x.from, _ = x.valuesOf(x.from, before)
		if x.to, err = x.valuesOf(x.to, after); err != nil {
			refused = append(refused, &IndexError{Index: x.name, Key: key, Err: err})
		}
	}
	// Then move the key, which can't fail. Most updates change no value and touch no set. A key is
	// not removed from a set it stays in: if it were the only one, the set would be dropped.
	for _, x := range ix.indices {
		if slices.Equal(x.from, x.to) {
			continue
		}
		for _, value := range x.from {
			if _, stays := slices.BinarySearch(x.to, value); !stays {
				x.remove(value, key)
			}
		}
		for _, value := range x.to {
			x.insert(value, key)
		}
	}
	return errors.Join(refused...)
}

// valuesOf returns the values of obj, sorted, in a slice that belongs to the index and uses the
// room of buf. There are none if obj is nil, or if the IndexFunc refuses it; then err is the
// func's.
//
// It copies, because the func may have returned a slice that must not be sorted: one that the
// object holds, or one that the func uses again in its next call.
func (x *index) valuesOf(buf []string, obj watchglass.Object) (values []string, err error) {
	if obj == nil {
		return buf[:0], nil
	}
	if values, err = x.indexFunc(obj); err != nil {
		return buf[:0], err
	}
	values = append(buf[:0], values...)
	slices.Sort(values)
	return values, nil
}
