// Command site serves this repository as a small web site for reading: the chapters and appendices,
// the doc comments of the packages, and the source.
//
//	go run ./docs/tools/site                       # then open the URL that it prints
//	go run ./docs/tools/site -addr 127.0.0.1:9000
//
// Paths are those of the repository: /docs/1-fakeapi.md is the chapter, /informer/ the package's
// doc, /informer/process.go its source, and /informer/process.go#cache.processDeltas the line where
// that declaration stands now. So links of the chapters work on the site as they do on a code host.
// An excerpt is headed by a link to its declaration, a name in code font such as
// indexer.Store is a link to it, and state diagrams are drawn.
//
// A story of the informer has a replay, /replay/NAME.html: one HTML file that shows what happens in
// the story, step by step, on the page of docs/run/live. A link of a chapter to such a story that has
// words of an event as its title leads to that event of the replay.
//
// Pages are read and rendered when they are requested: to see an edit, reload. A chapter or package
// that is added appears in the list of pages after a restart.
//
// # What is promised
//
// It answers on loopback addresses, to requests for loopback names. Pages contain no
// scripts, load nothing from elsewhere, and a policy forbids the browser to do so. A replay has a
// script, and its policy cuts it off from everything else, this site included. Only files that
// belong to the repository are served: what .gitignore names is not.
//
// # What is not promised
//
// Markdown in general. The renderer knows what the pages use: headings, paragraphs, lists that have
// no lists in them, tables, code, links, images, emphasis, quotations, folded answers, and of
// Mermaid's diagrams those of states. Other HTML is shown as text. A test finds pages that use
// more.
package main

import (
	"context"
	"flag"
	"io"
	"os"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/repo"
)

// usual is where the site is served if nothing else is asked for and the port is free.
const usual = "127.0.0.1:8099"

func main() { program.Main("site", run) }

// run serves the site until ctx is done.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("site", flag.ContinueOnError)
	addr := flags.String("addr", "", "listen on this loopback `host:port` (default "+usual+
		", or a free port where that one is taken)")
	err := program.Parse(flags, args, "The chapters, the package docs and the source, for a browser.",
		stdout)
	if err != nil {
		return err
	}
	top, err := repo.Root()
	if err != nil {
		return err
	}
	listener, err := program.Listen(*addr, usual)
	if err != nil {
		return err
	}
	return program.Serve(ctx, listener, newSite(os.DirFS(top)), stdout)
}

// policy allows the style and the pictures of this site, and nothing else: no scripts at all.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
