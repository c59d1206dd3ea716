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
func (i *Informer) tell(key string, d deltafifo.Delta, isInInitialList bool) (err error) {
	if d.Type == deltafifo.Deleted {
		if err = i.handler.OnDelete(d.Object, isInInitialList); err == nil {
			i.versions.remove(key)
		}
		return err
	}
	recorded, known := i.versions.get(key)
	version := d.Object.GetResourceVersion()
	switch {
	case !known:
		err = i.handler.OnAdd(d.Object, isInInitialList)
	case version == recorded && version != "":
		return i.handler.OnSync(d.Object)
	case olderThan(version, recorded):
		return nil
	default:
		err = i.handler.OnUpdate(d.Object, isInInitialList)
	}
	if err == nil {
		i.versions.set(key, version)
	}
	return err
}

// olderThan reports whether version a is older than b. It is false if they cannot be compared.
func olderThan(a, b string) bool {
	order, err := watchglass.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

// versions holds all that is known of the objects: key → resourceVersion. It is the KnownObjects of
// the queue: a key in it that a list lacks is a deletion.
type versions struct {
	mu sync.RWMutex
	of map[string]string // guarded by mu
}

// ListKeys implements deltafifo.KnownObjects.
func (v *versions) ListKeys() []string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return slices.Collect(maps.Keys(v.of))
}

// GetByKey implements deltafifo.KnownObjects. It returns whether the key is known, and never an
// object. So the queue makes a tombstone that holds only the key.
func (v *versions) GetByKey(key string) (watchglass.Object, bool, error) {
	_, known := v.get(key)
	return nil, known, nil
}

func (v *versions) get(key string) (version string, known bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	version, known = v.of[key]
	return version, known
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
