package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A row is one benchmark, measured with several numbers of objects.
type row struct {
	what  string       // "queue: add and pop"
	sizes map[int]cost // by the number of objects
}

// A cost is what one object costs, on average.
type cost struct{ ns, bytes, allocs float64 }

// order returns the sizes, smallest first.
func (r row) order() []int { return slices.Sorted(maps.Keys(r.sizes)) }

// growth is the time per object at this size, divided by that at the smallest size.
func (r row) growth(size int) float64 { return r.sizes[size].ns / r.sizes[r.order()[0]].ns }

// parse reads the output of go test -bench: lines such as
//
//	BenchmarkGrowth/queue:_add_and_pop/1000-2   8037   151 ns/object   …
//
// Every row must have been measured at the same sizes. Of several measurements at one size the
// quickest counts. The rows come in the order of the output.
func parse(output string) (rows []row, err error) {
	for line := range strings.SplitSeq(output, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[0], "BenchmarkGrowth/") {
			continue
		}
		what, size, err := name(fields[0])
		if err != nil {
			return nil, err
		}
		measured, err := costs(fields[2:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields[0], err)
		}
		i := slices.IndexFunc(rows, func(r row) bool { return r.what == what })
		if i < 0 {
			rows = append(rows, row{what, map[int]cost{}})
			i = len(rows) - 1
		}
		if before, again := rows[i].sizes[size]; !again || measured.ns < before.ns {
			rows[i].sizes[size] = measured
		}
	}
	return rows, complete(rows)
}

// name takes BenchmarkGrowth/queue:_add_and_pop/1000-2 apart.
func name(full string) (what string, size int, err error) {
	parts := strings.Split(full, "/")
	if len(parts) != 3 {
		return "", 0, fmt.Errorf("%s does not end in /what/size", full)
	}
	digits, _, _ := strings.Cut(parts[2], "-") // after it comes the number of cores
	size, err = strconv.Atoi(digits)
	return strings.ReplaceAll(parts[1], "_", " "), size, err
}

// costs reads pairs of a number and a unit.
func costs(fields []string) (c cost, err error) {
	for i := 0; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return c, err
		}
		switch fields[i+1] {
		case "ns/object":
			c.ns = value
		case "B/object":
			c.bytes = value
		case "allocs/object":
			c.allocs = value
		}
	}
	if c.ns == 0 {
		return c, errors.New("no ns/object")
	}
	return c, nil
}

func complete(rows []row) error {
	if len(rows) == 0 {
		return errors.New("there is no line of BenchmarkGrowth")
	}
	for _, r := range rows {
		if !slices.Equal(r.order(), rows[0].order()) {
			return fmt.Errorf("%q was measured at the sizes %v, and %q at %v",
				r.what, r.order(), rows[0].what, rows[0].order())
		}
	}
	return nil
}

// table is the rows as Markdown: growth by size, and bytes and allocations at the largest size.
func table(rows []row) string {
	var b strings.Builder
	sizes := rows[0].order()
	b.WriteString("| what happens to one object, among |")
	for _, size := range sizes {
		fmt.Fprintf(&b, " %s |", thousands(size))
	}
	b.WriteString(" allocations | bytes |\n|---" + strings.Repeat("|--:", len(sizes)+2) + "|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.what)
		for _, size := range sizes {
			fmt.Fprintf(&b, " %.1f× |", r.growth(size))
		}
		most := r.sizes[sizes[len(sizes)-1]]
		fmt.Fprintf(&b, " %.1f | %.0f |\n", most.allocs, most.bytes)
	}
	return b.String()
}

func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
