package deltafifo

import (
	"slices"

	"example.com/watchglass"
)

// model is the queue in its simplest form: a slice that is searched from the front, and the rules
// one after the other. If model and queue disagree, one of them is wrong.
type model struct {
	known     *known
	entries   []entry
	populated bool
	count     int
}

type entry struct {
	key    string
	deltas Deltas
}

func (m *model) find(key string) *entry {
	for i := range m.entries {
		if m.entries[i].key == key {
			return &m.entries[i]
		}
	}
	return nil
}

func (m *model) isKnown(key string) bool {
	_, exists, err := m.known.GetByKey(key)
	return exists || err != nil
}

func (m *model) put(key string, d Delta) {
	e := m.find(key)
	if e == nil {
		m.entries = append(m.entries, entry{key, Deltas{d}})
		return
	}
	last := e.deltas[len(e.deltas)-1]
	_, lastIsTombstone := last.Object.(DeletedFinalStateUnknown)
	switch {
	case d.Type != Deleted || last.Type != Deleted:
		e.deltas = append(e.deltas, d)
	case lastIsTombstone:
		e.deltas[len(e.deltas)-1] = d
	}
}

func (m *model) event(t DeltaType, obj watchglass.Object) {
	m.populated = true
	key := obj.GetName()
	if t == Deleted && m.find(key) == nil && !m.isKnown(key) {
		return
	}
	if _, tombstone := obj.(DeletedFinalStateUnknown); tombstone {
		m.put(key, Delta{t, obj})
	} else if transformed, err := fuzzTransform(obj); err == nil {
		m.put(key, Delta{t, transformed})
	}
}

func (m *model) replace(list []watchglass.Object) {
	listed := map[string]bool{}
	for _, obj := range list {
		transformed, err := fuzzTransform(obj)
		if err != nil {
			return
		}
		m.put(obj.GetName(), Delta{Replaced, transformed})
		listed[obj.GetName()] = true
	}
	deletions := 0
	for _, e := range slices.Clone(m.entries) {
		if !listed[e.key] {
			last := e.deltas[len(e.deltas)-1].Object
			if gone, ok := last.(DeletedFinalStateUnknown); ok {
				last = gone.Obj
			}
			m.put(e.key, Delta{Deleted, DeletedFinalStateUnknown{e.key, last}})
			deletions++
		}
	}
	keys := m.known.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		if m.find(key) == nil {
			obj, _, _ := m.known.GetByKey(key)
			m.put(key, Delta{Deleted, DeletedFinalStateUnknown{key, obj}})
			deletions++
		}
	}
	if !m.populated {
		m.populated = true
		m.count = len(listed) + deletions
	}
}

func (m *model) resync() {
	keys := m.known.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		obj, exists, err := m.known.GetByKey(key)
		if m.find(key) == nil && exists && err == nil {
			m.put(key, Delta{Sync, obj})
		}
	}
}

func (m *model) putBack(d Deltas) {
	m.populated = true
	if key := d[len(d)-1].Object.GetName(); m.find(key) == nil {
		m.entries = append(m.entries, entry{key, slices.Clone(d)})
	}
}

func (m *model) pop(requeue bool) (d Deltas, initial bool) {
	e := m.entries[0]
	m.entries = m.entries[1:]
	initial = !m.synced()
	if m.count > 0 {
		m.count--
	}
	if requeue {
		m.putBack(e.deltas)
	}
	return e.deltas, initial
}

func (m *model) synced() bool { return m.populated && m.count == 0 }
