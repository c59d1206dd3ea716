package informer_test

import (
	"testing"

	"example.com/watchglass/docs/story"
)

// TestStories plays the whole pipe: a fakeapi server and an informer, real HTTP over pipes, virtual
// time. Read the files in testdata, or run go test -v -run Stories ./informer.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", func(t testing.TB) story.Machine {
		return newHouse(t)
	})
}
