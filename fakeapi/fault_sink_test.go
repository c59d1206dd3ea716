package fakeapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/fault"
	"example.com/watchglass/fakeapi/stream"
)

// A frameWords is a sink that keeps what the client gets, a word for each line.
type frameWords struct{ got, pending []string }

func (r *frameWords) Begin() error { return nil }

func (r *frameWords) Send(f stream.Frame) (bool, error) {
	line := string(f.Line)
	switch {
	case strings.Contains(line, "not JSON"):
		line = "garbage"
	case strings.Contains(line, "Alien"):
		line = "alien"
	case strings.Contains(line, `"code":410`):
		line = "410"
	}
	r.pending = append(r.pending, line)
	return true, nil
}

func (r *frameWords) Gather() {}

func (r *frameWords) Flush() error {
	r.got, r.pending = append(r.got, r.pending...), nil
	return nil
}

// A stream of three events, a bookmark, the bookmark that ends the initial events, and an event.
func TestFaultsOfAStream(t *testing.T) {
	const all = "aa bb cc mark end dd"
	for law, c := range map[string]struct {
		fault Fault
		want  string
		end   error
	}{
		"half a frame comes, and the connection breaks": {Fault{Kind: FaultCut}, "a", stream.ErrBroken},
		"garbage comes on a line of its own and loses nothing": {
			Fault{Kind: FaultGarbage}, "garbage " + all, nil},
		"an ERROR takes the frame's place and ends the stream": {
			Fault{Kind: FaultError, Code: 410}, "410", stream.ErrEnded},
		"silence begins with a frame, and what came before it was sent": {
			Fault{Kind: FaultSilence, After: 1}, "aa pause", stream.ErrEnded},
		"a frame comes twice":          {Fault{Kind: FaultRepeat}, "aa " + all, nil},
		"two frames come twice":        {Fault{Kind: FaultRepeat, Count: 2}, "aa aa bb " + all[3:], nil},
		"a frame comes after the next": {Fault{Kind: FaultReorder}, "bb aa " + all[6:], nil},
		"two frames come later":        {Fault{Kind: FaultReorder, Count: 2}, "aa cc bb " + all[9:], nil},
		"an alien comes first":         {Fault{Kind: FaultAlien}, "alien " + all, nil},
		"After lets frames pass":       {Fault{Kind: FaultCut, After: 1}, "aa b", stream.ErrBroken},
		"a watch ends at its start":    {Fault{Kind: FaultClose}, "", stream.ErrEnded},
		"a bookmark is withheld":       {Fault{Kind: FaultNoBookmark}, "aa bb cc end dd", nil},
		"the initial end is withheld":  {Fault{Kind: FaultNoInitialEnd}, "aa bb cc mark dd", nil},
	} {
		var set fault.Set
		require.NoError(t, set.Arm(c.fault, 10))
		to := &frameWords{}
		strike := func(m fault.Moment) *fault.Hit { return set.Strike(fault.Target{Verb: "watch"}, m) }
		sink := fault.NewSink(to, strike, func() { to.got = append(to.got, "pause") })
		err := sink.Begin()
		line := make([]byte, 4)
		for _, text := range strings.Fields(all) {
			if err != nil {
				break
			}
			f := stream.Frame{Line: line[:copy(line, text)], EndsInitial: text == "end"}
			if text == "mark" || text == "end" {
				f.Type = string(stream.Bookmark)
			}
			_, err = sink.Send(f) // which may overwrite the frame before
		}
		assert.True(t, errors.Is(err, c.end), "%s: %v", law, err)
		if err == nil {
			err = sink.Flush()
			require.NoError(t, err)
		}
		assert.Equal(t, c.want, strings.Join(to.got, " "), law)
	}
}
