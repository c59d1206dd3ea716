package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
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

// pause is how often watch looks for changes. Polling works on every file system and needs nothing.
const pause = 500 * time.Millisecond

// watch prints the board, or tries the exercise that is called, and again after each change below
// docs/workshop, until ctx ends. After a change of an exercise it tries that one. A run that a
// change overtakes is ended.
func (w workshop) watch(ctx context.Context, called string) error {
	last, _ := w.fingerprint()
	for ctx.Err() == nil {
		running, stop := context.WithCancel(ctx)
		ended := make(chan bool)
		go func() {
			defer close(ended)
			w.show(running, called)
		}()
		changed := w.change(ctx, last)
		stop()
		<-ended
		for file, at := range changed {
			if t, err := w.find(filepath.Base(filepath.Dir(file))); err == nil && at != last[file] {
				called = t.id
			}
		}
		last = changed
	}
	return nil
}

// show clears a terminal, and shows the board or an exercise.
func (w workshop) show(ctx context.Context, called string) {
	if w.ink.Colour {
		fmt.Fprint(w.out, "\x1b[H\x1b[2J")
	}
	fmt.Fprintf(w.out, "\n  %s\n", time.Now().Format("15:04:05"))
	err := error(nil)
	if called == "" {
		err = w.board(ctx)
	} else {
		err = w.try(ctx, called)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(w.out, "  ", err)
	}
}

// change waits until files have changed, or ctx ends, and returns what they are then.
func (w workshop) change(ctx context.Context, last map[string]string) map[string]string {
	for {
		select {
		case <-ctx.Done():
			return last
		case <-time.After(pause):
		}
		if now, err := w.fingerprint(); err == nil && fmt.Sprint(now) != fmt.Sprint(last) {
			return now
		}
	}
}

// fingerprint changes when a file below docs/workshop is written, added or removed.
func (w workshop) fingerprint() (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(w.dir(), func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // an editor has just replaced it
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			files[path] = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
		}
		return nil
	})
	return files, err
}
