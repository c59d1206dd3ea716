// Package story plays text files as tests, so that a test can be read aloud.
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
// A blank line ends a step. A step without the dashes is set-up: it is carried out and nothing of
// it is shown. A [Machine] knows the commands of one stage; [Play] and [PlayInBubble] run each file
// as a subtest and compare. With -v a story prints itself; without, only a story that breaks
// prints, up to the broken step.
//
//	func TestStories(t *testing.T) {
//		story.Play(t, "testdata/*.story", func(t testing.TB) story.Machine { return newStage() })
//	}
//
// To accept what the stages now show, run STORY=rewrite go test ./... and read the difference
// before you commit it: a story believes whatever it is told, which is why the laws beside it
// exist. (It is an environment variable because packages without stories would refuse a flag.)
//
// What is promised: steps run in order, one at a time; in a bubble every goroutine has come to rest
// before the state is taken, and time moves only when the story says "wait". What is not promised:
// that a story proves anything about the commands it does not give.
package story
