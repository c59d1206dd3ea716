package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// A recording of a story is the page itself, with its style, its script and all events in one file.
// It needs no server. The story plays in virtual time, so the recording is made at once, and its
// times are those of the story.

// maxTape is how many events a recording may have.
const maxTape = 20000

// inBubble runs f in a bubble of testing/synctest, in which hours pass in microseconds. Only a test
// can have a bubble, and testing.Main is the way in which a program that go test has not made can
// be one. It would end the program with the test, so the test never ends. A program can call
// inBubble once.
func inBubble(f func()) {
	testing.Init()
	_ = flag.CommandLine.Parse(nil) // testing.Main would read the flags of this program as its own
	done := make(chan struct{})
	test := func(t *testing.T) {
		synctest.Test(t, func(*testing.T) { f() })
		close(done)
		select {}
	}
	every := func(string, string) (bool, error) { return true, nil }
	go testing.Main(every, []testing.InternalTest{{Name: "recording", F: test}}, nil, nil)
	<-done
}

// export plays the story and writes the recording. It runs in a bubble.
func export(o options, stdout io.Writer) error {
	tape, err := record(o)
	if err != nil {
		return err
	}
	var data []byte
	if strings.HasSuffix(o.export, ".json") {
		data, err = json.Marshal(tape)
	} else {
		data, err = inline(static, tape)
	}
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.export, data, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d events\n", o.export, len(tape.Events))
	return err
}

// record plays a story to its end. It runs in a bubble. Event 0 is the state before anything.
func record(o options) (*Tape, error) {
	source := newLines()
	defer source.close()
	m, err := newFakeMachine(newCollector(source, maxTape), o.queue, o.stream)
	if err != nil {
		return nil, err
	}
	defer m.close()
	p, err := readStory(m, o.story, synctest.Wait)
	if err != nil {
		return nil, err
	}
	before := said(laneStory, "open", "Nothing has happened yet.")
	nothing := &Event{Event: before.Event, Callers: []Call{}}
	nothing.State, _, _ = m.seen.list()
	for err == nil {
		err = p.play()
	}
	if !errors.Is(err, errStoryOver) {
		return nil, err
	}
	events, _, ok := m.seen.after(0, maxTape+1)
	if !ok || len(events) > maxTape {
		return nil, fmt.Errorf("%s makes more than %d events", o.story, maxTape)
	}
	tape := &Tape{Run: p.file, Meta: m.meta(), Events: reel{nothing}, Sources: map[string]*Excerpt{}}
	tape.Meta.Story = p.state()
	for _, e := range events {
		tape.Events = append(tape.Events, &e.Event)
		at := fmt.Sprintf("%s:%d", e.File, e.Line)
		if tape.Sources[at] != nil || e.File == "" {
			continue
		}
		if tape.Sources[at], err = source.excerpt(e.File, e.Line); err != nil {
			return nil, err
		}
	}
	return tape, nil
}

// The tags of index.html in whose place a recording has the files themselves.
var (
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="([a-z]+\.css)">`)
	scriptTag = regexp.MustCompile(`<script src="([a-z]+\.js)" defer></script>\n?`)
)

// inline puts styles, scripts and tape into the page. The scripts stand at its end, in their order,
// because a script within a page does not wait for the rest of it.
func inline(files fs.FS, tape *Tape) ([]byte, error) {
	page, err := fs.ReadFile(files, "static/index.html")
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(tape) // which writes < as \u003c, so no name can end the element
	if err != nil {
		return nil, err
	}
	end := fmt.Appendf(nil, "<script id=\"tape\" type=\"application/json\">%s</script>\n", data)
	for _, tag := range scriptTag.FindAllSubmatch(page, -1) {
		script, err := fs.ReadFile(files, "static/"+string(tag[1]))
		if err != nil {
			return nil, err
		}
		end = fmt.Appendf(end, "<script>\n%s</script>\n", script)
	}
	for _, tag := range styleTag.FindAllSubmatch(page, -1) {
		style, err := fs.ReadFile(files, "static/"+string(tag[1]))
		if err != nil {
			return nil, err
		}
		page = bytes.Replace(page, tag[0], fmt.Appendf(nil, "<style>\n%s</style>", style), 1)
	}
	head, tail, found := bytes.Cut(scriptTag.ReplaceAllLiteral(page, nil), []byte("</body>"))
	if !found {
		return nil, errors.New("static/index.html does not have </body>")
	}
	return slices.Concat(head, end, []byte("</body>"), tail), nil
}

// Tape is a recording: what the page plays instead of what a server sends.
type Tape struct {
	Run     string              `json:"run"`
	Meta    Meta                `json:"meta"`
	Events  reel                `json:"events"`
	Sources map[string]*Excerpt `json:"sources"` // by file:line
}

// reel is the events of a tape. Each has the whole state, and most of that is the state before it,
// so an event is written as [base, patch]: what differs from the event at the index base, the last
// one of its kind, with the state of the event just before. unreel in live.js reads it.
type reel []*Event

// MarshalJSON implements json.Marshaler.
func (r reel) MarshalJSON() ([]byte, error) {
	written := make([][2]any, 0, len(r))
	var whole []map[string]any
	parts := decoded{}
	last := map[string]int{} // the index of an event, by lane and kind
	for i, e := range r {
		now := parts.event(*e)
		kind, before := e.Lane+" "+e.Kind, map[string]any{}
		base, found := last[kind]
		if found {
			before = maps.Clone(whole[base])
		}
		if i > 0 {
			before["state"] = whole[i-1]["state"]
		}
		change, _ := patch(before, now)
		written = append(written, [2]any{base, change})
		whole, last[kind] = append(whole, now), i
	}
	return json.Marshal(written)
}

// decoded holds parts of states as values of JSON, because events share them.
type decoded map[any]any

// event returns the event as a value of JSON.
func (d decoded) event(e Event) map[string]any {
	s := e.State
	shared := map[string]any{"server": s.Server, "wire": s.Wire, "reflector": s.Reflector,
		"queue": s.Queue, "cache": s.Cache}
	e.State = State{Listeners: s.Listeners, Handlers: s.Handlers, Valves: s.Valves, Recent: s.Recent}
	now := plain(e).(map[string]any)
	state := now["state"].(map[string]any)
	for name, part := range shared {
		if d[part] == nil {
			d[part] = plain(part)
		}
		state[name] = d[part]
	}
	return now
}

// plain returns a value as JSON would give it back. The events have no value that could fail.
func plain(v any) (same any) {
	_ = json.Unmarshal(encoded(v), &same)
	return same
}

func encoded(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}

// patch says how old becomes now, in values of JSON. differs is false if it already is.
//
// A patch is the new value itself if that is no object; {"=": value} for an object that is new;
// {"~": [...]} for a list made of pieces of the old one, [from, how many], and of new values, each
// as {"v": value}; else the patches of those fields of an object that differ. No field vanishes:
// the objects that leave out empty fields are in lists.
func patch(old, now any) (change any, differs bool) {
	if reflect.DeepEqual(old, now) {
		return nil, false
	}
	switch now := now.(type) {
	case map[string]any:
		old, ok := old.(map[string]any)
		if !ok {
			return map[string]any{"=": now}, true
		}
		fields := map[string]any{}
		for field, value := range now {
			if before, had := old[field]; !had {
				fields[field], _ = patch(nil, value)
			} else if change, differs := patch(before, value); differs {
				fields[field] = change
			}
		}
		return fields, true
	case []any:
		if old, ok := old.([]any); ok && len(old) > 0 {
			return map[string]any{"~": pieces(old, now)}, true
		}
	}
	return now, true
}

// pieces makes a list out of runs of the old one and of new values.
func pieces(old, now []any) []any {
	at := make(map[string]int, len(old))
	for i, v := range old {
		at[string(encoded(v))] = i
	}
	made := []any{}
	for n := 0; n < len(now); {
		from, found := at[string(encoded(now[n]))]
		if !found {
			made = append(made, map[string]any{"v": now[n]})
			n++
			continue
		}
		run := 1
		for n+run < len(now) && from+run < len(old) {
			if !reflect.DeepEqual(old[from+run], now[n+run]) {
				break
			}
			run++
		}
		made, n = append(made, []int{from, run}), n+run
	}
	return made
}
