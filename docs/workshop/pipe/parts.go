package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	frames "example.com/watchglass/docs/workshop/1_2_frames"
	outcome "example.com/watchglass/docs/workshop/2_1_outcome"
	backoff "example.com/watchglass/docs/workshop/2_2_backoff"
	push "example.com/watchglass/docs/workshop/3_1_push"
	missing "example.com/watchglass/docs/workshop/3_2_missing"
	synced "example.com/watchglass/docs/workshop/3_3_synced"
	keys "example.com/watchglass/docs/workshop/4_1_keys"
	diff "example.com/watchglass/docs/workshop/4_2_diff"
	pump "example.com/watchglass/docs/workshop/5_2_pump"
	process "example.com/watchglass/docs/workshop/6_1_process"
)

// A part is an exercise that has a place in the pipe. try calls it once, to see whether its body is
// written: an exercise that is open panics.
type part struct {
	id      string
	without string // what the pipe does without it; "": it needs it
	try     func()
}

var parts = []part{
	{"1.2 frames", "", func() { frames.NewReader(strings.NewReader("")).Next() }},
	{"2.1 outcome", "", func() { outcome.Next(outcome.End{}) }},
	{"2.2 backoff", "every pause is a second", func() { new(backoff.Backoff).Failed(0, 0) }},
	{"3.1 push", "", func() {
		q := push.Queue{Items: map[string][]push.Delta{}}
		q.Push("web-1", push.Delta{Type: "Added"})
	}},
	{"3.2 missing", "", func() { missing.Tombstones(nil, nil, nil) }},
	{"3.3 synced", "the first list counts as processed when the queue is empty",
		func() { new(synced.Progress).HasSynced() }},
	{"4.1 keys", "a key is the name alone", func() { _, _ = keys.Key("", "web-1") }},
	{"4.2 diff", "there is no index by color", func() { diff.Index{}.Update("web-1", nil, nil) }},
	{"5.2 pump", "", func() {
		in := make(chan string)
		close(in)
		pump.Pump(in, make(chan string))
	}},
	{"6.1 process", "", func() { process.Cache{}.Process(nil) }},
}

// absent holds the ids of parts that are not written yet.
type absent map[string]bool

func absentParts() absent {
	open := absent{}
	for _, p := range parts {
		open[p.id] = isOpen(p.try)
	}
	return open
}

// isOpen reports whether try panics with TODO. Another panic is a bug of the solution, which its
// laws show better than this program could.
func isOpen(try func()) (open bool) {
	defer func() {
		if recovered := recover(); recovered != nil {
			open = strings.HasPrefix(fmt.Sprint(recovered), "TODO")
		}
	}()
	try()
	return false
}

// missing says which exercises are needed and open, in a sentence; "" if there are none.
func (a absent) missing() string {
	var ids []string
	for _, p := range parts {
		if p.without == "" && a[p.id] {
			ids = append(ids, p.id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return "The pipe still needs " + strings.Join(ids, ", ") + ". make workshop shows where they are."
}

// describe says what the pipe does without the parts that are absent.
func (a absent) describe(out io.Writer) {
	for _, p := range parts {
		if a[p.id] {
			fmt.Fprintf(out, "  %s is open: %s.\n", p.id, p.without)
		}
	}
}

const pauseInstead = time.Second
