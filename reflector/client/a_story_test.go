package client

import (
	"fmt"
	"io"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
)

// TestStories plays the stories in testdata. Run it with -v to watch bytes become frames, and
// frames become events.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story",
		func(t testing.TB) story.Machine { return newStage(t) })
}

// A stage is what the commands of a story act on: a source of frames that gets the bytes of the
// story.
type stage struct {
	lanes *story.Lanes
	pipe  io.Writer // into the source
}

func newStage(t testing.TB) *stage {
	r, w := io.Pipe()
	s := &stage{lanes: story.NewLanes("bytes", "events", "errors"), pipe: w}
	done := make(chan struct{})
	go func() { // joined in the cleanup
		defer close(done)
		err := s.read(framesOf(r, reflector.ObjectLimit))
		r.CloseWithError(err) // later commands get this error and do not wait
	}()
	t.Cleanup(func() {
		w.Close()
		<-done
	})
	return s
}

func (s *stage) Do(c story.Command) error {
	if c.Name != "bytes" {
		return c.Unknown()
	}
	_, err := io.WriteString(s.pipe, c.Rest())
	return err
}

// read reports frames until there are no more, and returns why.
func (s *stage) read(frames *frames) error {
	var d eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]
	for {
		frame, err := await(frames)
		if err != nil {
			s.lanes.Report("errors", "%v", err)
			return fmt.Errorf("the stream has ended: %w", err)
		}
		s.lanes.Report("bytes", "frame of %d bytes", len(frame))
		switch e, err := d.decode(new(decoder), frame); {
		case err != nil:
			s.lanes.Report("errors", "%v", err)
		case e.Object == nil:
			s.lanes.Report("events", "%s @%s", e.Type, e.ResourceVersion)
		default:
			s.lanes.Report("events", "%s %s@%s", e.Type, e.Object.GetName(), e.ResourceVersion)
		}
	}
}

func (s *stage) State() string {
	if state := s.lanes.String(); state != "" {
		return state
	}
	return "nothing yet"
}
