package indexer

import (
	"errors"
	"fmt"
)

var (
	// ErrNoIndex says that there is no index of that name.
	ErrNoIndex = errors.New("no such index")
	// ErrIndexExists says that there is an index of that name already.
	ErrIndexExists = errors.New("index exists already")
)

// IndexError says that an IndexFunc refused an object: the object is stored, and missing in that
// index. It never means that a write was not made. If several indices refuse, their errors are
// joined, in the order of the indices' names.
type IndexError struct {
	Index string // the name of the index
	Key   string // the key of the object; if there are several, the first in sorted order
	More  int    // how many other objects this index refused in the same call
	Err   error  // what the IndexFunc returned for Key
}

// Error names the index and the key of the object, but not its content.
func (e *IndexError) Error() string {
	if e.More > 0 {
		return fmt.Sprintf("object %q and %d more are left out of index %q: %v",
			e.Key, e.More, e.Index, e.Err)
	}
	return fmt.Sprintf("object %q is left out of index %q: %v", e.Key, e.Index, e.Err)
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *IndexError) Unwrap() error { return e.Err }

// IsStored reports whether the write that returned err was made: an object that an index refuses is
// stored. The cause of the refusal does not matter; it may be a *watchglass.KeyError.
func IsStored(err error) bool {
	_, refused := errors.AsType[*IndexError](err)
	return err == nil || refused
}
