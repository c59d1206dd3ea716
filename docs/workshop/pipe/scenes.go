package main

import (
	"fmt"
	"slices"
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
	s.scene("It is back. Your reflector pauses before each attempt, so this takes up to %v. Then the\n"+
		"  watch gets 410, and a list shows that web-2 is missing: a tombstone.", settle)
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
	cache, _, _ := strings.Cut(s.informer.cacheLine(), ",")
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record.lists >= realRun.lists && cache == realRun.cache
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
	scene int
	did   map[string][]string // what an exercise did in a scene: "3 1.2 frames"
}

// note keeps a line. How often the connection is tried depends on chance, so that counts once.
func (r *record) note(part, line string) {
	if r.did == nil {
		r.did = map[string][]string{}
	}
	at := fmt.Sprint(r.scene, " ", part)
	if part != "2.1 outcome" || !slices.Contains(r.did[at], line) {
		r.did[at] = append(r.did[at], line)
	}
}

// pipe holds the exercises in the order in which an event goes through them.
var pipe = []string{"1.2 frames", "2.1 outcome", "3.2 missing", "3.1 push", "6.1 process", "5.2 pump"}

// blame returns the exercise to look at: in the first scene that differs from the real one, the
// first that did something else, or else the first that did too little. What is behind it in the
// pipe may only repeat its mistake. It returns "" if all did the same.
func blame(got, real record) (less string) {
	for scene := 1; scene <= 5 && less == ""; scene++ {
		for _, part := range pipe {
			at := fmt.Sprint(scene, " ", part)
			mine, its := got.did[at], real.did[at]
			n := min(len(mine), len(its))
			switch {
			case len(mine) > len(its), !slices.Equal(mine[:n], its[:n]):
				return part
			case n < len(its) && less == "":
				less = part
			}
		}
	}
	return less
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
	did: map[string][]string{
		"1 3.1 push":    {"Replaced web-1@2 false", "Replaced web-2@3 false"},
		"1 6.1 process": {"OnAdd web-1@2", "OnAdd web-2@3"},
		"1 5.2 pump":    {"OnAdd web-1@2", "OnAdd web-2@3"},
		"2 1.2 frames":  {"MODIFIED web-1@4", "ADDED web-3@5"},
		"2 3.1 push":    {"Updated web-1@4 false", "Added web-3@5 false"},
		"2 6.1 process": {"OnUpdate web-1@2 web-1@4", "OnAdd web-3@5"},
		"2 5.2 pump":    {"OnUpdate web-1@2 web-1@4", "OnAdd web-3@5"},
		"3 1.2 frames":  {"end", "DELETED web-3@6"},
		"3 2.1 outcome": {"the watch has ended: watch again"},
		"3 3.1 push":    {"Deleted web-3@6 false"},
		"3 6.1 process": {"OnDelete web-3@6"},
		"3 5.2 pump":    {"OnDelete web-3@6"},
		"4 1.2 frames":  {"end"},
		"4 2.1 outcome": {"the watch has ended: watch again", "no connection: watch again, after a pause"},
		"5 2.1 outcome": {"status 410: list, after a pause"},
		"5 3.2 missing": {"web-2@3"},
		"5 3.1 push":    {"Replaced web-1@8 false", "Deleted web-2@3 true"},
		"5 6.1 process": {"OnUpdate web-1@4 web-1@8", "OnDelete web-2@3"},
		"5 5.2 pump":    {"OnUpdate web-1@4 web-1@8", "OnDelete web-2@3 (tombstone)"},
	},
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
	if at := blame(got, realRun); b.Len() > 0 && at != "" {
		fmt.Fprintf(&b, "  Look at %s first: there your run begins to differ.\n", at)
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
