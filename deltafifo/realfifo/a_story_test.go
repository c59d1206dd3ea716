package realfifo

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// The stories play the same input through both queues. They are in testdata. Read them with
//
//	go test -v -run Stories ./deltafifo/realfifo
func TestStories(t *testing.T) {
	story.Play(t, "testdata/*.story", func(testing.TB) story.Machine { return newSideBySide() })
}
