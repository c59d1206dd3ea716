package main

import (
	"html"
	"regexp"
	"strings"

	"example.com/watchglass/docs/tools/page"
)

// In a chapter the stage shows what happens. What is for a terminal, and what is longer than a
// glance, is folded: commands and long stories.
var chapterWithRuns = regexp.MustCompile(`^docs/[0-9]-`)

// glance is how many lines of a story are read in passing.
const glance = 16

// folded renders blocks, and folds those in a row that are for Go.
func (r *renderer) folded(blocks []page.Block) {
	depth := 0 // of folds that the page has itself
	for len(blocks) > 0 {
		n := 0
		for depth == 0 && n < len(blocks) && isRun(blocks[n]) {
			n++
		}
		if n > 0 {
			r.printf("<details class=\"run\"><summary>Run it with Go%s</summary>\n",
				html.EscapeString(told(blocks[:n])))
			r.blocks(blocks[:n])
			r.printf("</details>\n")
			blocks = blocks[n:]
			continue
		}
		if b := blocks[0]; b.Kind == page.Tag {
			depth += strings.Count(b.Text, "<details") - strings.Count(b.Text, "</details")
		}
		r.block(blocks[0])
		blocks = blocks[1:]
	}
}

// isRun reports whether a block is for a terminal, or a long story.
func isRun(b page.Block) bool {
	isStory := b.From.Kind == "story" && strings.Count(b.Text, "\n") >= glance
	return b.Kind == page.Code && (b.Lang == "sh" || b.From.Kind == "curl" || isStory)
}

// told are the names of the stories that are told in blocks.
func told(blocks []page.Block) string {
	names := ""
	for _, b := range blocks {
		if b.From.Kind == "story" {
			file, _, _ := strings.Cut(b.From.Arg, "#")
			names += ": " + strings.ToLower(plain(storyName(file)))
		}
	}
	return names
}
