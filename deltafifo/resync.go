package deltafifo

import "slices"

// Resync queues a [Sync] delta for each known object that has nothing pending, in the order of
// their keys. No request is sent to the server: the consumer is shown again what it already has, so
// that it can repair what it has missed. Without KnownObjects it does nothing. The error is always
// nil; the reflector's store interface has one.
//
// A key that is queued is left out: what is pending is newer than what is known, and a Sync delta
// behind it would set the object back to an older state. An object that can't be looked up is left
// out, too. The known objects are not transformed again.
func (f *DeltaFIFO) Resync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		return nil
	}
	keys := f.known.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		if _, queued := f.items[key]; queued {
			continue
		}
		if obj, exists, err := f.known.GetByKey(key); exists && err == nil {
			f.enqueue(key, Delta{Sync, obj})
		}
	}
	return nil
}
