package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
)

// TestStories plays the same input through two controllers: one that works in the handler, and the
// one of this package. Read the files in testdata, or run go test -v -run Stories
// ./docs/run/controller.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", func(t testing.TB) story.Machine {
		return newStage(t)
	})
}

// The comparison would prove nothing if the second controller had an easier input.
func TestTheStoriesHaveTheSameInput(t *testing.T) {
	input := func(name string) (commands []string) {
		text, err := os.ReadFile("testdata/" + name + ".story")
		require.NoError(t, err)
		steps, err := story.Parse(string(text))
		require.NoError(t, err)
		for _, step := range steps {
			if step.Command.Name != "controller" {
				commands = append(commands, step.Command.Text)
			}
		}
		return commands
	}
	assert.Equal(t, input("1_work_in_the_handler"), input("2_work_through_the_queue"))
}

// A stage is a server and one of the two controllers. Each widget has a lane, which shows the
// answers to the writes of its status. The commands are listed in testdata/story.template.
type stage struct {
	t       testing.TB
	lanes   *story.Lanes
	server  *fakeapi.Server
	c       *controller
	ctx     context.Context
	running sync.WaitGroup
}

func newStage(t testing.TB) *stage {
	s := &stage{t: t, server: fakeapi.New(fakeapi.Options{})}
	s.lanes = story.NewLanes("web-1", "web-2", "web-3")
	ctx, stop := context.WithCancel(context.Background())
	s.ctx = ctx
	t.Cleanup(func() {
		stop()
		s.running.Wait()
		s.server.Close()
	})
	return s
}

// Do implements story.Machine.
func (s *stage) Do(c story.Command) error {
	if err := c.NeedsWord("create", "paint"); err != nil {
		return err
	}
	switch c.Name {
	case "controller":
		return s.start(c.Arg(0))
	case "create":
		return each(len(c.Args()), func(i int) error {
			_, err := s.server.Create("widgets", fmt.Sprintf(
				`{"metadata":{"name":%q},"spec":{"color":"red"}}`, c.Arg(i)))
			synctest.Wait() // otherwise the order of their notifications would be chance
			return err
		})
	case "paint":
		return each(len(c.Args())-1, func(i int) error {
			err := paint(s.server, c.Arg(0), c.Arg(i+1))
			synctest.Wait()
			return err
		})
	case "writes":
		return s.writes(c)
	}
	return c.Unknown()
}

func (s *stage) writes(c story.Command) error {
	s.server.Heal()
	if c.Opt("fail", "no") == "yes" {
		s.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Verb: "update"})
		return nil
	}
	d, err := time.ParseDuration(c.Opt("take", ""))
	slow(s.server, d, -1)
	return err
}

// start runs a controller. Both are the same but for what the handler does.
func (s *stage) start(which string) (err error) {
	if s.c != nil {
		return errors.New("a controller runs already")
	}
	s.c, err = newController(options{
		server: fakeapi.URL, client: s.server.Client(), workers: 2, outcome: s.outcome,
	})
	if err != nil {
		return err
	}
	switch which {
	case "handler":
		if _, err := s.c.widgets.Handle(workInHandler(s.c)); err != nil {
			return err
		}
		s.running.Go(func() { _ = s.c.widgets.Run(s.ctx) })
	case "queue":
		s.running.Go(func() { _ = s.c.run(s.ctx) })
	default:
		return fmt.Errorf("no such controller: %q", which)
	}
	return nil
}

// outcome shows the outcome of a write in the lane of its widget.
func (s *stage) outcome(key, did string, err error) {
	lane := strings.TrimPrefix(key, "default/")
	switch status, refused := errors.AsType[*reflector.StatusError](err); {
	case refused:
		s.lanes.Report(lane, "write refused: %d %s", status.Code, status.Reason)
	case err != nil:
		s.lanes.Report(lane, "write failed: %v", err)
	case did == "": // there was nothing to do
	default:
		did, _, _ = strings.Cut(did, " @") // which of two workers gets the lower version is chance
		s.lanes.Report(lane, "%s", did)
	}
}

// State implements story.Machine: the outcomes of the writes since the last command, and what the
// server holds now.
func (s *stage) State() string {
	items, _, err := s.server.List("widgets", "")
	require.NoError(s.t, err)
	var b strings.Builder
	b.WriteString(s.lanes.String())
	for _, item := range items {
		var w Widget
		require.NoError(s.t, json.Unmarshal(item, &w))
		is := w.Status.Color
		if is == "" {
			is = "not painted yet"
		}
		fmt.Fprintf(&b, "%s asks for %s, is %s\n", w.Name, w.Spec.Color, is)
	}
	return b.String()
}
