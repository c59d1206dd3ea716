package program

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Columns of the widest lines and of the narrowest screen. Longer lines would be hard to read.
const (
	MostColumns   = 100
	fewestColumns = 80
)

// Screen writes text for a reader. On a terminal it waits for Enter, so that what is written
// between two waits is on the screen together; elsewhere it only writes. Make one with NewScreen.
type Screen struct {
	Ink
	Rows, Columns int // Rows are 0 if there is no screen
	// Enter waits for Enter, and returns what was typed before it. If it is nil, there is no reader.
	Enter func(context.Context) (string, error)
	Fast  bool // make no pauses
	Quit  bool // the reader has ended it: nothing more is written

	out  io.Writer
	used int  // rows since the last wait
	gap  bool // the last line was blank
}

// NewScreen returns a screen for out, with lines from in if both are a terminal. A fast one, and
// one that is no terminal, neither waits nor pauses.
func NewScreen(in io.Reader, out io.Writer, fast bool) *Screen {
	s := &Screen{Ink: InkFor(out), out: out, Fast: fast || !isTerminal(out)}
	s.Rows, s.Columns = sizeOf(out)
	if !s.Fast {
		s.Enter = linesOf(in, out)
	}
	return s
}

// Write writes lines. It ignores errors: when the output is closed, there is no reader any more.
func (s *Screen) Write(lines ...string) {
	for _, line := range lines {
		switch {
		case s.Quit:
			return
		case line == "" && (s.gap || s.Enter != nil && s.used == 0):
			continue // there is one, or the prompt has left one
		}
		s.gap = line == ""
		s.used += strings.Count(line, "\n") + 1
		_, _ = fmt.Fprintln(s.out, line)
	}
}

// Paragraph breaks text into lines that fit. Beside an indent it needs 40 columns.
func (s *Screen) Paragraph(text string, indent int) []string {
	return paragraph(text, min(max(s.Columns, indent+41), MostColumns)-2, indent)
}

// Fit waits if so many lines more, and a prompt below them, would push lines off the screen that
// were written since the last wait. It reports whether it has waited.
func (s *Screen) Fit(ctx context.Context, lines int) bool {
	const promptRows = 2
	if s.Enter == nil || s.Rows == 0 || s.used == 0 || s.used+lines+promptRows <= s.Rows {
		return false
	}
	s.Wait(ctx, "")
	return true
}

// Block writes lines below a blank one, with all of them on the screen together if they fit there.
func (s *Screen) Block(ctx context.Context, lines ...string) {
	s.Fit(ctx, len(lines)+1)
	s.Write("")
	for _, line := range lines {
		s.Fit(ctx, 1)
		s.Write(line)
	}
}

// Prompt is what is shown while the screen waits.
const Prompt = "Enter: go on   a Enter: play on by itself   q Enter: end "

// Wait gives the reader time: until Enter is pressed, or for a moment if there is no keyboard. It
// returns what was typed. The prompt begins with first.
func (s *Screen) Wait(ctx context.Context, first string) (typed string) {
	if s.Quit {
		return ""
	}
	s.used = 0
	if s.Enter == nil {
		s.Pause(ctx, 700*time.Millisecond)
		return ""
	}
	_, _ = io.WriteString(s.out, "\n"+s.Faint("  "+first+Prompt))
	typed, err := s.Enter(ctx)
	switch {
	case err != nil: // nothing more will be typed, and no line was ended
		s.Enter = nil
		s.Write("")
	case typed == "a":
		s.Enter = nil
	case typed == "q":
		s.Quit = true
	}
	return typed
}

// Pause waits, so that the reader can follow. A fast screen does not wait.
func (s *Screen) Pause(ctx context.Context, d time.Duration) {
	if s.Fast || s.Quit {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// sizeOf returns how many rows and columns a terminal has, as the program stty says: 24 and 80 if
// it does not. For a file it returns 0 and the columns of the widest picture.
func sizeOf(w io.Writer) (rows, columns int) {
	if !isTerminal(w) {
		return 0, MostColumns
	}
	stty := exec.Command("stty", "size")
	stty.Stdin, _ = w.(io.Reader)
	out, _ := stty.Output()
	_, _ = fmt.Sscan(string(out), &rows, &columns)
	if rows <= 0 || columns <= 0 {
		return 24, fewestColumns
	}
	return rows, columns
}

// linesOf returns a function that waits for Enter, and returns what was typed before it; or nil if
// there is no reader to press one: in and out must both be a terminal.
func linesOf(in io.Reader, out io.Writer) func(context.Context) (string, error) {
	if !isTerminal(in) || !isTerminal(out) {
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
