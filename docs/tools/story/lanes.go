package story

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

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
	l.ReportAt(time.Since(l.start), lane, fmt.Sprintf(format, args...))
}

// ReportAt adds a line to a lane, stamped with this time.
func (l *Lanes) ReportAt(at time.Duration, lane, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i, found := slices.BinarySearch(l.more, lane); !found && !slices.Contains(l.names, lane) {
		l.more = slices.Insert(l.more, i, lane)
	}
	line = fmt.Sprintf("%8s  %s", at.Round(time.Millisecond), line)
	l.lines[lane] = append(l.lines[lane], line)
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
