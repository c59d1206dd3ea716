package story

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// A Program is what a model test plays on the model and on the real thing. Each byte is one choice.
// History says what was made of them so far; a failure shows it.
type Program struct {
	choices []byte
	History []string
}

// FuzzModel plays programs of so many bytes; longer ones only repeat themselves. go test plays as
// many random ones as random says, and those in also, which chance would seldom make.
func FuzzModel(f *testing.F, random, bytes int, play func(*testing.T, *Program), also ...[]byte) {
	f.Add([]byte{}) // stands for the random ones
	for _, program := range also {
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 0 {
			play(t, &Program{choices: choices[:min(len(choices), bytes)]})
			return
		}
		for seed := range random {
			choices := make([]byte, bytes)
			_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(choices)
			play(t, &Program{choices: choices})
		}
	})
}

// Over reports whether all choices were made.
func (p *Program) Over() bool { return len(p.choices) == 0 }

// Choose returns a number below n, 0 when the program is over.
func (p *Program) Choose(n int) int {
	if p.Over() {
		return 0
	}
	choice := int(p.choices[0])
	p.choices = p.choices[1:]
	return choice % n
}

// Note appends a line to the history.
func (p *Program) Note(format string, args ...any) {
	p.History = append(p.History, fmt.Sprintf(format, args...))
}

// Laws returns the rows of a section of testdata/laws.txt, which begins with "-- section --". A row
// is a line, and bars separate its cells. Lines that begin with # are comments. A section without
// rows fails the test: nothing would be tested.
func Laws(t testing.TB, section string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/laws.txt")
	if err != nil {
		t.Fatal(err)
	}
	unix := strings.ReplaceAll(string(text), "\r\n", "\n") // a clone may have the line ends of Windows
	_, rest, _ := strings.Cut(unix, "-- "+section+" --\n")
	rest, _, _ = strings.Cut(rest, "\n-- ")
	for line := range strings.Lines(rest) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			rows = append(rows, strings.Split(line, " | "))
		}
	}
	if rows == nil {
		t.Fatalf("testdata/laws.txt has no rows in section %q", section)
	}
	return rows
}

// Late returns a body of an HTTP response whose content arrives later than body's, and one line at
// a time: events that a server sent together are read one by one, lag apart. A Read that waits goes
// on when done is closed; nil is never closed. Close closes body.
func Late(body io.ReadCloser, lag time.Duration, done <-chan struct{}) io.ReadCloser {
	return late{body, bufio.NewReader(body), lag, done}
}

type late struct {
	io.ReadCloser
	arrived *bufio.Reader
	lag     time.Duration
	done    <-chan struct{}
}

// Read implements io.Reader.
func (l late) Read(p []byte) (int, error) {
	if _, err := l.arrived.Peek(1); err != nil {
		return 0, err
	}
	line, _ := l.arrived.Peek(min(l.arrived.Buffered(), len(p)))
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	select {
	case <-time.After(l.lag):
	case <-l.done:
	}
	return l.arrived.Read(p[:len(line)])
}

// Lanes collects what several goroutines report and shows it lane by lane. Order within a lane is
// what the machinery promises; order between lanes is not, so it cannot be seen here: a story that
// showed it would differ from run to run.
//
// All methods may be called from any goroutine.
type Lanes struct {
	start time.Time

	mu    sync.Mutex          // guards what is below
	names []string            // the order of the lanes
	more  []string            // the other lanes, sorted
	lines map[string][]string // what was reported since the last String
}

// NewLanes returns lanes that are shown in the order of names. Times are counted from this call.
func NewLanes(names ...string) *Lanes {
	return &Lanes{start: time.Now(), names: slices.Clone(names), lines: map[string][]string{}}
}

// Report adds a line to a lane, stamped with the time since [NewLanes]. Lanes that were not named
// there come after the others, sorted by name, because the order of their first lines is a matter
// of chance.
func (l *Lanes) Report(lane, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i, found := slices.BinarySearch(l.more, lane); !found && !slices.Contains(l.names, lane) {
		l.more = slices.Insert(l.more, i, lane)
	}
	at := time.Since(l.start).Round(time.Millisecond)
	l.lines[lane] = append(l.lines[lane], fmt.Sprintf("%8s  %s", at, fmt.Sprintf(format, args...)))
}

// String returns the lines since the last call, lane by lane, and forgets them.
func (l *Lanes) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := slices.Concat(l.names, l.more)
	width := 0
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(name))
	}
	var b strings.Builder
	for _, name := range names {
		label := name
		for _, line := range l.lines[name] {
			fmt.Fprintf(&b, "%-*s %s\n", width, label, line)
			label = ""
		}
	}
	clear(l.lines)
	return b.String()
}
