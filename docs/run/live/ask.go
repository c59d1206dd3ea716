package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/story"
)

// Ask is what a reader may guess before a command of a story is carried out: what the handlers will
// be told. The story's file says it, and go test keeps that true.
type Ask struct {
	Answers []string `json:"answers"` // two or three, a line for each handler
	Right   int      `json:"right"`   // the index of the right one
}

// asks returns what to ask before each step, nil where nothing can be: a step whose state the file
// does not show, or a story in which nothing else happens. The wrong answers are what the handlers
// are told in the steps nearest to it, and that they are told nothing.
func asks(steps []story.Step) []*Ask {
	told := make([]string, len(steps)) // "" where the file does not show it
	for i, s := range steps {
		if s.Loud {
			told[i] = toldIn(s.State)
		}
	}
	found := make([]*Ask, len(steps))
	for i, right := range told {
		if right == "" {
			continue
		}
		answers := []string{right}
		for _, other := range append(nearest(told, i), toldNothing) {
			if len(answers) < 3 && other != "" && !slices.Contains(answers, other) {
				answers = append(answers, other)
			}
		}
		if len(answers) > 1 {
			slices.Sort(answers) // so that their places say nothing
			found[i] = &Ask{Answers: answers, Right: slices.Index(answers, right)}
		}
	}
	return found
}

// nearest returns all but element i, the nearest first.
func nearest(all []string, i int) (others []string) {
	for d := 1; d < len(all); d++ {
		for _, j := range []int{i - d, i + d} {
			if j >= 0 && j < len(all) {
				others = append(others, all[j])
			}
		}
	}
	return others
}

const toldNothing = "Nothing: no handler is called."

// reported is a line that a stage or handler has reported, as a state shows it: whose it is, or
// nothing if it is the same as above; the time; the words.
var reported = regexp.MustCompile(`^(\S*) +[0-9][0-9a-zµ.]*s  (.+)$`)

// stageLanes are the lanes of a story that are no handler's.
var stageLanes = []string{"writer", "server", "reflector", "queue", "process"}

// toldIn says, of a state in a story, what its handlers are told.
func toldIn(state []string) string {
	var handlers []string
	calls, lane := map[string][]string{}, ""
	for _, line := range state {
		m := reported.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] != "" {
			lane = m[1]
		}
		if slices.Contains(stageLanes, lane) || strings.HasPrefix(m[2], "panics: ") {
			continue
		}
		if calls[lane] == nil {
			handlers = append(handlers, lane)
		}
		calls[lane] = append(calls[lane], m[2])
	}
	for i, name := range handlers {
		handlers[i] = name + ": " + some(calls[name])
	}
	if len(handlers) == 0 {
		return toldNothing
	}
	return strings.Join(handlers, "\n")
}

// some joins calls, and counts those that would be too many to read.
func some(calls []string) string {
	const most = 3
	if more := len(calls) - most; more > 1 {
		calls = append(slices.Clone(calls[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(calls, " · ")
}
