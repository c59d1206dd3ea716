package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	outcome "example.com/watchglass/docs/workshop/2_1_outcome"
	push "example.com/watchglass/docs/workshop/3_1_push"
	diff "example.com/watchglass/docs/workshop/4_2_diff"
	process "example.com/watchglass/docs/workshop/6_1_process"
)

// A printer prints what the pipe prints, with the time in front, and keeps what each exercise does.
// The order between two parts may change from run to run; the order of what one part does can't.
type printer struct {
	began time.Time

	mu     sync.Mutex // one line at a time
	out    io.Writer
	record record
	cache  string // with the index, as a line
}

// Write implements io.Writer. It is called with whole lines.
func (p *printer) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.print("", string(bytes.TrimRight(text, "\n")))
	return len(text), nil
}

func (p *printer) print(part, line string) {
	at := time.Since(p.began).Round(100 * time.Millisecond)
	fmt.Fprintf(p.out, "    %5s  %-11s  %s\n", at, part, line)
}

// did prints and keeps what an exercise has made of its input.
func (p *printer) did(part, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.note(part, line)
	p.print(part, line)
}

// note keeps it only.
func (p *printer) note(part, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.note(part, line)
}

func (p *printer) listed(objects int, version string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.lists++
	p.print("", fmt.Sprintf("a list at version %s, objects: %d", version, objects))
}

// holds keeps what is in cache and index now.
func (p *printer) holds(cache process.Cache, byApp diff.Index) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var states []string
	for _, name := range slices.Sorted(maps.Keys(cache)) {
		states = append(states, cache[name])
	}
	p.cache = fmt.Sprint(states)
	for _, app := range slices.Sorted(maps.Keys(byApp)) {
		names := slices.Sorted(maps.Keys(byApp[app]))
		p.cache += fmt.Sprintf(", %s: %s", app, strings.Join(names, " "))
	}
}

// scene begins the next scene.
func (p *printer) scene(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.scene++
	fmt.Fprintf(p.out, "\n  %s\n", fmt.Sprintf(format, args...))
}

// now returns how often the pipe has listed, and what its cache holds.
func (p *printer) now() (lists int, cache string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.record.lists, p.cache
}

// end returns what the run comes to. What the pipe does when it is stopped is not part of it.
func (p *printer) end() record {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out = io.Discard
	got := p.record
	got.cache, _, _ = strings.Cut(p.cache, ",")
	p.record = record{}
	return got
}

func deltaText(d push.Delta) string {
	if d.Tombstone {
		return d.Type + " (tombstone) " + d.State
	}
	return d.Type + " " + d.State
}

func describe(end outcome.End, next outcome.Action) string {
	what := "the watch has ended"
	switch {
	case end.Status != 0:
		what = fmt.Sprintf("status %d", end.Status)
	case !end.Opened:
		what = "no connection"
	}
	then := "watch again"
	if next.List {
		then = "list"
	}
	if next.Wait {
		then += ", after a pause"
	}
	return what + ": " + then
}
