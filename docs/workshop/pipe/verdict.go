package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// A record is what a run of the scenes comes to.
type record struct {
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

// calls returns those of the handler, in their order.
func (r *record) calls() []string { return r.all("5.2 pump") }

// all returns what an exercise did in all scenes.
func (r *record) all(part string) (lines []string) {
	for scene := 1; scene <= 5; scene++ {
		lines = append(lines, r.did[fmt.Sprint(scene, " ", part)]...)
	}
	return lines
}

// pipe holds the exercises in the order in which an event goes through them.
var pipe = []string{
	"1.2 frames", "2.1 outcome", "3.2 missing", "3.1 push", "6.1 process", "3.3 synced", "5.2 pump",
}

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
	lists: 2, // at the start, and after the 410
	cache: "[web-1@8:web]",
	did: map[string][]string{
		"1 3.1 push":    {"Replaced web-1@2:web", "Replaced web-2@3:web"},
		"1 6.1 process": {"OnAdd web-1@2:web", "OnAdd web-2@3:web"},
		"1 3.3 synced":  {"the first list has been processed"},
		"1 5.2 pump":    {"OnAdd web-1@2:web", "OnAdd web-2@3:web"},
		"2 1.2 frames":  {"MODIFIED web-1@4:shop", "ADDED web-3@5:web"},
		"2 3.1 push":    {"Updated web-1@4:shop", "Added web-3@5:web"},
		"2 6.1 process": {"OnUpdate web-1@2:web web-1@4:shop", "OnAdd web-3@5:web"},
		"2 5.2 pump":    {"OnUpdate web-1@2:web web-1@4:shop", "OnAdd web-3@5:web"},
		"3 1.2 frames":  {"the end", "DELETED web-3@6:web"},
		"3 2.1 outcome": {"the watch has ended: watch again"},
		"3 3.1 push":    {"Deleted web-3@6:web"},
		"3 6.1 process": {"OnDelete web-3@6:web"},
		"3 5.2 pump":    {"OnDelete web-3@6:web"},
		"4 1.2 frames":  {"the end"},
		"4 2.1 outcome": {
			"the watch has ended: watch again", "no connection: watch again, after a pause",
		},
		"5 2.1 outcome": {"status 410: list, after a pause"},
		"5 3.2 missing": {"web-2@3:web"},
		"5 3.1 push":    {"Replaced web-1@8:web", "Deleted (tombstone) web-2@3:web"},
		"5 6.1 process": {"OnUpdate web-1@4:shop web-1@8:web", "OnDelete (tombstone) web-2@3:web"},
		"5 5.2 pump":    {"OnUpdate web-1@4:shop web-1@8:web", "OnDelete (tombstone) web-2@3:web"},
	},
}

// verdict says whether a run was like that of the real informer, and shows where it was not.
func verdict(got record) string {
	var b strings.Builder
	if calls, its := got.calls(), realRun.calls(); !slices.Equal(calls, its) {
		fmt.Fprintln(&b, "  ✎ The handler was told something else than by the real informer:")
		columns := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
		fmt.Fprintln(columns, "      yours\tthe real one")
		rows := max(len(calls), len(its))
		calls = append(calls, make([]string, rows-len(calls))...)
		its = append(its, make([]string, rows-len(its))...)
		for i, real := range its {
			sign := map[bool]string{true: " ", false: "▸"}[calls[i] == real]
			fmt.Fprintf(columns, "    %s %s\t%s\n", sign, calls[i], real)
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
	if part := "3.3 synced"; !slices.Equal(got.all(part), realRun.all(part)) {
		fmt.Fprintln(&b, "  ✎ Your queue did not say that the first list has been processed.")
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
