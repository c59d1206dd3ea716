package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

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
