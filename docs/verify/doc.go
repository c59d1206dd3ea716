// Package verify checks that the docs show what is there, and that the code keeps the rules of
// this repository. It has only tests: they read every file once, and check it.
//
//	go test ./docs/verify                  # everything, in a few seconds
//	STORY=rewrite go test ./docs/verify    # bring the printed blocks of the pages up to date first
//
// # What is checked
//
// Pages quote what is there: excerpts of code, steps of stories, the output of commands, and
// diagrams (pages_test.go, excerpt_test.go, printed_test.go), and what curl shows of the server's
// answers, in a bubble with a clock of its own (curl_test.go, terminal_test.go). Whole programs
// compile (program_test.go), and the README's reading list follows the map's (reading_test.go).
// Links and their anchors lead somewhere (pages_test.go), and a `pkg.Name` in code font is a name
// of that package (names_test.go).
//
// Chapters share one skeleton, are short, and fold the answers to their questions
// (chapters_test.go). Together they show every story, and one of them introduces each package
// (complete_test.go). The dictionary of chapter 9 has every exported name (dictionary_test.go), and
// the page for facilitators repeats every question (facilitator_test.go). Tests that a page names
// exist (tests_named_test.go).
//
// Packages import only what they may, and the module requires only testify (imports_test.go).
// Files, functions and lines are short, and everything exported has a comment (shape_test.go). Go
// is formatted, no test sleeps outside a bubble, and a story has at most twelve steps, each one
// that shows a state with a sentence before it (manners_test.go).
//
// # How to read a failure
//
// A finding names the file and the line, then the promise that is broken and what to do about it:
//
//	docs/1-fakeapi.md:41: not in fakeapi/stream/stream.go#stream.run: "\tdefer s.close()"
//		The promise: a block under <!-- source: file#Name --> is that declaration, line by line.
//		What to do:  your change is fine; it is the page that is out of date: …
//
// When a quoted line of code has changed, usually the code is right and the page is out of date.
//
// # How the rules are tested
//
// Each rule is a function from a tree of files to findings. The tests in bite_*_test.go give it
// small trees, each with one mistake, and compare the findings; it is an error if no such tree
// breaks a rule. The test in drift_test.go changes the real pages in memory, one at a time.
package verify
