package fakeapi

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/fault"
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
				strikes := false
				for m := fault.AtConnect; m <= fault.AtInitialEnd; m++ {
					for _, target := range reachable(m) {
						var s fault.Set
						require.NoError(t, s.Arm(f, 10))
						named := target.Verb != "" || verb+resource == ""
						strikes = strikes || s.Strike(target, m) != nil && named
					}
				}
				err := f.Check(faulted)
				assert.Equal(t, strikes, err == nil, "%s of %q %s: %v", kind, verb, resource, err)
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
		"the first that was armed strikes first": {[]Fault{{Code: 429, Count: 2}, {Code: 410}},
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
			if hit := s.Strike(fault.Target{Verb: "get"}, fault.AtRequest); hit != nil {
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
	hit := s.Strike(fault.Target{}, fault.AtRequest)
	s.Heal()
	<-hit.Healed
	assert.Nil(t, s.Strike(fault.Target{}, fault.AtRequest), "healed")
	assert.NoError(t, s.Arm(Fault{Kind: FaultReset}, 10))
	select {
	case <-s.Strike(fault.Target{}, fault.AtRequest).Healed:
		assert.Fail(t, "a later fault is not healed")
	default:
	}
}
