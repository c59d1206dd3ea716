package rvinformer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// process calls the handler for each delta that is queued under one key, oldest first. After an
// error it goes on with the next delta: a write that failed must not hide the deletion behind it.
func (i *Informer) process(deltas deltafifo.Deltas, isInInitialList bool) error {
	key, err := i.queue.KeyOfDeltas(deltas)
	if err != nil {
		return err
	}
	var failed []error
	for _, d := range deltas {
		if err := i.tell(key, d, isInInitialList); err != nil {
			failed = append(failed, fmt.Errorf("mirror %q: %w", key, err))
		}
	}
	return errors.Join(failed...)
}

// tell makes one call of the handler and, if that succeeds, records the version. The recorded
// version decides which method is called, and not the type of the delta: all objects of a list have
// the same type, and a watch may repeat what the mirror holds.
//
// Until the call has succeeded, the mirror may hold the object or not: the write may have been
// committed although its answer was lost. Without a record of that, the queue would drop the
// deletion of the object, because its key is not known, and the mirror would keep it forever.
func (i *Informer) tell(key string, d deltafifo.Delta, isInInitialList bool) error {
	recorded, version := i.versions.get(key), d.Object.GetResourceVersion()
	call := i.handler.OnUpdate
	switch {
	case d.Type == deltafifo.Deleted:
		call = i.handler.OnDelete
	case recorded == unsure:
		call = i.handler.OnAdd
	case version == recorded:
		return i.handler.OnSync(d.Object)
	case olderThan(version, recorded):
		return nil
	}
	i.versions.set(key, unsure)
	err := call(d.Object, isInInitialList)
	switch {
	case err != nil:
	case d.Type == deltafifo.Deleted:
		i.versions.remove(key)
	default:
		i.versions.set(key, version)
	}
	return err
}

// olderThan reports whether version a is older than b. It is false if they cannot be compared.
func olderThan(a, b string) bool {
	order, err := watchglass.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

// unsure is the version of an object that the mirror may hold or not.
const unsure = ""

// versions holds all that is known of the objects: key → resourceVersion. It is the KnownObjects of
// the queue: a key in it that a list lacks is a deletion.
type versions struct {
	mu sync.RWMutex
	of map[string]string // guarded by mu
}

// ListKeys returns the keys of all objects that the mirror holds or may hold.
func (v *versions) ListKeys() []string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return slices.Collect(maps.Keys(v.of))
}

// GetByKey returns whether the key is known, and never an object. So the queue makes a tombstone
// that holds only the key.
func (v *versions) GetByKey(key string) (watchglass.Object, bool, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	_, known := v.of[key]
	return nil, known, nil
}

// get returns the recorded version, unsure for a key that is not known.
func (v *versions) get(key string) string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.of[key]
}

func (v *versions) set(key, version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.of[key] = version
}

func (v *versions) remove(key string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.of, key)
}

func (v *versions) copy() map[string]string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return maps.Clone(v.of)
}
