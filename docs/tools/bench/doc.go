// Package bench makes the workbench of the book: Go's own compiler and linker, built for a browser,
// with what they need to compile an exercise of the workshop or a stage, with its tests, in a page.
//
//	files, err := bench.Build(top)     // for the folder bench of the book
//
// # How it works
//
// Everything is built from the installed Go, and Go's cache keeps it (tools.go). The archives are
// those that go list names for the tests of the benches (archives.go): what is compiled in a page
// finds there what it imports. A plan has the source and the tests of one package (plan.go). In it,
// assertions of a few lines stand for testify, which would draw in net/http.
//
// A page has editors (bench.js, sheet.js, diff.js) and one workbench (client.js), which loads
// nothing before the first run. Code that is run may be a stranger's, because a change can come as
// a link. So all of it happens in a frame with an origin of its own (frame.html, frame.js), which
// can load and send nothing: its policy allows no connection, and its workers have the policy, too.
// They have a file system in memory (worker.js, disk.js). The tools' worker compiles the package,
// and the main package of a test program, and links them; a worker of its own runs the program, for
// at most 20 seconds. What the program prints goes to the judge, which is a part of docs/workshop:
// it says the same in a page as in a terminal. The pipe is compiled from the exercises of its
// reader, and run like a test program.
//
// # What it costs, and what was tried
//
// A reader loads 24 MB at the first run, and 10 MB more for the pipe, which has net/http and the
// server in it. Most of the time goes to the tools themselves. This made them faster:
//
//   - assertions of a few lines in place of testify: half as much to load and to link
//   - a main package of our own in place of go test's: a fifth fewer packages
//   - no garbage collection in compiler and linker: a third less time
//   - modules that are compiled once, while archives are still loaded
//   - a program that is the same as the last one is not built again
//
// This did not: a program without its symbol table (2 % smaller, linked in the same time), and
// archives without debug information (Go writes none for WebAssembly). Go's linker cannot add an
// exercise to a base that was linked before.
//
// # What is not promised
//
// A browser runs one thread, without the race detector: a lock that is missing may go unnoticed.
// Nothing is vetted. A file can import only what some bench needs. Tests of another package
// (example_test.go) are left out. Failed assertions are said in other words than testify's.
package bench
