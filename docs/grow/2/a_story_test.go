package main

import (
	"testing"

	"example.com/watchglass/docs/grow/play"
)

func TestStories(t *testing.T) { play.Stories(t, run) }
