package fault

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A Set is the faults that are armed. The zero value is empty. It is safe for concurrent use.
type Set struct {
	armed atomic.Int32 // len(list): nothing is locked when all is well

	mu   sync.Mutex
	list []*Fault // in the order of arming; the first that matches strikes
}

// A Target is what a fault may strike: a request, by its verb and by the two names of its
// resource. The zero value is a connection.
type Target struct{ Verb, Plural, Qualified string }

// Arm adds a fault. Faults of one moment strike in the order in which they were armed, one
// at a time.
func (s *Set) Arm(f Fault) {
	if f.Count == 0 {
		f.Count = 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, &f)
	s.armed.Store(int32(len(s.list)))
}

// Heal disarms all faults.
func (s *Set) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
	s.armed.Store(0)
}

// Strike returns the fault that strikes a target at a moment, if any, and counts the strike.
func (s *Set) Strike(t Target, m Moment) (Fault, bool) {
	if s.armed.Load() == 0 {
		return Fault{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.list {
		if f.Kind.moment() != m || !f.matches(t) {
			continue
		}
		if f.After > 0 {
			f.After--
			continue
		}
		hit := *f
		if f.Count > 0 {
			f.Count--
		}
		if f.Count == 0 {
			s.list = slices.Delete(s.list, i, i+1)
			s.armed.Store(int32(len(s.list)))
		}
		return hit, true
	}
	return Fault{}, false
}

// Refuses reports whether a fault refuses a new connection.
func (s *Set) Refuses() bool {
	_, hit := s.Strike(Target{}, AtConnect)
	return hit
}

func (f *Fault) matches(t Target) bool {
	return t == Target{} || (f.Verb == "" || f.Verb == t.Verb) &&
		(f.Resource == "" || f.Resource == t.Plural || f.Resource == t.Qualified)
}
