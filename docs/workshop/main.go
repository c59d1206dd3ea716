package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"example.com/watchglass/docs/tools/repo"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "workshop:", err)
		os.Exit(1)
	}
}

const usage = "usage: go run ./docs/workshop " +
	"[watch | hint EXERCISE | finale MUTANT [accept] | check [EXERCISE]]"

func run(ctx context.Context, args []string, out io.Writer) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	w := workshop{root: root, out: out}
	switch {
	case len(args) == 0:
		return w.board(ctx)
	case len(args) == 1 && args[0] == "watch":
		return w.watch(ctx)
	case len(args) == 2 && args[0] == "hint":
		return w.hint(args[1])
	case len(args) == 2 && args[0] == "finale":
		return w.finale(ctx, args[1], false)
	case len(args) == 3 && args[0] == "finale" && args[2] == "accept":
		return w.finale(ctx, args[1], true)
	case args[0] == "check" && len(args) <= 2:
		return w.check(ctx, args[1:]...)
	}
	return errors.New(usage)
}

// workshop is what the commands have in common.
type workshop struct {
	root string // of the module
	out  io.Writer
}

// dir returns the folder of the exercises.
func (w workshop) dir() string { return filepath.Join(w.root, "docs", "workshop") }
