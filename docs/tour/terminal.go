package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"example.com/watchglass/docs/lanes"
)

// columnsOf is how wide pictures on w may be. A file has room enough; a terminal is asked, and one
// that does not say counts as a small one.
func columnsOf(w io.Writer) int {
	if !lanes.IsTerminal(w) {
		return mostColumns
	}
	out, _ := stty(w.(*os.File), "size")
	rows, columns := 0, 0
	_, _ = fmt.Sscan(out, &rows, &columns)
	return min(max(columns, fewestColumns), mostColumns)
}

// keysOf returns a function that waits for a key, or nil where there is no reader to press one: the
// keyboard and the screen must both be a terminal.
func keysOf(in io.Reader, out io.Writer) func(context.Context) (byte, error) {
	if !lanes.IsTerminal(in) || !lanes.IsTerminal(out) {
		return nil
	}
	return func(ctx context.Context) (byte, error) { return readKey(ctx, in.(*os.File)) }
}

// readKey waits for a key, or for the end of ctx. It has the terminal hand over keys at once and
// not show them, and puts that back before it returns, in a panic too. Interrupts stay what they
// are. Between two scenes no other goroutine is at work, so none can end the program meanwhile.
//
// A terminal that cannot be set, because there is no stty for example, sends whole lines, so the
// key is Enter. Then an interrupt ends the waiting only with the next line.
func readKey(ctx context.Context, in *os.File) (byte, error) {
	saved, err := stty(in, "-g")
	if err == nil {
		defer func() { _, _ = stty(in, strings.TrimSpace(saved)) }()
		// A Read returns after 100 ms without a key, with io.EOF: that is how ctx is noticed.
		_, err = stty(in, "-icanon", "-echo", "min", "0", "time", "1")
	}
	set := err == nil
	keys := make([]byte, 64) // some keys send more than a byte
	for ctx.Err() == nil {
		n, err := in.Read(keys)
		switch {
		case n > 0:
			return keys[0], nil
		case err != nil && !(set && errors.Is(err, io.EOF)):
			return 0, err
		}
	}
	return 0, ctx.Err()
}

// stty runs the program of this name for a terminal. Windows does not have it.
func stty(terminal *os.File, args ...string) (string, error) {
	cmd := exec.Command("stty", args...)
	cmd.Stdin = terminal
	out, err := cmd.Output()
	return string(out), err
}
