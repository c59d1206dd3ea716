package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// The paths are relative to the root of the module, where make runs this program.
const (
	benchFile   = "docs/tools/cost/bench.txt"
	pictureFile = "docs/tools/cost/growth.svg"
	pageFile    = "docs/b-cost.md"
)

func main() {
	page, picture, err := written()
	if err == nil {
		err = errors.Join(
			os.WriteFile(pageFile, []byte(page), 0o644),
			os.WriteFile(pictureFile, []byte(picture), 0o644))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

const (
	tableBegins = "<!-- cost: written by make cost -->\n"
	tableEnds   = "<!-- /cost -->\n"
)

// written returns the page with the table, between its two markers, and the picture, as the
// benchmarks' output makes them.
func written() (page, drawn string, err error) {
	bench, err := os.ReadFile(benchFile)
	if err != nil {
		return "", "", err
	}
	text, err := os.ReadFile(pageFile)
	if err != nil {
		return "", "", err
	}
	rows, err := parse(string(bench))
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", benchFile, err)
	}
	before, rest, begins := strings.Cut(string(text), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return "", "", fmt.Errorf("%s: the markers of the table are missing", pageFile)
	}
	return before + tableBegins + table(rows) + tableEnds + after, picture(rows), nil
}
