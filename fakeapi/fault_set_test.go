package fakeapi

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/fault"
	"example.com/watchglass/fakeapi/stream"
)

var faulted = strings.Fields("create get list watch") // verbs that faults may name

// reachable returns what can be struck at a moment: connections, requests of every verb, watches.
func reachable(m fault.Moment) []fault.Target {
	switch {
	case m == fault.AtConnect:
		return []fault.Target{{}}
	case m == fault.AtRequest:
		var all []fault.Target
		for _, verb := range faulted {
			all = append(all, fault.Target{Verb: verb, Plural: "pods", Qualified: "pods"})
		}
		return all
	}
	return []fault.Target{{Verb: "watch", Plural: "pods", Qualified: "pods"}}
}

func TestAFaultIsRefusedIfItCanNeverStrikeWhatItNames(t *testing.T) {
	for _, kind := range append(fault.Kinds(), "earthquake") {
		for _, verb := range append(faulted, "", "look") {
			for _, resource := range []string{"", "pods"} {
				f := Fault{Kind: kind, Verb: verb, Resource: resource, Delay: time.Second}
				affects := false
				for m := fault.AtConnect; m <= fault.AtInitialEnd; m++ {
					for _, target := range reachable(m) {
						var s fault.Set
						require.NoError(t, s.Arm(f, 10))
						named := target.Verb != "" || verb+resource == ""
						affects = affects || s.Trigger(target, m) != nil && named
					}
				}
				err := f.Check(faulted)
				assert.Equal(t, affects, err == nil, "%s of %q %s: %v", kind, verb, resource, err)
			}
		}
	}
}

func TestValuesThatMakeNoSenseAreRefused(t *testing.T) {
	for want, f := range map[string]Fault{
		"after (-1)":                             {Kind: FaultCut, After: -1},
		"retryAfter (-1s)":                       {Kind: FaultStatus, RetryAfter: -time.Second},
		"delay (-1s)":                            {Kind: FaultDelay, Delay: -time.Second},
		"the code 200 is not":                    {Kind: FaultStatus, Code: 200},
		"the code 600 is not":                    {Kind: FaultError, Code: 600},
		"a delay needs a duration":               {Kind: FaultDelay},
		"(2562047h47m16.854775807s) is too long": {Kind: FaultStatus, RetryAfter: math.MaxInt64},
	} {
		assert.ErrorContains(t, f.Check(faulted), want)
	}
}

func TestRetryAfterIsRoundedUpAndFitsInto32Bits(t *testing.T) {
	const longest = math.MaxInt32 * time.Second
	for d, want := range map[time.Duration]int{1: 1, time.Second: 1, 1500 * time.Millisecond: 2,
		longest - 1: math.MaxInt32, longest: math.MaxInt32} {
		f := Fault{Kind: FaultStatus, RetryAfter: d}
		assert.NoError(t, f.Check(faulted))
		assert.Equal(t, want, f.Status().Details.RetryAfterSeconds, d)
	}
}

func TestAFaultStrikesWhatItNames(t *testing.T) {
	list := fault.Target{Verb: "list", Plural: "widgets", Qualified: "widgets.example.dev"}
	for law, f := range map[string]Fault{
		"+ any verb and resource, if it names none": {},
		"+ the verb":                  {Verb: "list"},
		"- no other verb":             {Verb: "watch"},
		"+ the plural":                {Resource: "widgets"},
		"+ the plural with its group": {Resource: "widgets.example.dev"},
		"- no other group":            {Resource: "widgets.example.com"},
		"- both or nothing":           {Verb: "list", Resource: "pods"},
	} {
		assert.Equal(t, law[0] == '+', f.Matches(list), law)
	}
}

func TestAFaultStrikesAsOftenAsItSays(t *testing.T) {
	for law, c := range map[string]struct {
		faults []Fault
		want   string // the codes of six requests, 0 for one that is not struck
	}{
		"once":                   {[]Fault{{Code: 500}}, "500 0 0 0 0 0"},
		"three times":            {[]Fault{{Code: 500, Count: 3}}, "500 500 500 0 0 0"},
		"after two have passed":  {[]Fault{{Code: 500, After: 2}}, "0 0 500 0 0 0"},
		"after one, then always": {[]Fault{{Code: 500, After: 1, Count: -2}}, "0 500 500 500 500 500"},
		"the first that was armed takes effect first": {[]Fault{{Code: 429, Count: 2}, {Code: 410}},
			"429 429 410 0 0 0"},
		"a fault that still lets requests pass does not delay the next": {
			[]Fault{{Code: 429, After: 2}, {Code: 410}}, "410 0 429 0 0 0"},
		"a fault of another moment does not delay it": {
			[]Fault{{Kind: FaultCut, Code: 429}, {Code: 410}}, "410 0 0 0 0 0"},
	} {
		var s fault.Set
		for _, f := range c.faults {
			if f.Kind == "" {
				f.Kind = FaultStatus
			}
			require.NoError(t, s.Arm(f, 10))
		}
		var codes []string
		for range 6 {
			code := 0
			if hit := s.Trigger(fault.Target{Verb: "get"}, fault.AtRequest); hit != nil {
				code = hit.Code
			}
			codes = append(codes, fmt.Sprint(code))
		}
		assert.Equal(t, c.want, strings.Join(codes, " "), law)
	}
}

func TestTheFaultsThatAreArmedAreBounded(t *testing.T) {
	var s fault.Set
	for range 10 {
		require.NoError(t, s.Arm(Fault{Kind: FaultReset, Count: -1}, 10))
	}
	assert.ErrorContains(t, s.Arm(Fault{Kind: FaultReset}, 10), "10 faults are armed already")
	hit := s.Trigger(fault.Target{}, fault.AtRequest)
	s.Heal()
	<-hit.Healed
	assert.Nil(t, s.Trigger(fault.Target{}, fault.AtRequest), "healed")
	assert.NoError(t, s.Arm(Fault{Kind: FaultReset}, 10))
	select {
	case <-s.Trigger(fault.Target{}, fault.AtRequest).Healed:
		assert.Fail(t, "a later fault is not healed")
	default:
	}
}

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
		trigger := func(m fault.Moment) *fault.Hit { return set.Trigger(fault.Target{Verb: "watch"}, m) }
		sink := fault.NewSink(to, trigger, func() { to.got = append(to.got, "pause") })
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
