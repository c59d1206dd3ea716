package main

import (
	"fmt"
	"strings"
)

// What the workbench says of a stage that a reader has changed. In a terminal, go test says it.

// ofStage judges a stage that a reader has changed. What still holds is one line; what breaks is
// the first story, at the step that differs, and the first law with its message.
func (r *result) ofStage(name string) verdict {
	begin := "  ✎ " + name + ":"
	if r.broken != "" {
		return verdict{begin, r.why(), false}
	}
	var stories, laws, brokenStories, brokenLaws []law
	for _, l := range r.laws {
		all, broken := &laws, &brokenLaws
		if strings.HasPrefix(l.name, "TestStories/") {
			all, broken = &stories, &brokenStories
		}
		if *all = append(*all, l); !l.passed {
			*broken = append(*broken, l)
		}
	}
	end := r.end()
	if r.passed && end == "" {
		return verdict{"  ✔ " + name + ":", []string{
			fmt.Sprintf("all %d stories and %d laws hold.", len(stories), len(laws)),
			"A browser runs one thread, without the race detector: a lock that is missing may pass.",
		}, true}
	}
	lines := []string{fmt.Sprintf("%d of %d stories and %d of %d laws hold.",
		len(stories)-len(brokenStories), len(stories), len(laws)-len(brokenLaws), len(laws))}
	if end != "" {
		lines = []string{"the program ended here, and no further law was tried.", "  " + end}
	}
	for i, l := range brokenStories {
		if i == 0 {
			lines = append(lines, "", "This story breaks: "+l.sentence())
			lines = append(lines, indented(l.lastStep())...)
		} else {
			lines = append(lines, "So does this one: "+l.sentence())
		}
	}
	for i, l := range brokenLaws {
		if i == 0 {
			lines = append(lines, "", "This law does not hold: "+l.sentence())
			lines = append(lines, indented(firstLines(message(l.printed), 25))...)
		} else if i < 8 {
			lines = append(lines, "Nor does this one: "+l.sentence())
		}
	}
	return verdict{begin, lines, false}
}

func indented(lines []string) (all []string) {
	for _, line := range lines {
		all = append(all, "  "+line)
	}
	return all
}

// lastStep returns what a story shows of its last step, and what it says is wrong there.
func (l law) lastStep() []string {
	var step []string
	for _, line := range l.printed {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "===") || strings.HasPrefix(text, "---") {
			continue
		}
		if text == "" {
			step = nil // a blank line begins the next step
			continue
		}
		step = append(step, line)
	}
	indent := strings.Repeat(" ", 100)
	for _, line := range step {
		for !strings.HasPrefix(line, indent) {
			indent = indent[1:]
		}
	}
	for i := range step {
		step[i] = strings.TrimPrefix(step[i], indent)
	}
	return step
}
