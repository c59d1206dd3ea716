package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"example.com/watchglass/fakeapi"
)

const (
	path   = "/apis/workshop.example.dev/v1/namespaces/default/widgets"
	settle = 6 * time.Second // longer than the first two pauses after failures can be
)

// scenes are what happens to the pipe: the first scenes of the tour.
type scenes struct {
	*printer
	server  *fakeapi.Server
	network *network
	rest    func()
}

func (s *scenes) play(start func()) {
	s.create("web-1", "web")
	s.create("web-2", "web")
	s.scene("Two widgets exist. Your informer starts: it lists them, and opens a watch.")
	start()
	s.done()

	s.scene("web-1 moves to another app, and web-3 is created. The watch reports both.")
	s.move("web-1", "shop")
	s.create("web-3", "web")
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
	s.move("web-1", "web")
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
	lists, cache := s.now()
	return lists >= realRun.lists && strings.HasPrefix(cache, realRun.cache)
}

// done lets the pipe come to rest, and shows the cache.
func (s *scenes) done() {
	s.rest()
	_, cache := s.now()
	fmt.Fprintln(s, "cache", cache)
}

func (s *scenes) create(name, app string) { s.must(s.server.Create("widgets", widget(name, app))) }

func (s *scenes) move(name, app string) { s.must(s.server.Update("widgets", widget(name, app))) }

func (s *scenes) remove(name string) { s.must(nil, s.server.Delete("widgets", "default", name)) }

func (s *scenes) must(_ any, err error) {
	if err != nil {
		panic(fmt.Sprintf("the script of the scenes does not fit the server: %v", err))
	}
}

func widget(name, app string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q,"labels":{"app":%q}}}`, name, app)
}

// A network is the connection to the server, which can be down.
type network struct {
	to   http.RoundTripper
	down atomic.Bool
}

var errDown = errors.New("connection refused")

// RoundTrip implements http.RoundTripper.
func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	if n.down.Load() {
		return nil, errDown
	}
	return n.to.RoundTrip(r)
}
