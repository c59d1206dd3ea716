// Package verify checks that the docs show what is there, and that the code keeps the rules of
// this repository. It has only tests: they read every file once, and check it.
//
//	go test ./docs/tools/verify                  # everything, in a few seconds
//	STORY=rewrite go test ./docs/tools/verify    # first bring what the pages print up to date
//
// rules_test.go lists the rules, and what to do if one is broken. Pages quote what is there:
// excerpts of code, steps of stories and diagrams (blocks_test.go), and what curl prints of the
// server's answers, in a bubble with a clock of its own (curl_test.go). Pages lead to everything,
// name what exists, and keep an answer below its question (pages_test.go). Packages import only
// what they may, and files, comments and stories have one form (house_test.go).
//
// upstream.md lists what the pages claim about client-go and the API server, with a place in their
// source. A test checks the words; the page says how a reader checks the claims.
//
// A finding names the file and the line, and says what to do:
//
//	docs/4.md:41: source indexer/x.go#F: "\tdefer s.close()" is not there
//		What to do: STORY=rewrite go test ./docs/tools/verify writes stories, diagrams and …
//
// When a quoted line of code has changed, usually the code is right and the page is out of date.
//
// Each rule is a function from a tree of files to findings. TestDriftIsFound changes the real
// repository, in memory, one text at a time, and expects that the rule notices; it is an error if
// nothing there breaks a rule.
package verify
