package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// try runs the laws of one exercise, and says what is next if all hold.
func (w workshop) try(ctx context.Context, called string) error {
	holds, err := w.attempt(ctx, called)
	if err != nil || !holds {
		return err
	}
	return w.sayNext()
}

// sayNext names the exercise that was begun, or the first that is open.
func (w workshop) sayNext() error {
	all, err := w.onTrack()
	var left []progress
	for _, t := range all {
		if todos, _ := t.open(); len(todos) > 0 {
			left = append(left, progress{task: t, todos: todos})
		}
	}
	if i := next(left); i >= 0 {
		w.print("   ", "Next: "+w.relative(left[i].dir)+"/README.md")
		return err
	}
	w.print("   ", "Next: make workshop shows how far all of them are.")
	return err
}

// attempt runs the laws of one exercise, shows the first that fails with all that it says, and
// returns whether all hold. As long as the exercise is open it says whether it compiles, and what
// is still to be written.
func (w workshop) attempt(ctx context.Context, called string) (holds bool, err error) {
	t, err := w.find(called)
	if err != nil {
		return false, err
	}
	todos, err := t.open()
	if err != nil {
		return false, err
	}
	results, err := w.goTest(ctx, []string{"-count=1"}, t.folder())
	if err != nil {
		return false, err
	}
	r := results[t.folder()]
	v := r.ofExercise(t.id, t.name, todos)
	if v.holds {
		v.lines = append(v.lines, "Compare it with the stage: the end of "+w.relative(t.dir)+"/README.md")
	}
	w.print(v.begin, v.lines...)
	if !v.holds && len(todos) == 0 && r != nil && r.broken == "" {
		w.print("   ", "", "make hint E="+t.id+" gives a hint.")
	}
	return v.holds, nil
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
// docs/workshop, until ctx ends. After a change of exercises it tries those, and goes back to the
// board if all their laws hold. A run that a change overtakes is ended.
func (w workshop) watch(ctx context.Context, first string) error {
	if _, err := w.find(first); first != "" && err != nil {
		return err
	}
	last, _ := w.fingerprint()
	called := slices.DeleteFunc([]string{first}, func(id string) bool { return id == "" })
	for ctx.Err() == nil {
		running, stop := context.WithCancel(ctx)
		ended := make(chan bool)
		go func() {
			defer close(ended)
			w.show(running, called, first == "")
		}()
		now := w.change(ctx, last)
		stop()
		<-ended
		if changed := w.changed(last, now); len(changed) > 0 {
			called = changed
		}
		last = now
	}
	return nil
}

// changed returns the exercises of which files have changed, in their order.
func (w workshop) changed(last, now map[string]string) (ids []string) {
	for file, at := range now {
		if t, err := w.find(filepath.Base(filepath.Dir(file))); err == nil && at != last[file] {
			ids = append(ids, t.id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// show clears a terminal, and shows exercises one below the other. Without any, and if all their
// laws hold and the reader has come from the board, it shows the board.
func (w workshop) show(ctx context.Context, called []string, fromBoard bool) {
	if w.ink.Colour {
		fmt.Fprint(w.out, "\x1b[H\x1b[2J")
	}
	fmt.Fprintf(w.out, "\n  %s\n", time.Now().Format("15:04:05"))
	solved, err := 0, error(nil)
	for _, id := range called {
		fmt.Fprintln(w.out)
		holds := false
		if holds, err = w.attempt(ctx, id); err != nil {
			break
		}
		if holds {
			solved++
		}
	}
	switch {
	case err != nil || solved < len(called):
	case fromBoard:
		fmt.Fprintln(w.out)
		err = w.board(ctx)
	default:
		err = w.sayNext()
	}
	if ctx.Err() == nil && err != nil {
		fmt.Fprintln(w.out, "  ", err)
	}
	if ctx.Err() == nil {
		fmt.Fprintln(w.out, "\n  Save a file to go on; ^C ends.")
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
