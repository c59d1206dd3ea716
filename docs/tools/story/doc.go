// Package story plays text files as tests, so that a test can be read like a chapter.
//
// A story is prose, a command, a line of four dashes, and the complete state the stage must show
// after that command:
//
//	# A relist comes back without web-2. Replace compares the list with what is known ...
//	relist web-1 rv=90
//	----
//	queue [web-1 web-2]
//	  web-1: Replaced@90
//	  web-2: Deleted@unknown
//
// A blank line ends a step. A step with dashes is loud: its state is shown and compared. A step
// without them is quiet: its command is shown, on one line, and nothing else. No command is hidden:
// otherwise the prose would describe events that the page does not show. Lines that begin with two
// slashes are for the author. They are not shown, and a rewrite keeps only those above the first
// step.
//
// A [Machine] knows the commands of one stage; [Play] and [PlayInBubble] run each file as a subtest
// and compare. With -v every story is printed; without -v only a story that breaks, up to the
// broken step. A word of a command that the machine does not read is an error: it is misspelt, or
// the story says something that has no effect.
//
//	func TestStories(t *testing.T) {
//		story.Play(t, "testdata/*.story", func(t testing.TB) story.Machine { return newStage() })
//	}
//
// The environment variable STORY changes what is done with the files. (Test binaries of packages
// without stories would refuse a flag.)
//
//	STORY=rewrite go test ./...   accepts what the stages show now. Read the difference before you
//	                              commit it: a wrong state is accepted, too.
//	STORY=/tmp/my.story go test -v -run '^TestStories$' ./indexer
//	                              plays one file of your own, shows the state after each command,
//	                              and compares nothing. accept:/tmp/my.story writes these states
//	                              into the file, and compare:/tmp/my.story compares them with it.
//
// A file that does not exist begins as a copy of the stage's testdata/story.template, which lists
// the stage's commands; a story with any other command ends with that list. The template is played
// with the stories, so that it stays correct. make story STAGE=indexer does the same, with a
// file in the home folder of its user.
//
// The other tests of a stage use two more funcs: [Bubble] tries to break a law in a bubble,
// and [FuzzModel] plays random programs on a stage and on its model. [Table] and [Mermaid] draw the
// table that a stage decides by.
//
// What is promised: steps run in order, one at a time; in a bubble every goroutine waits before the
// state is printed, and time passes only when the story says "wait". What is not promised: that a
// story proves anything about commands that it does not contain.
package story
