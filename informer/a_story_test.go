package informer

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// TestStories plays the whole pipe: a fakeapi server and an informer, real HTTP over pipes, virtual
// time. Read the files in testdata, or run go test -v -run Stories ./informer.
//
// It is in this file so that go test -v shows it first.
func TestStories(t *testing.T) {
	open := func(t testing.TB) story.Machine { return newHouse(t) }
	story.PlayInBubble(t, "testdata/*.story", open)
	t.Run("further", func(t *testing.T) {
		story.PlayInBubble(t, "testdata/further/*.story", open)
	})
}
