package fakeapi

import (
	"slices"
	"strings"
	"testing"

	"example.com/watchglass/docs/story"
)

// TestDifferences plays the stories in testdata/differences. Each is a shortest sequence
// of commands at which server and model once differed, as printed by
// TestTheServerIsWhatTheModelSays, with a line of prose on the cause. A sequence that it
// prints in the future belongs there, too.
func TestDifferences(t *testing.T) {
	story.PlayInBubble(t, "testdata/differences/*.story", func(t testing.TB) story.Machine {
		s := &driverMachine{driver: newDriver()}
		t.Cleanup(s.close)
		return s
	})
}

// A driverMachine is a driver as the machine of a story.
type driverMachine struct {
	*driver
	answer []string // to the last command
}

// Do implements story.Machine.
func (s *driverMachine) Do(c story.Command) error {
	known := []string{"create", "update", "status", "patch", "delete", "deletecollection", "get",
		"list", "continue", "watch", "close", "compact"}
	if !slices.Contains(known, c.Name) {
		return c.Unknown()
	}
	s.answer = s.do(c)
	return nil
}

// State implements story.Machine.
func (s *driverMachine) State() string {
	lines := append(s.answer, s.state()...)
	s.answer = nil // it is shown once, even if State is called again after time has passed
	return strings.Join(lines, "\n")
}
