package indexer

import (
	"errors"
	"fmt"

	"example.com/watchglass"
)

// Options says how a store works. The zero value works.
type Options struct {
	// KeyFunc tells under which key an object is stored. It is also asked for the key of what is to
	// be deleted, which may be a tombstone: a func of your own has to know these. Nil means
	// watchglass.MetaNamespaceKeyFunc, which finds in a tombstone what it needs.
	KeyFunc watchglass.KeyFunc
	// Indexers are the indices to begin with. Nil means none; see [Indexer.AddIndexers] for more.
	Indexers Indexers
	// Trace is told what changes. Nil means that nobody watches.
	Trace *Trace
}

// Trace is a set of funcs that are told what has changed in a store. Any of them may be nil, which
// costs a comparison.
//
// They are called by the goroutine that made the change, after it and with the lock released, so
// they may read the store. With several writers their order is not that of the changes.
type Trace struct {
	// Added says that an object is stored under a key that was free.
	Added func(key string, obj watchglass.Object)
	// Updated says that newObj has taken the place of oldObj. They may be the same object.
	Updated func(key string, oldObj, newObj watchglass.Object)
	// Deleted says that obj is not stored any more. It is the one that was, not a tombstone.
	Deleted func(key string, obj watchglass.Object)
	// Replaced says that everything was replaced, and how many objects there are now.
	Replaced func(objects int, resourceVersion string)
}

// Store holds objects under their keys. It is the part of an [Indexer] that knows no indices. All
// methods may be called from any goroutine.
type Store struct {
	keyFunc watchglass.KeyFunc
	trace   *Trace // not nil
	objects *threadSafeMap[watchglass.Object]
}

func newStore(o Options) Store {
	s := Store{keyFunc: o.KeyFunc, trace: o.Trace}
	if s.keyFunc == nil {
		s.keyFunc = watchglass.MetaNamespaceKeyFunc
	}
	if s.trace == nil {
		s.trace = &Trace{}
	}
	s.objects = newThreadSafeMap(newIndices[watchglass.Object](o.Indexers))
	return s
}

// Add stores an object, in place of the one that has its key, if there is one: it is the same as
// Update, for who writes to a cache often can't know which it is. It fails with a
// *watchglass.KeyError if the object has no key, and with an [IndexError] if an IndexFunc fails;
// then nothing has changed.
func (s *Store) Add(obj watchglass.Object) error {
	_, _, err := s.put("add", obj)
	return err
}

// Update stores an object, as Add does.
//
// Hand it a new object, never the stored one with something changed in it. To find out where the
// old object stands in the indices, they ask the old object; and if that is the one that was
// changed, it denies that it was ever anywhere else. It stays where it was, and nobody finds it
// where it is.
func (s *Store) Update(obj watchglass.Object) error {
	_, _, err := s.put("update", obj)
	return err
}

// Swap stores an object, as Add does, and returns the one that it took the place of, and whether
// there was one. Whoever has to tell an add from an update asks here, and not with Get before: it
// is one step, and half the work.
func (s *Store) Swap(obj watchglass.Object) (old watchglass.Object, existed bool, err error) {
	return s.put("swap", obj)
}

func (s *Store) put(operation string, obj watchglass.Object) (
	old watchglass.Object, existed bool, err error,
) {
	key, err := s.keyOf(obj)
	if err != nil {
		return nil, false, fmt.Errorf("indexer: %s: %w", operation, err)
	}
	before, err := s.objects.set(key, obj)
	if err != nil {
		return nil, false, fmt.Errorf("indexer: %s: %w", operation, err)
	}
	switch {
	case before.exists && s.trace.Updated != nil:
		s.trace.Updated(key, before.item, obj)
	case !before.exists && s.trace.Added != nil:
		s.trace.Added(key, obj)
	}
	return before.item, before.exists, nil
}

// Delete removes the object that has the key of obj. It is no error if there is none. obj may be a
// tombstone, or any other object with that key. It fails as Add does, the second only where an
// IndexFunc refuses an object that it has accepted before.
func (s *Store) Delete(obj watchglass.Object) error {
	key, err := s.keyOf(obj)
	if err != nil {
		return fmt.Errorf("indexer: delete: %w", err)
	}
	before, err := s.objects.remove(key)
	if err != nil {
		return fmt.Errorf("indexer: delete: %w", err)
	}
	if before.exists && s.trace.Deleted != nil {
		s.trace.Deleted(key, before.item)
	}
	return nil
}

// Replace makes the list the whole content. Of several objects with one key the last one counts. It
// fails as Add does, and then nothing has changed. It does not keep the list; the resourceVersion
// is for the trace alone.
func (s *Store) Replace(list []watchglass.Object, resourceVersion string) error {
	objects := make(map[string]watchglass.Object, len(list))
	for _, obj := range list {
		key, err := s.keyOf(obj)
		if err != nil {
			return fmt.Errorf("indexer: replace: %w", err)
		}
		objects[key] = obj
	}
	n := len(objects)
	if err := s.objects.replace(objects); err != nil {
		return fmt.Errorf("indexer: replace: %w", err)
	}
	if s.trace.Replaced != nil {
		s.trace.Replaced(n, resourceVersion)
	}
	return nil
}

// Get returns the stored object that has the key of obj, and whether there is one. The error is a
// *watchglass.KeyError.
func (s *Store) Get(obj watchglass.Object) (watchglass.Object, bool, error) {
	key, err := s.keyOf(obj)
	if err != nil {
		return nil, false, fmt.Errorf("indexer: get: %w", err)
	}
	return s.GetByKey(key)
}

// GetByKey returns the object stored under key, and whether there is one. The error is always nil:
// it is there for stores that have to fetch an object.
func (s *Store) GetByKey(key string) (watchglass.Object, bool, error) {
	obj, exists := s.objects.get(key)
	return obj, exists, nil
}

// List returns all objects, in no order. The slice is the caller's, the objects are everybody's.
func (s *Store) List() []watchglass.Object { return s.objects.list() }

// ListKeys returns the keys of all objects, in no order. The slice is the caller's.
func (s *Store) ListKeys() []string { return s.objects.listKeys() }

// Len returns how many objects there are.
func (s *Store) Len() int { return s.objects.len() }

// keyOf makes sure that the error is a *watchglass.KeyError.
func (s *Store) keyOf(obj watchglass.Object) (string, error) {
	key, err := s.keyFunc(obj)
	if err == nil {
		return key, nil
	}
	if _, ok := errors.AsType[*watchglass.KeyError](err); ok {
		return "", err
	}
	return "", &watchglass.KeyError{Obj: obj, Err: err}
}
