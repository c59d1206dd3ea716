package informer_test

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/docs/tools/tape"
)

// TestStories plays the whole pipe: a fakeapi server and an informer, real HTTP over pipes, virtual
// time. The machine is that of the tour, the live page and the book; here its stories are compared
// with what they promise. Read the files in testdata, or run go test -v -run Stories ./informer.
//
// It is in this file so that go test -v shows it first.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", tape.OpenStory)
}
