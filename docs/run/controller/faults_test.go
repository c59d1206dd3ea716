package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/fakeapi"
)

// conflicts is a fault that the storm makes itself: another program writes the status all the time.
const conflicts = fakeapi.FaultKind("conflicts")

var allKinds = []fakeapi.FaultKind{
	fakeapi.FaultReorder, fakeapi.FaultRefuse, fakeapi.FaultStatus, fakeapi.FaultDelay, fakeapi.FaultHang,
	fakeapi.FaultReset, fakeapi.FaultClose, fakeapi.FaultCut, fakeapi.FaultGarbage,
	fakeapi.FaultError, fakeapi.FaultSilence, fakeapi.FaultRepeat, fakeapi.FaultAlien,
	fakeapi.FaultNoBookmark, fakeapi.FaultNoInitialEnd, conflicts,
}

var widgetNames = []string{"web-0", "web-1", "web-2", "web-3", "web-4"}

// In a storm, widgets change and everything fails at random. Then the server heals, time passes,
// and spec and status must agree. After that, the controller must write nothing more.
func TestInAStorm(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { weather(t, seed) })
	}
}

func weather(t *testing.T, seed uint64) {
	synctest.Test(t, func(t *testing.T) {
		s := &storm{rig: newRig(t, options{workers: 3}), random: rand.New(rand.NewPCG(seed, 3))}
		kinds := allKinds[seed%2:] // half of the servers keep the order of events
		s.reordered = seed%2 == 0
		began := time.Now()
		for range 100 {
			s.write()
			if s.random.IntN(4) == 0 {
				s.fault(kinds[s.random.IntN(len(kinds))])
			}
			time.Sleep(s.pause())
		}
		s.server.Heal()
		minutes := int(time.Since(began) / time.Minute)
		if s.reordered {
			s.repaint()
		}
		pass(time.Hour) // longer than any pause, and than the informer waits on a silent watch
		if err := s.agrees(widgetNames...); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		sent := len(s.road.sent())
		// Each change, and each widget in a list, may cost a write; retries cost what the backoff
		// allows.
		most := s.changes + len(widgetNames)*(s.faults+20+minutes)
		if sent > most {
			t.Errorf("seed %d: %d writes for %d changes and %d faults in %d minutes",
				seed, sent, s.changes, s.faults, minutes)
		}
		pass(20 * time.Minute)
		if more := len(s.road.sent()) - sent; more > 0 {
			t.Errorf("seed %d: %d writes although nothing has changed", seed, more)
		}
	})
}

// A storm writes at random.
type storm struct {
	*rig
	random          *rand.Rand
	exists          []string
	changes, faults int
}

func (s *storm) write() {
	name := widgetNames[s.random.IntN(len(widgetNames))]
	exists := slices.Contains(s.exists, name)
	s.changes++
	switch n := s.random.IntN(8); {
	case !exists:
		s.create(name, s.color())
		s.exists = append(s.exists, name)
	case n == 0:
		if err := s.server.Delete("widgets", "default", name); err != nil {
			s.t.Error(err)
		}
		s.exists = slices.DeleteFunc(s.exists, func(x string) bool { return x == name })
		delete(s.notes, name)
	case n < 3:
		s.note(name)
	default:
		s.paint(name, s.color())
	}
}

// repaint changes each widget once more. After a server has sent two states of a widget in the
// wrong order, which real servers do not do, the cache holds the older one. Only the next event of
// that widget corrects it.
func (s *storm) repaint() {
	pass(time.Hour)
	for _, name := range s.exists {
		s.paint(name, "the last shade")
		s.changes++
	}
}

func (s *storm) note(name string) {
	s.notes[name] = fmt.Sprint("note ", s.random.IntN(1000))
	if err := writeNote(s.server, name, s.notes[name]); err != nil {
		s.t.Error(err)
	}
}

func (s *storm) color() string { return fmt.Sprint("shade-", s.random.IntN(5)) }

// fault makes something fail.
func (s *storm) fault(kind fakeapi.FaultKind) {
	s.faults++
	switch n := s.random.IntN(10); {
	case kind == conflicts:
		s.conflicts()
		return
	case n == 0:
		s.server.Compact()
	case n == 1:
		s.server.DropWatches()
	case n == 2:
		s.server.DropConnections()
	}
	verbs := []string{"", "list", "watch", "update", "update"}
	codes := []int{409, 410, 429, 500, 503}
	s.server.Inject(fakeapi.Fault{
		Kind: kind, Verb: verbs[s.random.IntN(len(verbs))], Count: 1 + s.random.IntN(4),
		After: s.random.IntN(3), Code: codes[s.random.IntN(len(codes))],
		Delay:      time.Duration(s.random.IntN(20)) * time.Second,
		RetryAfter: time.Duration(s.random.IntN(3)) * time.Second,
	})
}

// conflicts makes writes slow, and writes the same objects while the writes are on their way.
func (s *storm) conflicts() {
	slow(s.server, 50*ms, 10)
	for range 10 {
		if len(s.exists) > 0 {
			name := s.exists[s.random.IntN(len(s.exists))]
			s.paint(name, s.color())
			time.Sleep(20 * ms)
			s.note(name)
			s.changes += 2
		}
		time.Sleep(20 * ms)
	}
}

// pause is short or long: within one request, or so long that a watch times out.
func (s *storm) pause() time.Duration {
	switch s.random.IntN(10) {
	case 0:
		return time.Duration(s.random.IntN(600)) * time.Second
	case 1, 2, 3:
		return time.Duration(s.random.IntN(3000)) * ms
	}
	return time.Duration(s.random.IntN(20)) * ms
}
