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
// indexer.Store is a link to it, and the reflector's machine is drawn from its table.
//
// A story of the informer has a replay, /replay/NAME.html: one HTML file that shows what happens in
// the story, step by step, on the page of docs/run/live. The site runs go run ./docs/run/live
// -export for it when it is first requested, one at a time, and again when the story has been
// edited.
//
// Pages are read and rendered when they are requested: to see an edit, reload. A chapter or package
// that is added appears in the list of pages after a restart.
//
// # What is promised
//
// It answers GET and HEAD, on loopback addresses, to requests for loopback names. Pages contain no
// scripts, load nothing from elsewhere, and a policy forbids the browser to do so. A replay has a
// script, and its policy cuts it off from everything else, this site included. Only files that
// belong to the repository are served: what .gitignore names is not.
//
// # What is not promised
//
// Markdown in general. The renderer knows what the pages use: headings, paragraphs, lists that have
// no lists in them, tables, code, links, images, emphasis, quotations and folded answers. Other
// HTML is shown as text. A test finds pages that use more. Of Mermaid's diagrams, only the
// reflector's machine is drawn.
package main
