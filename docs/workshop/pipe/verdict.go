package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

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
