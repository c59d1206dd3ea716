// Command book makes the book: the chapters, the stories, the doc comments of the packages and the
// source, as static files that any web server can hand out, below any path.
//
//	go run ./docs/tools/book                   # serves it; open the URL that it prints
//	go run ./docs/tools/book -out /tmp/book    # writes it into a folder, to publish
//
// The same source makes the same bytes. All links are relative and none loads anything from another
// host. A page can be read without scripts: a scene is then its picture and the text of its story.
//
// # How it works
//
// Each file and folder of the repository has a page, whose path is its own with .html (links.go).
// Pages link to each other as files of the repository do, and one function turns these links into
// those of pages; a link that leads to no page, or to no anchor of it, fails the build. A chapter
// is Markdown (markdown.go, code.go), a folder is the doc of its package (folder.go), a story is
// prose, commands and states (story.go). A story that a machine can play has a tape (package tape),
// which the scripts of the live page draw as a scene (scene.go).
//
// The scenes of a chapter share one stage beside the text (pin.js). A link to a story whose title
// has words of an event names a moment, [text](07_a.story "web-2: Deleted tombstone"), and one with
// the title "question" the event at which the lesson asks. Moments move the stage when they are
// pressed or passed, and are the anchors of addresses. What is for a terminal is folded (run.go).
//
// The machine's page is that of the live page, with the program inside (package static), which
// scenes and stories load when a reader asks for it.
//
// # What is not promised
//
// Markdown in general: package page says what is known of it, and of Mermaid's diagrams only those
// of states are. Other HTML is shown as text. A test finds pages that use more.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/bench"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// usual is where the book is served if nothing else is asked for and the port is free.
const usual = "127.0.0.1:8099"

func main() {
	debug.SetGCPercent(400) // the book is made once, and most of it is kept until then
	tape.InTest(func(t *testing.T) { program.Main("book", maker{t}.run) })
}

// A maker makes books, and plays their stories in its test.
type maker struct{ t *testing.T }

// run writes the book into a folder, or serves it until ctx is done.
func (m maker) run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("book", flag.ContinueOnError)
	addr := flags.String("addr", "", "listen on this loopback `host:port` (default "+usual+
		", or a free port where that one is taken)")
	out := flags.String("out", "", "write the book into this `folder`, and serve nothing")
	address := flags.String("repo", "", "say that the source is at this `url`")
	page := flags.String("page", "", "print the URL of this `page`, for example machine/index.html")
	err := program.Parse(flags, args, "The chapters, the stories and the source, for a browser.",
		stdout)
	if err != nil {
		return err
	}
	top, err := repo.Root()
	if err != nil {
		return err
	}
	if *out != "" {
		return m.publish(top, *out, *address, stdout)
	}
	listener, err := program.Listen(*addr, usual)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "watchglass-book-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := m.write(top, dir, *address); err != nil {
		return err
	}
	return program.Serve(ctx, listener, *page, newWorkbench(top, dir), stdout)
}

// publish writes the book with all of its workbench, or says why it has none.
func (m maker) publish(top, dir, address string, stdout io.Writer) error {
	if err := m.write(top, dir, address); err != nil {
		return err
	}
	if err := bench.Possible(); err != nil {
		_, _ = fmt.Fprintln(stdout, err)
		return nil
	}
	return writeBench(top, dir)
}

func (m maker) write(top, dir, address string) error {
	recorder := tape.NewRecorder(m.t, tape.NewSource(os.DirFS(top)))

	played := slices.DeleteFunc(slices.Clone(stages), func(s string) bool { return s == taped })
	// While the pages are made, the program is built. It has files of its own, which go with its end.
	machine := sync.OnceValues(func() (map[string][]byte, error) {
		return static.Machine(top, played, recorder)
	})
	go func() { _, _ = machine() }()
	defer func() { _, _ = machine() }()
	b, err := newBook(os.DirFS(top), recorder, machine, address)
	if err != nil {
		return err
	}
	return b.write(dir)
}
