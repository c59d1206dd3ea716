package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/repo"
)

func main() { program.Main("cost", run) }

var sizes = []int{1_000, 10_000, 100_000, 1_000_000}

// The page has the table between two markers.
const (
	tableBegins = "<!-- cost: written by make cost -->\n"
	tableEnds   = "<!-- /cost -->\n"
)

// run measures, prints each row as soon as it is known, and writes the page and the picture.
func run(_ context.Context, _ []string, stdout io.Writer) error {
	pageFile, pictureFile, err := files()
	if err != nil {
		return err
	}
	page, err := os.ReadFile(pageFile)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(page), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return fmt.Errorf("%s: the markers of the table are missing", pageFile)
	}
	table := heading()
	for _, r := range rounds {
		line := "| " + r.what + " |"
		var first, c cost
		for _, size := range sizes {
			c = r.measure(size, time.Second)
			first = cmp.Or(first, c)
			line += fmt.Sprintf(" %.1f× |", c.ns/first.ns)
		}
		line += fmt.Sprintf(" %.1f | %.0f |\n", c.allocs, c.bytes)
		_, _ = io.WriteString(stdout, line)
		table += line
	}
	return errors.Join(
		os.WriteFile(pageFile, []byte(before+tableBegins+table+tableEnds+after), 0o644),
		os.WriteFile(pictureFile, []byte(picture(table)), 0o644))
}

func files() (page, picture string, err error) {
	root, err := repo.Root()
	docs := filepath.Join(root, "docs")
	return filepath.Join(docs, "b-cost.md"), filepath.Join(docs, "tools", "cost", "growth.svg"), err
}

// heading returns the first two lines of the table.
func heading() string {
	line := "| what happens to one object, among |"
	for _, size := range sizes {
		line += " " + thousands(size) + " |"
	}
	return line + " allocations | bytes |\n|---" + strings.Repeat("|--:", len(sizes)+2) + "|\n"
}

func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
