package main

import (
	"fmt"
	"strings"
	"time"

	"example.com/watchglass/fakeapi"
)

// scenes are what happens to the pipe: the first scenes of the tour.
type scenes struct {
	*printer
	server  *fakeapi.Server
	network *network
	cache   func() string // of the informer in the scenes, as a line
	rest    func()
}

func (s *scenes) play(start func()) {
	s.create("web-1", "red")
	s.create("web-2", "blue")
	s.scene("Two widgets exist. Your informer starts: it lists them, and opens a watch.")
	start()
	s.done()

	s.scene("web-1 becomes green, and web-3 is created. The watch reports both.")
	s.paint("web-1", "green")
	s.create("web-3", "blue")
	s.done()

	s.scene("The server ends the watch, as servers do after some minutes. Nothing is listed again.")
	s.server.DropWatches()
	s.rest()
	s.remove("web-3")
	s.done()

	s.scene("The network is down. web-2 is deleted, web-1 changes, and the server drops its history.")
	s.network.down.Store(true)
	s.server.DropConnections()
	s.remove("web-2")
	s.paint("web-1", "black")
	s.server.Compact()
	s.rest()
	s.scene("It is back. Your reflector pauses before each attempt, so this takes up to %v.\n"+
		"  Then the watch gets 410, and a list shows that web-2 is missing: a tombstone.", settle)
	s.network.down.Store(false)
	for range int(settle / (200 * time.Millisecond)) {
		s.rest()
		if s.isAsTheRealOne() {
			break
		}
	}
	for range 5 { // what is wrong would still come
		s.rest()
	}
	s.done()
}

// isAsTheRealOne reports whether lists and cache are what they have to become.
func (s *scenes) isAsTheRealOne() bool {
	cache, _, _ := strings.Cut(s.cache(), ",")
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record.lists >= realRun.lists && cache == realRun.cache
}

// done lets the pipe come to rest, and shows the cache.
func (s *scenes) done() {
	s.rest()
	s.say("cache", "%s", s.cache())
}

func (s *scenes) create(name, color string) {
	s.must(s.server.Create("widgets", widget(name, color)))
}

func (s *scenes) paint(name, color string) {
	s.must(s.server.Update("widgets", widget(name, color)))
}

func (s *scenes) remove(name string) { s.must(nil, s.server.Delete("widgets", "default", name)) }

func (s *scenes) must(_ any, err error) {
	if err != nil {
		panic(fmt.Sprintf("the script of the scenes does not fit the server: %v", err))
	}
}

func widget(name, color string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":%q}}`, name, color)
}
