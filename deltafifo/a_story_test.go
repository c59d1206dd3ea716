package deltafifo

import (
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// The stories of this stage are in testdata. Read them with
//
//	go test -v -run Stories ./deltafifo
func TestStories(t *testing.T) {
	story.Play(t, "testdata/*.story", func(testing.TB) story.Machine { return newStage() })
}
