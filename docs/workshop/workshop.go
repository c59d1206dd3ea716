package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/repo"
)

const usage = "usage: go run ./docs/workshop [watch [EXERCISE] | try EXERCISE | hint EXERCISE | " +
	"solve EXERCISE | pipe [FLAGS] | finale MUTANT [accept] | check [EXERCISE]]"

func run(ctx context.Context, args []string, out io.Writer) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	w := workshop{root: root, in: os.Stdin, out: out, track: os.Getenv("TRACK"),
		ink: program.InkFor(out)}
	if w.track != "" && w.track != "half" {
		return fmt.Errorf("there is no track %q; there is half", w.track)
	}
	if w.ink.Colour {
		w.out = coloured{out}
	}
	if len(args) == 0 {
		return w.board(ctx)
	}
	first := append(args[1:], "")[0]
	switch command := args[0]; {
	case command == "watch" && len(args) <= 2:
		return w.watch(ctx, first)
	case command == "try" && len(args) == 2:
		return w.try(ctx, first)
	case command == "hint" && len(args) == 2:
		return w.hint(first)
	case command == "solve" && len(args) == 2:
		return w.solve(ctx, first)
	case command == "pipe":
		return w.pipe(ctx, args[1:])
	case command == "finale" && (len(args) == 2 || len(args) == 3 && args[2] == "accept"):
		return w.finale(ctx, first, len(args) == 3)
	case command == "check" && len(args) <= 2:
		return w.check(ctx, args[1:]...)
	}
	return errors.New(usage)
}

// workshop is what the commands have in common.
type workshop struct {
	root  string // of the module
	in    io.Reader
	out   io.Writer
	track string // "half", or "" for all exercises
	ink   program.Ink
}

// dir returns the folder of the exercises.
func (w workshop) dir() string { return filepath.Join(w.root, "docs", "workshop") }

// width returns how many columns lines may have: those of the terminal, at least 80, and 80 in a
// file.
func (w workshop) width() int {
	rows, width := 0, 0
	if w.ink.Colour {
		stty := exec.Command("stty", "size")
		stty.Stdin = os.Stdout
		out, _ := stty.Output()
		_, _ = fmt.Sscan(string(out), &rows, &width)
	}
	return min(max(width, 80), 120)
}

// coloured gives the signs of the board their colours.
type coloured struct{ to io.Writer }

var colours = strings.NewReplacer(solved, "\x1b[32m✔\x1b[0m", tried, "\x1b[33m✎\x1b[0m",
	"This one does not:", "\x1b[1mThis one does not:\x1b[0m")

// Write implements io.Writer.
func (c coloured) Write(text []byte) (int, error) {
	_, err := io.WriteString(c.to, colours.Replace(string(text)))
	return len(text), err
}
