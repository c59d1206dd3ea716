package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A row is one benchmark, measured with several numbers of objects.
type row struct {
	what  string // "queue: add and pop"
	costs []cost // of one object, by the number of objects
}

// A cost is what one object costs among size objects, on average.
type cost struct {
	size              int
	bytes, allocs, ns float64
}

// growth returns the time per object at size i, divided by that at the smallest size.
func (r row) growth(i int) float64 { return r.costs[i].ns / r.costs[0].ns }

var measured = regexp.MustCompile(`(?m)^BenchmarkGrowth/(\S+)/(\d+)-\d+\s+\d+` +
	`\s+(\S+) B/object\s+(\S+) allocs/object\s+(\S+) ns/object`)

// parse reads the output of go test -bench: lines such as
//
//	BenchmarkGrowth/queue:_add_and_pop/1000-2   8037   … B/object   … allocs/object   151 ns/object
//
// Every row must have been measured at the same sizes. Of several measurements at one size the
// quickest counts. The rows come in the order of the output.
func parse(output string) (rows []row, err error) {
	for _, m := range measured.FindAllStringSubmatch(output, -1) {
		what := strings.ReplaceAll(m[1], "_", " ")
		if len(rows) == 0 || rows[len(rows)-1].what != what {
			rows = append(rows, row{what: what})
		}
		c := cost{}
		numbers := strings.Join(m[2:], " ")
		if _, err := fmt.Sscan(numbers, &c.size, &c.bytes, &c.allocs, &c.ns); err != nil {
			return nil, fmt.Errorf("%s: %w", m[0], err)
		}
		r := &rows[len(rows)-1]
		r.costs = append(r.costs, c)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("there is no line of BenchmarkGrowth")
	}
	for i := range rows {
		rows[i].costs = quickest(rows[i].costs)
		sameSize := func(a, b cost) bool { return a.size == b.size }
		if !slices.EqualFunc(rows[i].costs, rows[0].costs, sameSize) {
			return nil, fmt.Errorf("%q and %q were measured at different sizes",
				rows[i].what, rows[0].what)
		}
	}
	return rows, nil
}

// quickest keeps one cost for each size, in the order of the sizes.
func quickest(costs []cost) []cost {
	slices.SortFunc(costs, func(a, b cost) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.ns, b.ns))
	})
	return slices.CompactFunc(costs, func(a, b cost) bool { return a.size == b.size })
}

// table writes the rows as Markdown: growth by size, and bytes and allocations at the largest size.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| what happens to one object, among |")
	for _, c := range rows[0].costs {
		fmt.Fprintf(&b, " %s |", thousands(c.size))
	}
	columns := strings.Repeat("|--:", len(rows[0].costs)+2)
	b.WriteString(" allocations | bytes |\n|---" + columns + "|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.what)
		for i := range r.costs {
			fmt.Fprintf(&b, " %.1f× |", r.growth(i))
		}
		most := r.costs[len(r.costs)-1]
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
