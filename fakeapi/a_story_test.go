package fakeapi

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// TestStories plays testdata/*.story: a server, and clients that watch it over HTTP, in virtual
// time. Read them with go test -v -run Stories ./fakeapi.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", newStage)
}
