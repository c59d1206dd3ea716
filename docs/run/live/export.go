package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"testing"
	"testing/synctest"
)

// A recording of a story is the page itself, with its style, its script and all events in one file.
// It needs no server. The story plays in virtual time, so the recording is made at once, and its
// times are those of the story.

// maxTape is how many events a recording may have.
const maxTape = 20000

// inTest calls f with a test, which can have bubbles of testing/synctest, in which hours pass in
// microseconds. testing.Main is the way in which a program that go test has not made can be a test.
// It would end the program with the test, so the test never ends. A program can call inTest once.
func inTest(f func(*testing.T)) {
	testing.Init()
	_ = flag.CommandLine.Parse(nil) // testing.Main would read the flags of this program as its own
	done := make(chan struct{})
	test := func(t *testing.T) {
		f(t)
		close(done)
		select {}
	}
	every := func(string, string) (bool, error) { return true, nil }
	go testing.Main(every, []testing.InternalTest{{Name: "recording", F: test}}, nil, nil)
	<-done
}

// record plays a story to its end, in a bubble.
func record(t *testing.T, o options) (tape *Tape, err error) {
	synctest.Test(t, func(*testing.T) { tape, err = o.play() })
	return tape, err
}

// play plays the story to its end. Event 0 is the state before anything.
func (o options) play() (*Tape, error) {
	source := newLines()
	defer source.close()
	m, err := newFakeMachine(newCollector(source, maxTape), o.queue, o.stream)
	if err != nil {
		return nil, err
	}
	defer m.close()
	p, err := readStory(m, o.story)
	if err != nil {
		return nil, err
	}
	before := said(laneStory, "open", "Nothing has happened yet.")
	nothing := &Event{Event: before.Event, Callers: []Call{}}
	nothing.State, _, _ = m.seen.list()
	for n := range p.steps {
		if err := p.play(n); err != nil {
			return nil, err
		}
	}
	events, _, ok := m.seen.after(0, maxTape+1)
	if !ok || len(events) > maxTape {
		return nil, fmt.Errorf("%s makes more than %d events", o.story, maxTape)
	}
	tape := &Tape{Meta: m.meta(), Events: []*Event{nothing}, Sources: map[string]*Excerpt{}}
	tape.Meta.Story = p.file
	for _, e := range events {
		tape.Events = append(tape.Events, e)
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

// export writes a recording to a file.
func export(tape *Tape, file string, stdout io.Writer) error {
	data, err := inline(static, tape)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d events\n", file, len(tape.Events))
	return err
}

// The tags of index.html in whose place a recording has the files themselves.
var (
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="([a-z]+\.css)">`)
	scriptTag = regexp.MustCompile(`<script src="([a-z]+\.js)" defer></script>\n?`)
)

// inline puts styles, scripts and tape into the page. The scripts stand at its end, in their order,
// because a script within a page does not wait for the rest of it. The tape is compressed: each of
// its events has the whole state, and most of that is the state before it.
func inline(files fs.FS, tape *Tape) ([]byte, error) {
	page, err := fs.ReadFile(files, "static/index.html")
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	text := base64.NewEncoder(base64.StdEncoding, &data)
	packed := gzip.NewWriter(text)
	if err := json.NewEncoder(packed).Encode(tape); err != nil {
		return nil, err
	}
	if err := errors.Join(packed.Close(), text.Close()); err != nil {
		return nil, err
	}
	end := fmt.Appendf(nil, "<script id=\"tape\" type=\"application/gzip\">%s</script>\n", &data)
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
	Meta    Meta                `json:"meta"`
	Events  []*Event            `json:"events"`
	Sources map[string]*Excerpt `json:"sources"` // by file:line
}

// encoded is the JSON of a value that has nothing in it that could fail.
func encoded(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}
