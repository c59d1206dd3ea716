package picture

import (
	"fmt"
	"regexp"
	"strings"
)

// atlas has each fault with what followed.
const atlas = "docs/tools/faults/faults.txt"

// reactions are the three that end in a right cache, or nearly: faults of the atlas that show each,
// in a few words, and what a handler has missed.
var reactions = []struct {
	does, misses string
	faults       [][2]string // the name in the atlas, and what the picture says
}{
	{"the same watch again", "Nothing is lost.", [][2]string{
		{"rst", "the stream breaks off"}, {"refused", "connections are refused"},
		{"429", "429: too many requests"}, {"h1-dead", "silence"}}},
	{"a pause, then list everything", "States between, and the last one, may be lost.", [][2]string{
		{"410-event", "410: the history is gone"}, {"503", "503, without Retry-After"},
		{"bad-frame", "a frame that is not JSON"}, {"empty-200", "an empty answer"}}},
	{"read on, and report it", "One object is wrong, until its next event.", [][2]string{
		{"misfit", "an object of a wrong form"}, {"transform", "your transform fails"}}},
}

var (
	whatFollowed = regexp.MustCompile(`(?m)^    Watchglass: (.*)\n    calls: (.*)$`)
	aCall        = regexp.MustCompile(`(add|update|delete) (\w+)@(\d*)( \(tombstone\))?`)
)

// faultTree is the picture of chapter 7: from a fault to the reflector's reaction, and to what a
// handler is called with.
func faultTree(a archive) (plan, error) {
	text, err := a.ReadFile(atlas)
	if err != nil {
		return plan{}, err
	}
	p := plan{claim: "The reflector answers most faults in one of three ways, and a handler sees " +
		"which. As each fault begins, one object changes and another is deleted; nothing but time " +
		"is lost as long as the same watch can go on."}
	told := make([][]object, len(reactions))
	for i, r := range reactions {
		for _, f := range r.faults {
			requests, calls, err := watchingPhase(string(text), f[0])
			if err == nil && reactionTo(requests, calls) != i {
				err = fmt.Errorf("%s: the reaction to %s is not %q: %s", atlas, f[0], r.does, requests)
			}
			if err == nil && told[i] != nil && list(told[i]) != list(calls) {
				err = fmt.Errorf("%s: after %s a handler is called with %s, and after another fault of "+
					"the same reaction with %s", atlas, f[0], list(calls), list(told[i]))
			}
			if err != nil {
				return p, err
			}
			told[i] = calls
			p.says += f[1] + ", "
		}
		p.says += fmt.Sprintf("lead to: %s. A handler is called with %s. %s ", r.does,
			list(told[i]), r.misses)
	}
	p.draw = func(c *canvas) { drawFaults(c, told) }
	return p, nil
}

var signs = map[string]string{"add": "+ ", "update": "~ ", "delete": "− "}

// watchingPhase reads of the atlas what a fault of an open watch leads to: requests, and calls of a
// handler.
func watchingPhase(text, fault string) (requests string, calls []object, err error) {
	_, text, _ = strings.Cut(text, "\nfault "+fault+"\n")
	text, _, _ = strings.Cut(text, "\nfault ")
	_, text, found := strings.Cut(text, "\n  watching\n")
	text, _, _ = strings.Cut(text, "\n  initial\n")
	followed := whatFollowed.FindStringSubmatch(text)
	if !found || followed == nil {
		return "", nil, fmt.Errorf("%s: there is no fault %s of an open watch", atlas, fault)
	}
	for _, m := range aCall.FindAllStringSubmatch(followed[2], -1) {
		o := object{key: m[2], sign: signs[m[1]], rv: m[3]}
		if m[4] != "" {
			o.look = "tomb"
		}
		calls = append(calls, o)
	}
	return followed[1], calls, nil
}

// reactionTo returns which of the reactions has sent these requests and made these calls. A watch
// that is read on ends by itself in the end.
func reactionTo(requests string, calls []object) int {
	switch {
	case strings.Contains(requests, "stream") || strings.Contains(requests, "list"):
		return 1
	case len(calls) == 2:
		return 0
	}
	return 2
}

// drawFaults draws three columns, or on narrow pages three parts: faults, the reaction, and what a
// handler is called with.
func drawFaults(c *canvas, told [][]object) {
	y := 0
	for i, r := range reactions {
		top, x := y, 232
		for _, f := range r.faults {
			c.text("", 0, y+14, f[1])
			y += 20
		}
		if !c.wide {
			c.path("line", "M180,%dh8V%dh-8", top+2, y-2)
			c.arrow("line", right, 206, (top+y)/2, "M188,%d", (top+y)/2)
			c.para("strong", 212, (top+y)/2-4, c.width-212, r.does)
			c.text("soft", 0, y+20, "told")
			y = c.objects(told[i], 44, y+4, c.width-44)
			y = c.para("soft", 0, y+14, c.width, r.misses) + 12
			continue
		}
		y = max(y, top+64)
		middle := (top + y) / 2
		c.path("line", "M192,%dh10V%dh-10", top+2, y-2)
		c.arrow("line", right, x, middle, "M202,%d", middle)
		c.box("box", x+2, middle-24, 216, 48)
		c.para("strong", x+12, middle-3, 196, r.does)
		c.arrow("line", right, x+242, middle, "M%d,%d", x+218, middle)
		c.objects(told[i], x+248, middle-28, c.width-x-232)
		c.para("soft", x+248, middle+16, c.width-x-232, r.misses)
		y += 26
	}
	c.para("soft", 0, y+4, c.width,
		"~ update, − delete; dashed: a tombstone, with the last state seen.")
}
