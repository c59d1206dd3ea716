package lanes

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// sizeOf returns how many rows and columns a terminal has, as the program stty says: 24 and 80 if it
// does not. For a file it returns 0 and the columns of the widest picture.
func sizeOf(w io.Writer) (rows, columns int) {
	if !IsTerminal(w) {
		return 0, MostColumns
	}
	stty := exec.Command("stty", "size")
	stty.Stdin, _ = w.(io.Reader)
	out, _ := stty.Output()
	_, _ = fmt.Sscan(string(out), &rows, &columns)
	if rows <= 0 || columns <= 0 {
		return 24, FewestColumns
	}
	return rows, columns
}

// linesOf returns a function that waits for Enter, and returns what was typed before it; or nil if
// there is no reader to press one: in and out must both be a terminal.
func linesOf(in io.Reader, out io.Writer) func(context.Context) (string, error) {
	if !IsTerminal(in) || !IsTerminal(out) {
		return nil
	}
	lines := bufio.NewReader(in)
	type entry struct {
		line string
		err  error
	}
	return func(ctx context.Context) (string, error) {
		entered := make(chan entry, 1)
		go func() { // after an interrupt it is still reading when the program ends
			line, err := lines.ReadString('\n')
			entered <- entry{line, err}
		}()
		select {
		case e := <-entered:
			return strings.TrimSpace(e.line), e.err
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
