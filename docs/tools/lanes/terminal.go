package lanes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// sizeOf returns how many rows and columns a terminal has: 24 and 80 if it does not say. For a file
// it returns 0 and the columns of the widest picture.
func sizeOf(w io.Writer) (rows, columns int) {
	if !IsTerminal(w) {
		return 0, MostColumns
	}
	out, _ := stty(w.(*os.File), "size")
	_, _ = fmt.Sscan(out, &rows, &columns)
	if rows <= 0 || columns <= 0 {
		return 24, FewestColumns
	}
	return rows, columns
}

// keysOf returns a function that waits for a key, or nil if there is no reader to press one: in and
// out must both be a terminal.
func keysOf(in io.Reader, out io.Writer) func(context.Context) (byte, error) {
	if !IsTerminal(in) || !IsTerminal(out) {
		return nil
	}
	return func(ctx context.Context) (byte, error) { return readKey(ctx, in.(*os.File)) }
}

// readKey waits for a key, or for the end of ctx. It sets the terminal to pass on each key
// immediately and not to show it. It restores the settings before it returns, and also in a panic.
// Interrupts keep their effect.
//
// If the terminal cannot be set, for example because there is no stty, it passes on whole lines:
// the reader has to press Enter, and an interrupt ends the wait only with the next line.
func readKey(ctx context.Context, in *os.File) (byte, error) {
	saved, err := stty(in, "-g")
	if err == nil {
		defer func() { _, _ = stty(in, strings.TrimSpace(saved)) }()
		// After 100 ms without a key, Read returns io.EOF: so the loop below can check ctx.
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

// stty runs the program stty for a terminal. Windows does not have that program.
func stty(terminal *os.File, args ...string) (string, error) {
	cmd := exec.Command("stty", args...)
	cmd.Stdin = terminal
	out, err := cmd.Output()
	return string(out), err
}
