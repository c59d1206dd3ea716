package main

import (
	"context"
	"fmt"
	"strings"
)

// try runs the laws of one exercise, and shows the first that fails with all that it says. As long
// as the exercise is open it says whether it compiles, and what is still to be written.
func (w workshop) try(ctx context.Context, called string) error {
	t, err := w.find(called)
	if err != nil {
		return err
	}
	todos, err := t.open()
	if err != nil {
		return err
	}
	results, err := w.goTest(ctx, []string{"-count=1"}, t.folder())
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%s %s", t.id, t.name)
	r := results[t.folder()]
	switch {
	case r == nil || r.broken != "":
		w.print("  ✎ "+title+":", r.why()...)
	case len(todos) > 0:
		w.print("  · " + title + " compiles, and is open:")
		for _, todo := range todos {
			line := fmt.Sprintf("%s.go:%d  %s is not written", t.name, todo.Line, todo.Func)
			if todo.Last {
				line = fmt.Sprintf("%s.go:%d  there is code above the panic in %s: delete the panic, "+
					"and the laws run", t.name, todo.Line, todo.Func)
			}
			w.print("   ", line)
		}
	case r.isSolved():
		w.print("  ✔ "+title+":", fmt.Sprintf("all %d laws hold.", len(r.laws)),
			"Now compare it with the stage: the end of "+w.relative(t.dir)+"/README.md")
	default:
		w.print("  ✎ "+title+":", r.explain(25)...)
		w.print("   ", "", "make hint E="+t.id+" gives a hint.")
	}
	return nil
}

// print prints lines below each other, the first one behind begin. Words move to the next line
// where the first has no room for them; tables keep theirs.
func (w workshop) print(begin string, lines ...string) {
	width := w.width()
	for i, line := range append(lines, make([]string, max(0, 1-len(lines)))...) {
		if i > 0 {
			begin = "   "
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		text := strings.TrimRight(begin+" "+line, " ")
		for !strings.Contains(strings.TrimSpace(line), "   ") && len([]rune(text)) > width {
			at := strings.LastIndex(string([]rune(text)[:width+1]), " ")
			if at <= len(indent)+5 {
				break // one long word
			}
			fmt.Fprintln(w.out, text[:at])
			text = "    " + indent + text[at+1:]
		}
		fmt.Fprintln(w.out, text)
	}
}
