package reflector

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// TestStories plays the stories in testdata. Run it with -v to watch the stage at work: a reflector
// between a server that does what the story says and a store.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story",
		func(t testing.TB) story.Machine { return newStage(t) })
}
