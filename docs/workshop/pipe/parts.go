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
	id     string
	needed bool // without it there is no pipe
	try    func()
}

var parts = []part{
	{"1.2 frames", true, func() { frames.NewReader(strings.NewReader("")).Next() }},
	{"2.1 outcome", true, func() { outcome.Next(outcome.End{}) }},
	{"2.2 backoff", false, func() { new(backoff.Backoff).Failed(0, 0) }},
	{"3.1 push", true, func() {
		q := push.Queue{Items: map[string][]push.Delta{}}
		q.Push("web-1", push.Delta{Type: "Added"})
	}},
	{"3.2 missing", true, func() { missing.Tombstones(nil, nil, nil) }},
	{"3.3 synced", false, func() { new(synced.Progress).HasSynced() }},
	{"4.1 keys", false, func() { _, _ = keys.Key("", "web-1") }},
	{"4.2 diff", false, func() { diff.Index{}.Update("web-1", nil, nil) }},
	{"5.2 pump", true, func() {
		in := make(chan string)
		close(in)
		pump.Pump(in, make(chan string))
	}},
	{"6.1 process", true, func() { process.Cache{}.Process(nil) }},
}

// openParts returns which parts are not written yet.
func openParts() (open []part) {
	for _, p := range parts {
		if isOpen(p.try) {
			open = append(open, p)
		}
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

// missingParts says which exercises are needed and open, in a sentence; "" if there are none.
func missingParts(open []part) string {
	var ids []string
	for _, p := range open {
		if p.needed {
			ids = append(ids, p.id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return "The pipe still needs " + strings.Join(ids, ", ") + ". make workshop shows where they are."
}

// instead is what takes the place of parts that are not needed and open.
type instead struct {
	backoff, synced, keys, diff bool
}

func insteadOf(open []part) (i instead) {
	for _, p := range open {
		switch p.id {
		case "2.2 backoff":
			i.backoff = true
		case "3.3 synced":
			i.synced = true
		case "4.1 keys":
			i.keys = true
		case "4.2 diff":
			i.diff = true
		}
	}
	return i
}

func (i instead) describe(out io.Writer) {
	for _, line := range []struct {
		open bool
		text string
	}{
		{i.backoff, "2.2 backoff is open: every pause is a second."},
		{i.synced, "3.3 synced is open: the first list counts as processed when the queue is empty."},
		{i.keys, "4.1 keys is open: a key is the name alone."},
		{i.diff, "4.2 diff is open: there is no index by color."},
	} {
		if line.open {
			fmt.Fprintln(out, "  "+line.text)
		}
	}
}

const pauseInstead = time.Second
