package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

// conflicts is a fault that the storm makes itself: another program writes the status all the time.
const conflicts = fakeapi.FaultKind("conflicts")

var allKinds = []fakeapi.FaultKind{
	fakeapi.FaultRefuse, fakeapi.FaultStatus, fakeapi.FaultDelay, fakeapi.FaultHang,
	fakeapi.FaultReset, fakeapi.FaultClose, fakeapi.FaultCut, fakeapi.FaultGarbage,
	fakeapi.FaultError, fakeapi.FaultSilence, fakeapi.FaultRepeat, fakeapi.FaultAlien,
	fakeapi.FaultNoBookmark, fakeapi.FaultNoInitialEnd, conflicts,
}

var widgetNames = []string{"web-0", "web-1", "web-2", "web-3", "web-4"}

// In a storm, widgets change and everything fails at random. Then the server heals, time passes,
// and spec and status must agree. After that, the controller must write nothing more. (One fault is
// left out: a server that sends the states of a widget in the wrong order, as real ones never do.)
func TestInAStorm(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				(&storm{rig: newRig(t, 0), random: rand.New(rand.NewPCG(seed, 3))}).weather()
			})
		})
	}
}

func (s *storm) weather() {
	began := time.Now()
	for range 100 {
		s.write()
		if s.random.IntN(4) == 0 {
			s.fault(allKinds[s.random.IntN(len(allKinds))])
		}
		time.Sleep(s.pause())
	}
	s.server.Heal()
	minutes := int(time.Since(began) / time.Minute)
	pass(time.Hour) // longer than any pause, and than the informer waits on a silent watch
	assert.NoError(s.t, s.agrees(widgetNames...))
	sent := len(s.road.sent())
	// Each change, and each widget in a list, may cost a write; retries cost what the backoff allows.
	assert.LessOrEqual(s.t, sent, s.changes+len(widgetNames)*(s.faults+20+minutes), "%d changes and %d "+
		"faults in %d minutes", s.changes, s.faults, minutes)
	pass(20 * time.Minute)
	assert.Len(s.t, s.road.sent(), sent, "nothing has changed")
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
		require.NoError(s.t, s.server.Delete("widgets", "default", name))
		s.exists = slices.DeleteFunc(s.exists, func(x string) bool { return x == name })
		delete(s.notes, name)
	case n < 3:
		s.note(name)
	default:
		s.paint(name, s.color())
	}
}

func (s *storm) note(name string) {
	s.notes[name] = fmt.Sprint("note ", s.random.IntN(1000))
	require.NoError(s.t, writeNote(s.server, name, s.notes[name]))
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

// pause returns a short time or a long one: within one request, or so long that a watch times out.
func (s *storm) pause() time.Duration {
	switch s.random.IntN(10) {
	case 0:
		return time.Duration(s.random.IntN(600)) * time.Second
	case 1, 2, 3:
		return time.Duration(s.random.IntN(3000)) * ms
	}
	return time.Duration(s.random.IntN(20)) * ms
}
