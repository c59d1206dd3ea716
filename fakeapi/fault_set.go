package fakeapi

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A faultSet holds the armed faults. The zero value is empty. It is safe for concurrent use.
type faultSet struct {
	armed atomic.Int32 // len(list): nothing is locked when all is well

	mu     sync.Mutex
	list   []*Fault      // in the order of arming; the first that matches takes effect
	healed chan struct{} // closed by the next heal; nil if no fault has struck since the last
}

// A faultTarget is what a fault may affect: a request, as the fields of Fault describe it, with
// both names of its resource and the whole UserAgent; or, as the zero value, a connection.
type faultTarget struct {
	Verb, Plural, Qualified, Subresource string // NoSubresource, if there is none
	Namespace, Name, UserAgent           string
}

// A faultHit is a fault that takes effect once.
type faultHit struct {
	Fault
	Healed <-chan struct{} // closed when the faults are healed
}

// arm adds a fault, after those that are armed.
func (s *faultSet) arm(f Fault) {
	if f.Count == 0 {
		f.Count = 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(append(s.list, &f))
}

// keep replaces the list. The caller holds s.mu.
func (s *faultSet) keep(list []*Fault) {
	s.list = list
	s.armed.Store(int32(len(list)))
}

// heal disarms all faults, and ends the waits of those that have struck.
func (s *faultSet) heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(nil)
	if s.healed != nil {
		close(s.healed)
		s.healed = nil
	}
}

// trigger returns the fault that takes effect on a target at a moment, nil if none does, and counts
// it.
func (s *faultSet) trigger(t faultTarget, m faultMoment) *faultHit {
	if s.armed.Load() == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.list {
		switch {
		case moments[f.Kind] != m || !f.Matches(t):
			continue
		case f.After > 0:
			f.After--
			continue
		}
		if s.healed == nil {
			s.healed = make(chan struct{})
		}
		hit := &faultHit{*f, s.healed}
		if f.Count--; f.Count == 0 { // a negative one stays negative
			s.keep(slices.Delete(s.list, i, i+1))
		}
		return hit
	}
	return nil
}

// refuses reports whether a fault refuses a new connection.
func (s *faultSet) refuses() bool { return s.trigger(faultTarget{}, atConnect) != nil }

// needsName reports whether it depends on the target's name if one of the armed faults matches it.
func (s *faultSet) needsName(t faultTarget) bool {
	if s.armed.Load() == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.list, func(f *Fault) bool {
		t.Name = f.Name
		return f.Name != "" && f.Matches(t)
	})
}

// Matches reports whether the fault may affect a target: it has all that the fault names.
func (f *Fault) Matches(t faultTarget) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.Verb, t.Verb) && (is(f.Resource, t.Plural) || f.Resource == t.Qualified) &&
		is(f.Subresource, t.Subresource) && is(f.Namespace, t.Namespace) && is(f.Name, t.Name) &&
		strings.HasPrefix(t.UserAgent, f.UserAgent)
}
