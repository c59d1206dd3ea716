package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// TestStories plays the same input through two controllers: one that works in the handler, and the
// one of this package. Read the files in testdata, or run go test -v -run Stories
// ./docs/run/controller.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", func(t testing.TB) story.Machine {
		s := &stage{lanes: story.NewLanes("web-1", "web-2", "web-3")}
		s.fixture = newFixture(t, s.outcome)
		return s
	})
}

// The comparison would prove nothing if the second controller had an easier input.
func TestTheStoriesHaveTheSameInput(t *testing.T) {
	input := func(name string) []string {
		text, err := os.ReadFile("testdata/" + name + ".story")
		require.NoError(t, err)
		return regexp.MustCompile(`(?m)^(create|paint|writes|wait) .*`).FindAllString(string(text), -1)
	}
	assert.NotEmpty(t, input("1_work_in_the_handler"))
	assert.Equal(t, input("1_work_in_the_handler"), input("2_work_through_the_queue"))
}

// A stage is a server and one of the two controllers. Each widget has a lane, which shows the
// answers to the writes of its status.
type stage struct {
	*fixture
	lanes *story.Lanes
}

// Do implements story.Machine.
func (s *stage) Do(c story.Command) error {
	switch c.Name {
	case "controller":
		return s.start(c.Arg(0))
	case "create":
		for _, name := range c.Args() {
			s.create(name)
			synctest.Wait() // otherwise the order of their notifications would be chance
		}
		return nil
	case "paint":
		for _, color := range c.Args()[1:] {
			if err := paint(s.server, c.Arg(0), color); err != nil {
				return err
			}
			synctest.Wait()
		}
		return nil
	case "writes":
		s.server.Heal()
		if c.Opt("fail", "no") == "yes" {
			s.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Verb: "update", Code: 500, Count: 1})
			return nil
		}
		d, err := time.ParseDuration(c.Opt("take", ""))
		slow(s.server, d, -1)
		return err
	}
	return c.Unknown()
}

// start runs a controller: queue or handler. Both are the same but for what the handler does.
func (s *stage) start(which string) error {
	if which == "queue" {
		s.run()
		return nil
	}
	_, err := s.c.widgets.AddEventHandler(workInHandler(s.c))
	s.running.Go(func() { _ = s.c.widgets.Run(s.ctx) })
	return err
}

// workInHandler makes a controller as it is often written at first: the handler reconciles. It
// needs no queue and no workers, and the stories show what that costs:
//
//   - The handler is called once at a time. One slow write holds up the notifications of all
//     widgets.
//   - A notification comes once. If the write fails, no other call will try again.
//   - The handler is told of each state. It works on all of them, although only the last counts.
func workInHandler(c *controller) (informer.Handler[*Widget], processor.HandlerOptions) {
	work := func(widget *Widget) {
		status := widget.wanted()
		if status == widget.Status {
			return
		}
		changed := *widget
		changed.Status = status
		// If this fails, no further call will try it again.
		_, err := c.writer.UpdateStatus(context.Background(), &changed)
		c.outcome(widget.Name, "painted "+status.Color, err)
	}
	return informer.Handler[*Widget]{
		Add:    func(widget *Widget, _ bool) { work(widget) },
		Update: func(_, widget *Widget) { work(widget) },
	}, processor.HandlerOptions{Name: "work in the handler"}
}

// outcome shows the outcome of a write in the lane of its widget.
func (s *stage) outcome(key, did string, err error) {
	lane := strings.TrimPrefix(key, "default/")
	switch status, refused := errors.AsType[*reflector.StatusError](err); {
	case refused:
		s.lanes.Report(lane, "write refused: %d %s", status.Code, status.Reason)
	case err != nil:
		s.lanes.Report(lane, "write failed: %v", err)
	default:
		did, _, _ = strings.Cut(did, " @") // which of two workers gets the lower version is chance
		s.lanes.Report(lane, "%s", did)
	}
}

// State implements story.Machine: the outcomes of the writes since the last command, and what the
// server holds now.
func (s *stage) State() string {
	widgets, err := widgetsOn(s.server)
	require.NoError(s.t, err)
	state := s.lanes.String()
	for _, w := range widgets {
		is := w.Status.Color
		if is == "" {
			is = "not painted yet"
		}
		state += fmt.Sprintf("%s asks for %s, is %s\n", w.Name, w.Spec.Color, is)
	}
	return state
}
