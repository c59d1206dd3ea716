package story

// A reader meets the stories first, so they are played first: tests run by the names of their
// files, and this name sorts before all others. Every package with stories has a file like this.

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestStories(t *testing.T) {
	Play(t, "testdata/*.story", func(testing.TB) Machine { return &memory{} })
}

func TestStoriesInBubbles(t *testing.T) {
	PlayInBubble(t, "testdata/bubble/*.story", func(testing.TB) Machine {
		return &alarms{Lanes: NewLanes("bedside")}
	})
}

// A memory is a machine without goroutines. It remembers words.
type memory struct{ words []string }

func (m *memory) Do(c Command) error {
	switch c.Name {
	case "remember":
		times, err := strconv.Atoi(c.Opt("times", "1"))
		for range times {
			m.words = append(m.words, c.Args()...)
		}
		return err
	case "forget":
		m.words = nil
		return nil
	}
	return c.Unknown()
}

func (m *memory) State() string {
	if len(m.words) == 0 {
		return ""
	}
	return fmt.Sprintf("remembers %d\n\n  %s \n", len(m.words), strings.Join(m.words, "\n  "))
}

// Alarms are a machine with goroutines: each alarm is one, and reports when it rings.
type alarms struct{ *Lanes }

func (a *alarms) Do(c Command) error {
	if c.Name != "alarm" {
		return c.Unknown()
	}
	name := c.Arg(0)
	d, err := time.ParseDuration(c.Arg(1))
	if err == nil {
		time.AfterFunc(d, func() { a.Report(name, "rings") })
	}
	return err
}

func (a *alarms) State() string { return a.String() }
