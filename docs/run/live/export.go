package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// export plays the story and writes the recording. It ends the program.
func export(o options, stdout, stderr io.Writer) int {
	code := exitOK
	inBubble(func() {
		if err := exportTo(o, stdout); err != nil {
			code = complain(stderr, err, exitFailed)
		}
	}, func() { os.Exit(code) })
	return exitFailed // inBubble has ended the program
}

// inBubble runs f in a bubble of testing/synctest, in which hours pass in microseconds, and then
// calls end, which must end the program. Only a test can have a bubble, and testing.Main is the way
// in which a program that go test has not made can be one.
func inBubble(f, end func()) {
	testing.Init()
	_ = flag.CommandLine.Parse(nil) // testing.Main would read the flags of this program as its own
	matches := func(string, string) (bool, error) { return true, nil }
	test := func(t *testing.T) {
		synctest.Test(t, func(*testing.T) { f() })
		end()
	}
	testing.Main(matches, []testing.InternalTest{{Name: "recording", F: test}}, nil, nil)
}

// exportTo runs in a bubble.
func exportTo(o options, stdout io.Writer) error {
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
	_, _ = fmt.Fprintf(stdout, "%s: %d events\n", o.export, len(tape.Events))
	return nil
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
