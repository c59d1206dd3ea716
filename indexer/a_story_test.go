package indexer

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// TestStories plays testdata/*.story. Read them with go test -v -run Stories ./indexer.
func TestStories(t *testing.T) {
	story.Play(t, "testdata/*.story", func(testing.TB) story.Machine { return newStage() })
}
