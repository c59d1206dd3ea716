package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/watchglass/fakeapi"
)

// scenes are what happens to the pipe: the first scenes of the tour.
type scenes struct {
	*printer
	server   *fakeapi.Server
	network  *network
	informer *informer
	rest     func()
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
	s.scene("It is back. Your reflector pauses before each attempt, so this takes %v. Then the\n"+
		"  watch gets 410, and a list shows that web-2 is missing: a tombstone.", settle)
	s.network.down.Store(false)
	for range int(settle / (200 * time.Millisecond)) {
		s.rest()
	}
	s.done()
}

// done lets the pipe come to rest, and shows the cache.
func (s *scenes) done() {
	s.rest()
	s.say("cache", "%s", s.informer.cacheLine())
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

// A record is what a run of the scenes comes to.
type record struct {
	calls []string // of the handler, in their order
	lists int
	cache string // in the end, without the index
}

// realRun is what the informer of this project does in the same scenes.
var realRun = record{
	calls: []string{
		"OnAdd web-1@2", "OnAdd web-2@3",
		"OnUpdate web-1@2 web-1@4", "OnAdd web-3@5",
		"OnDelete web-3@6",
		"OnUpdate web-1@4 web-1@8", "OnDelete web-2@3 (tombstone)",
	},
	lists: 2, // at the start, and after the 410
	cache: "[web-1@8]",
}

// verdict says whether a run was like that of the real informer, and shows where it was not.
func verdict(got record) string {
	var b strings.Builder
	if same := strings.Join(got.calls, ", ") == strings.Join(realRun.calls, ", "); !same {
		fmt.Fprintln(&b, "  ✎ The handler was told something else than by the real informer:")
		columns := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
		fmt.Fprintln(columns, "      yours\tthe real one")
		for i := range max(len(got.calls), len(realRun.calls)) {
			mine, real := at(got.calls, i), at(realRun.calls, i)
			sign := map[bool]string{true: " ", false: "▸"}[mine == real]
			fmt.Fprintf(columns, "    %s %s\t%s\n", sign, mine, real)
		}
		columns.Flush()
	}
	if got.lists != realRun.lists {
		fmt.Fprintf(&b, "  ✎ Your reflector listed %d times, the real one %d times: at the start, and "+
			"after the 410.\n",
			got.lists, realRun.lists)
	}
	if got.cache != realRun.cache {
		fmt.Fprintf(&b, "  ✎ In the end your cache holds %s, the real one's %s, as the server.\n",
			got.cache, realRun.cache)
	}
	if b.Len() == 0 {
		return "  ✔ Your informer told its handler of each change once, in order. It listed twice,\n" +
			"    missed no deletion, and its cache is what the server has. The real one does the same.\n"
	}
	return b.String()
}

// at returns call i, "" if there are fewer.
func at(calls []string, i int) string {
	if i < len(calls) {
		return calls[i]
	}
	return ""
}
