package workqueue

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// TestStories plays testdata/*.story. Read them with go test -v -run Stories ./informer/workqueue.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", newMachine)
}
