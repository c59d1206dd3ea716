package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// The paths are relative to the root of the module, where make runs this program.
const (
	benchFile   = "docs/cost/bench.txt"
	pictureFile = "docs/cost/growth.svg"
	pageFile    = "docs/b-cost.md"
)

func main() {
	if err := rewrite(); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

// rewrite draws the picture, and writes the table of the page, from the benchmarks' output.
func rewrite() error {
	bench, err := os.ReadFile(benchFile)
	if err != nil {
		return err
	}
	page, err := os.ReadFile(pageFile)
	if err != nil {
		return err
	}
	rows, err := parse(string(bench))
	if err != nil {
		return fmt.Errorf("%s: %w", benchFile, err)
	}
	text, err := withTable(string(page), table(rows))
	if err != nil {
		return fmt.Errorf("%s: %w", pageFile, err)
	}
	return errors.Join(
		os.WriteFile(pageFile, []byte(text), 0o644),
		os.WriteFile(pictureFile, []byte(picture(rows)), 0o644))
}

const (
	tableBegins = "<!-- cost: written by make cost -->\n"
	tableEnds   = "<!-- /cost -->\n"
)

// withTable replaces the lines between the two markers of a page.
func withTable(page, table string) (string, error) {
	before, rest, begins := strings.Cut(page, tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return "", errors.New("the markers of the table are missing")
	}
	return before + tableBegins + table + tableEnds + after, nil
}
