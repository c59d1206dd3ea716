package indexer

// index is one index: a func that returns the values of an item, and the keys of the items by
// value. It has no lock of its own: threadSafeMap guards it.
type index[T any] struct {
	name      string
	indexFunc func(values []string, item T) ([]string, error)

	// keys holds, for each value, the keys of the items that have it. No set is empty: a value is
	// removed with its last item. Otherwise an index by something short-lived, such as a Job's name
	// or a Pod's IP, would grow for as long as the program runs.
	keys map[string]keySet

	// from and to belong to updateIndices and mean nothing between two calls. They are kept so that
	// an update can use their room for its values and allocates nothing.
	from, to []string
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

// remove does nothing if the index does not hold key under value, as happens when an item was
// changed in place.
func (ix *index[T]) remove(value, key string) {
	set := ix.keys[value]
	delete(set, key)
	if len(set) == 0 {
		delete(ix.keys, value)
	}
}

// rebuilt returns an index with the same name and func over these items, and leaves ix as it is.
// Items that the func refuses are left out, and then the error is an *IndexError. The sets are made
// as large as those of ix: most of what a relist brings is stored already.
func (ix *index[T]) rebuilt(items map[string]T) (*index[T], error) {
	fresh := newIndex(ix.name, ix.indexFunc, len(ix.keys))
	var refused *IndexError
	var values []string
	for key, item := range items {
		var err error
		if values, err = ix.valuesOf(values, state[T]{item, true}); err != nil {
			refused = refused.add(&IndexError{Index: ix.name, Key: key, Err: err})
		}
		for _, value := range values {
			set := fresh.keys[value]
			if set == nil {
				set = make(keySet, len(ix.keys[value]))
				fresh.keys[value] = set
			}
			set[key] = struct{}{}
		}
	}
	if refused != nil {
		return fresh, refused
	}
	return fresh, nil
}

// newIndex returns an empty index with room for size values.
func newIndex[T any](name string, f func([]string, T) ([]string, error), size int) *index[T] {
	return &index[T]{name: name, indexFunc: f, keys: make(map[string]keySet, size)}
}
