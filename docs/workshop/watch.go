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

// watch prints the board, and again after each change below docs/workshop, until ctx ends.
func (w workshop) watch(ctx context.Context) error {
	last := ""
	for {
		now, err := w.fingerprint()
		if err != nil {
			return err
		}
		if now != last {
			last = now
			fmt.Fprintf(w.out, "\n  %s\n", time.Now().Format("15:04:05"))
			if err := w.board(ctx); err != nil && ctx.Err() == nil {
				fmt.Fprintln(w.out, "  ", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// fingerprint changes when a file below docs/workshop is written, added or removed.
func (w workshop) fingerprint() (string, error) {
	print := ""
	err := filepath.WalkDir(w.dir(), func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // an editor has just replaced it
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			print += fmt.Sprintln(path, info.ModTime().UnixNano(), info.Size())
		}
		return nil
	})
	return print, err
}
