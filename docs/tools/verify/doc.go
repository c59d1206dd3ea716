// Package verify checks that the docs show what is there, and that packages keep their walls. It
// has only tests: they read every file once, and check it. (story_test.go tests the player of
// stories.)
//
//	go test ./docs/tools/verify                  # everything, in a few seconds
//	STORY=rewrite go test ./docs/tools/verify    # first bring what the pages print up to date
//
// rules_test.go lists the rules, and what to do if one is broken. Pages quote what is there:
// excerpts of code, steps of stories and diagrams (blocks_test.go), and what curl prints of the
// server's answers, in a bubble with a clock of its own (curl_test.go). The pictures beside them
// are what is drawn (pictures_test.go). Pages lead to everything, and name what exists
// (pages_test.go). Packages import only what they may, and comments name files that exist
// (house_test.go).
//
// upstream.md lists what the pages claim about client-go and the API server, with a place in their
// source. A test checks the words; the page says how a reader checks the claims.
//
// A finding names the file and the line, and says what to do:
//
//	docs/4.md:41: source deltafifo/pop.go#F: "\tdefer s.close()" is not there
//		What to do: STORY=rewrite go test ./docs/tools/verify writes stories, diagrams and …
//
// When a quoted line of code has changed, usually the code is right and the page is out of date.
package verify
