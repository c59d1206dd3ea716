package main

import (
	"cmp"
	"fmt"
	"strings"
)

// whole renders a file of Go below a chapter's excerpts of it, folded. If it is the next step of another
// file, which is named before it, its new lines are marked.
func (r *renderer) whole(arg string) {
	if r.book == nil {
		return
	}
	var texts []string
	for _, name := range strings.Fields(arg) {
		if !r.book.tree.Has(name) {
			r.err = cmp.Or(r.err, fmt.Errorf("there is no file %s to show whole", name))
			return
		}
		texts = append(texts, strings.TrimSpace(r.book.tree.Read(name)))
	}
	text := texts[len(texts)-1]
	lines, n := highlight(text, nil), 0
	summary := fmt.Sprintf("The whole program, %d lines", len(lines))
	if len(texts) > 1 {
		for i, isNew := range added(strings.Split(texts[0], "\n"), strings.Split(text, "\n")) {
			if isNew {
				n++
				lines[i] = "<ins>" + lines[i] + "</ins>"
			}
		}
		summary += fmt.Sprintf("; %d are new or have changed", n)
	}
	fmt.Fprintf(&r.out, "<details><summary>%s</summary><div class=\"code\"><pre><code>%s</code></pre></div></details>\n",
		summary, strings.Join(lines, "\n"))
}

// added says of each line of now whether it is new: old and now have as many of the others in common, in
// their order, as possible.
func added(old, now []string) []bool {
	common := make([][]int, len(old)+1) // of old[i:] and now[k:]
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for k := len(now) - 1; k >= 0; k-- {
			if common[i][k] = max(common[i+1][k], common[i][k+1]); old[i] == now[k] {
				common[i][k] = common[i+1][k+1] + 1
			}
		}
	}
	isNew := make([]bool, len(now))
	for i, k := 0, 0; k < len(now); {
		switch {
		case i < len(old) && old[i] == now[k]:
			i, k = i+1, k+1
		case i < len(old) && common[i+1][k] >= common[i][k+1]:
			i++
		default:
			isNew[k], k = true, k+1
		}
	}
	return isNew
}
