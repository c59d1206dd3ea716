package faults

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	file = "faults.txt"
	page = "../../h-faults.md"
)

// fault is a block of faults.txt.
type fault struct {
	name, title string
	play        string // a story in which one can watch it, or ""
	rows        []*row
}

// row is what follows from a fault in one phase: while a watch is open, or at the start. Its values
// are those of the file; what the file does not name is nothing.
type row struct {
	phase  string
	values map[string]string
}

// names are the names of a row's values, in the order of the file. There, a line with the requests
// names the client, and the lines below it, such as its calls, do not. Only the last three are
// written by the test.
var names = []string{"operator",
	"client-go", "client-go calls", "client-go errors", "client-go log",
	"Watchglass", "Watchglass calls", "Watchglass errors"}

// read returns the head of the file, and its blocks.
func read(t testing.TB) (head string, all []*fault) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	blocks := strings.Split(strings.TrimSpace(string(data)), "\n\n")
	for _, block := range blocks[1:] {
		f, client := &fault{}, ""
		for line := range strings.SplitSeq(block, "\n") {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			key, of, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch depth := len(line) - len(strings.TrimLeft(line, " ")); {
			case depth == 0:
				f.name = value
			case depth == 2 && name == "play":
				f.play = value
			case depth == 2 && (line == "  watching" || line == "  initial"):
				f.rows = append(f.rows, &row{name, map[string]string{}})
			case depth == 2:
				f.title = strings.TrimSpace(line)
			default:
				switch key {
				case "operator":
				case "client-go", "Watchglass":
					client = key
				default:
					key = client + " " + key
				}
				require.Contains(t, names, key)
				f.rows[len(f.rows)-1].values[key] = of
			}
		}
		all = append(all, f)
	}
	return blocks[0], all
}

// write is the reverse of read.
func write(t testing.TB, head string, all []*fault) {
	var b strings.Builder
	b.WriteString(head + "\n")
	for _, f := range all {
		fmt.Fprintf(&b, "\nfault %s\n  %s\n", f.name, f.title)
		if f.play != "" {
			fmt.Fprintf(&b, "  play %s\n", f.play)
		}
		for _, r := range f.rows {
			fmt.Fprintf(&b, "  %s\n", r.phase)
			for _, name := range names {
				if r.values[name] != "" {
					_, short, _ := strings.Cut(name, " ")
					fmt.Fprintf(&b, "    %s: %s\n", cmp.Or(short, name), r.values[name])
				}
			}
		}
	}
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
}

func rewrite() bool { return os.Getenv("STORY") == "rewrite" }

// Every fault is played to an informer, and what it does is what the file says.
func TestFaults(t *testing.T) {
	head, all := read(t)
	known := map[string]bool{}
	for _, f := range all {
		known[f.name] = true
		for _, r := range f.rows {
			t.Run(f.name+", "+r.phase+": "+f.title, func(t *testing.T) {
				s, ok := scripts()[f.name]
				require.True(t, ok, "the fault has a script")
				did := play(t, s, r.phase)
				got := map[string]string{"Watchglass": did.asked(),
					"Watchglass calls":  together(did.calls),
					"Watchglass errors": folded(byText(did.errors), "; ")}
				for name, value := range got {
					if rewrite() {
						r.values[name] = value
					}
					assert.Equal(t, r.values[name], value, name)
				}
			})
		}
	}
	for name := range scripts() {
		assert.True(t, known[name], "%s has a script, and no block in %s", name, file)
	}
	if rewrite() {
		write(t, head, all)
	}
}

// groups are what the operator of a program with client-go sees, from most to least misleading.
var groups = []struct{ operator, title string }{
	{"silence", "Silence, and the cache stays wrong"},
	{"lists", "A herd of lists"},
	{"log", "A line in the log, or a call of the error handler"},
	{"", "Nothing"},
}

// The page shows what the file has, and what a user notices. That stands only there.
func TestPage(t *testing.T) {
	_, all := read(t)
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	before, shown, ok := strings.Cut(string(data), "<!-- faults: begin -->\n")
	shown, after, end := strings.Cut(shown, "<!-- faults: end -->")
	require.True(t, ok && end, "the markers of the page")
	assert.Contains(t, before, fmt.Sprintf("%d faults", len(all)))
	want := before + "<!-- faults: begin -->\n" + tables(t, all, notices(shown)) +
		"<!-- faults: end -->" + after
	if rewrite() {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(data), "STORY=rewrite go test ./docs/tools/faults writes the page")
}

// notices is the last cell of each row of the tables, by its first.
func notices(tables string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(tables) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); len(cells) == 4 {
			found[cells[0]] = strings.TrimSuffix(cells[3], " |")
		}
	}
	return found
}

// tables writes a table for each group, with a row for each fault and phase.
func tables(t testing.TB, all []*fault, notices map[string]string) string {
	var b strings.Builder
	shown, rows := 0, 0
	for _, g := range groups {
		fmt.Fprintf(&b, "\n### %s\n\n| fault | client-go | Watchglass | what your user notices |\n"+
			"|---|---|---|---|\n", g.title)
		for _, f := range all {
			for _, r := range f.rows {
				if r.values["operator"] == g.operator {
					cell := firstCell(f, r)
					assert.NotEmpty(t, notices[cell], "what a user notices of: %s", cell)
					fmt.Fprintf(&b, "%s | `%s` | `%s` | %s |\n", cell, timeline(r.values["client-go"]),
						timeline(r.values["Watchglass"]), notices[cell])
					shown++
				}
			}
		}
	}
	for _, f := range all {
		rows += len(f.rows)
	}
	assert.Equal(t, rows, shown, "every row is in a group")
	return b.String() + "\n"
}

// firstCell is the first cell of a row. The story is of the first row of a fault.
func firstCell(f *fault, r *row) string {
	cell := "| "
	if r.phase == "initial" {
		cell += "at the start: "
	}
	cell += f.title
	if f.play != "" && r == f.rows[0] {
		cell += " ([play it](" + f.play + "))"
	}
	return cell
}

// times are at the end of each part of a sequence of requests.
var times = regexp.MustCompile(`^(.*?)((?: (?:\d+\.\d|…|×\d+))+)$`)

// timeline draws requests as letters, and the time between them as dots.
func timeline(sequence string) string {
	if sequence == "" {
		return "–"
	}
	var b strings.Builder
	last := 0.0
	for part := range strings.SplitSeq(sequence, "; ") {
		found := times.FindStringSubmatch(part)
		if found == nil {
			b.WriteString(" " + part)
			continue
		}
		for _, at := range strings.Fields(found[2]) {
			t, err := strconv.ParseFloat(at, 64)
			if err != nil { // … or ×15
				b.WriteString(at)
				continue
			}
			b.WriteString(gap(t - last))
			last = t
			for request := range strings.SplitSeq(found[1], " + ") {
				b.WriteString(letter(request))
			}
		}
	}
	return b.String()
}

// letter is a request: l, s or w for a list, a streaming list or a watch that was refused or not
// answered; a capital for one that was granted, with a / if it was cut.
func letter(request string) string {
	one := request[:1]
	if what, answer, _ := strings.Cut(request, " "); what != "" && strings.Contains(answer, "200") {
		one = strings.ToUpper(one)
		if strings.Contains(answer, ", ") {
			one += "/"
		}
	}
	return one
}

// gap is a dot for up to 2 s, and one more for about each three times that.
func gap(seconds float64) string {
	dots := 0
	for _, least := range []float64{0.4, 2, 6, 20, 60} {
		if seconds >= least {
			dots++
		}
	}
	return strings.Repeat("·", dots)
}
