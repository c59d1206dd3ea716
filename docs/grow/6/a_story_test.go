package main

import (
	"testing"

	"example.com/watchglass/docs/grow/play"
)

func TestStories(t *testing.T) { play.Stories(t, run) }

func TestEveryGoroutineEndsWithTheContext(t *testing.T) { play.Stops(t, run) }
