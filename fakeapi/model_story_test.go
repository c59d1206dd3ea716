package fakeapi

import (
	"slices"
	"strings"
	"testing"

	"example.com/watchglass/docs/story"
)

// TestPartings plays the stories in testdata/partings: the shortest ways to where
// server and model once differed, as TestTheServerIsWhatTheModelSays printed them,
// with a line of prose on what it was. What it prints next belongs there, too.
func TestPartings(t *testing.T) {
	story.PlayInBubble(t, "testdata/partings/*.story", func(t testing.TB) story.Machine {
		s := &puppetShow{puppet: newPuppet()}
		t.Cleanup(s.close)
		return s
	})
}

// A puppetShow is a puppet on the stage of a story.
type puppetShow struct {
	*puppet
	said []string // the answer to the last command
}

// Do implements story.Machine.
func (s *puppetShow) Do(c story.Command) error {
	known := []string{"create", "update", "status", "patch", "delete", "deletecollection", "get",
		"list", "continue", "watch", "close", "compact"}
	if !slices.Contains(known, c.Name) {
		return c.Unknown()
	}
	s.said = s.do(c)
	return nil
}

// State implements story.Machine.
func (s *puppetShow) State() string {
	lines := append(s.said, s.state()...)
	s.said = nil // if time passes now, that is no answer
	return strings.Join(lines, "\n")
}
