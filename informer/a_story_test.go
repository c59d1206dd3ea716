package informer

import "testing"

// PlayStories plays the stories in testdata. Package informer_test sets it: the machine is there,
// because it uses an informer as programs do.
var PlayStories func(*testing.T)

// TestStories plays the whole pipe: a fakeapi server and an informer, real HTTP over pipes, virtual
// time. Read the files in testdata, or run go test -v -run Stories ./informer.
//
// It is in this file and in this package so that go test -v shows it first.
func TestStories(t *testing.T) { PlayStories(t) }
