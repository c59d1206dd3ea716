package deltafifo

import (
	"errors"
	"slices"

	"example.com/watchglass"
)

// model is the queue in its simplest form: a slice that is searched from the front, and the rules
// one after the other. If model and queue disagree, one of them is wrong. Its methods return
// whether the queue's method must succeed.
type model struct {
	known     *known // empty if the queue has none
	entries   []entry
	populated bool
	count     int
}

type entry struct {
	key    string
	deltas Deltas
}

var errRefused = errors.New("refused")

// picky is a transform that refuses two names and marks all other objects: one that is transformed
// twice has two marks. It panics at a tombstone, with which a queue must never call it.
func picky(obj watchglass.Object) (watchglass.Object, error) {
	switch meta := obj.(*watchglass.ObjectMeta); meta.Name {
	case "bad":
		return nil, errRefused
	case "void":
		return nil, nil
	default:
		return object(meta.Name, meta.ResourceVersion+"t"), nil
	}
}

// accept returns what has to be queued for an object.
func accept(obj watchglass.Object) (_ watchglass.Object, ok bool) {
	if _, tombstone := obj.(DeletedFinalStateUnknown); tombstone || obj.GetName() == "" {
		return obj, tombstone
	}
	transformed, err := picky(obj)
	return transformed, err == nil && transformed != nil
}

func (m *model) find(key string) *entry {
	if i := slices.IndexFunc(m.entries, func(e entry) bool { return e.key == key }); i >= 0 {
		return &m.entries[i]
	}
	return nil
}

func (m *model) put(key string, d Delta) {
	e := m.find(key)
	if e == nil {
		m.entries = append(m.entries, entry{key, Deltas{d}})
		return
	}
	last := &e.deltas[len(e.deltas)-1]
	_, lastIsTombstone := last.Object.(DeletedFinalStateUnknown)
	switch {
	case d.Type != Deleted || last.Type != Deleted:
		e.deltas = append(e.deltas, d)
	case lastIsTombstone:
		*last = d
	}
}

func (m *model) event(t DeltaType, obj watchglass.Object) (ok bool) {
	key := obj.GetName()
	if t == Deleted && key == "" {
		return false
	}
	m.populated = true
	_, known, err := m.known.GetByKey(key)
	if t == Deleted && m.find(key) == nil && !known && err == nil {
		return true
	}
	if obj, ok = accept(obj); ok {
		m.put(key, Delta{t, obj})
	}
	return ok
}

func (m *model) replace(list []watchglass.Object) (ok bool) {
	listed := map[string]bool{}
	for _, obj := range list {
		accepted, ok := accept(obj)
		if !ok {
			return false
		}
		m.put(obj.GetName(), Delta{Replaced, accepted})
		listed[obj.GetName()] = true
	}
	for _, e := range slices.Clone(m.entries) {
		if !listed[e.key] {
			last := e.deltas[len(e.deltas)-1].Object
			if gone, ok := last.(DeletedFinalStateUnknown); ok {
				last = gone.Obj
			}
			m.put(e.key, Delta{Deleted, DeletedFinalStateUnknown{e.key, last}})
		}
	}
	for _, key := range slices.Sorted(slices.Values(m.known.ListKeys())) {
		if m.find(key) == nil {
			obj, _, _ := m.known.GetByKey(key)
			m.put(key, Delta{Deleted, DeletedFinalStateUnknown{key, obj}})
		}
	}
	if !m.populated {
		m.populated, m.count = true, len(m.entries)
	}
	return true
}

func (m *model) resync() {
	for _, key := range slices.Sorted(slices.Values(m.known.ListKeys())) {
		obj, exists, err := m.known.GetByKey(key)
		if m.find(key) == nil && exists && err == nil {
			m.put(key, Delta{Sync, obj})
		}
	}
}

func (m *model) addIfNotPresent(d Deltas) {
	m.populated = true
	if key := d[len(d)-1].Object.GetName(); m.find(key) == nil {
		m.entries = append(m.entries, entry{key, slices.Clone(d)})
	}
}

func (m *model) pop(requeue bool) {
	d := m.entries[0].deltas
	m.entries = m.entries[1:]
	m.count = max(0, m.count-1)
	if requeue {
		m.addIfNotPresent(d)
	}
}

func (m *model) synced() bool { return m.populated && m.count == 0 }
