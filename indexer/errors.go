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

// IndexError says that an IndexFunc had no answer for an object. Nothing was changed then.
type IndexError struct {
	Index string // the name of the index
	Key   string // the key of the object; "" if it was not stored or to be stored
	Err   error  // what the IndexFunc said
}

// Error names the index and the key of the object, but not its content.
func (e *IndexError) Error() string {
	return fmt.Sprintf("index %q fails for %q: %v", e.Index, e.Key, e.Err)
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *IndexError) Unwrap() error { return e.Err }

func noIndex(name string) error { return fmt.Errorf("%w: %q", ErrNoIndex, name) }
