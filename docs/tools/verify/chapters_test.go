package verify

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	skeletons = "chapters share one skeleton: a strip with their stage, and the same headings"
	boxes     = "chapters 1 to 7 are about this machine, but for one box at their end"
	questions = "questions come in order, with folded answers"
	spoilers  = "a chapter prints the answer of an exercise only after naming it"
)

const strip = "fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor ─▶ your handlers"

// stages are the parts of the strip that stand in brackets, by chapter. Chapter 0 is a map.
var stages = []string{"", "fakeapi", "reflector", "deltafifo", "indexer", "processor",
	"process loop ─▶ indexer ─▶ processor", strip, strip, strip}

// skeleton has the headings of the chapters about stages.
var skeleton = []string{"The problem", "Watch it", "The code", "What holds", "What breaks without it"}

const lastStage = 7 // the last of these chapters

// chapters returns the pages that keep to the skeleton.
func (t *tree) chapters() []*page {
	return slices.DeleteFunc(slices.Clone(t.pages), func(p *page) bool { return p.number() < 1 })
}

func checkSkeletons(t *tree, report report) {
	for _, p := range t.chapters() {
		if title := fmt.Sprintf("# %d · ", p.number()); !strings.HasPrefix(p.text, title) {
			report(p.path, 1, "the title does not begin with %q", title)
		}
		stage := stages[p.number()]
		want := strings.Replace(strip, stage, "["+stage+"]", 1)
		if len(p.blocks) == 0 || !slices.Equal(p.blocks[0].lines, []string{want}) {
			report(p.path, 0, "the first block is not the strip: %s", want)
		}
		if !minutes.MatchString(p.text) {
			report(p.path, 1, "the minutes are missing, as in: *12 minutes to read, 15 to do.*")
		}
		var headings []string
		for _, line := range p.prose {
			if text, ok := strings.CutPrefix(line, "## "); ok {
				headings = append(headings, text)
			}
		}
		if p.number() <= lastStage && !slices.Equal(headings, skeleton) {
			report(p.path, 0, "the headings are %q", headings)
		}
	}
}

var minutes = regexp.MustCompile(`(?m)^\*\d+ minutes to read, \d+ to do\.\*$`)

// checkBoxes expects that a chapter about a stage names client-go in its last lines only, in a
// quotation. Links to pages and code are left out.
func checkBoxes(t *tree, report report) {
	for _, p := range t.chapters() {
		text, box, ok := strings.Cut(strings.Join(p.prose, "\n"), "\n> **In client-go.** ")
		switch {
		case p.number() > lastStage:
		case !ok:
			report(p.path, 0, "it does not end with > **In client-go.** and what is different there")
		case regexp.MustCompile(`\n[^>\n]`).MatchString(box):
			report(p.path, 0, "something follows its box about client-go")
		}
		for i, line := range strings.Split(text, "\n") {
			if p.number() <= lastStage && strings.Contains(target.ReplaceAllString(line, ""), "client-go") {
				report(p.path, i+1, "client-go outside the box")
			}
		}
	}
}

var target = regexp.MustCompile(`\]\([^)]*\)`) // of a link

// checkSpoilers takes an excerpt for an answer if its file is what an exercise is compared with: the
// exercise's page links to it.
func checkSpoilers(t *tree, report report) {
	asks := map[string]string{} // file of a stage → the page of the exercise
	for _, p := range t.pages {
		for i := 0; strings.HasPrefix(p.path, "docs/workshop/") && i < len(p.links); i++ {
			if name := p.links[i].name; path.Ext(name) == ".go" && path.Dir(name) != path.Dir(p.path) {
				asks[name] = p.path
			}
		}
	}
	for _, p := range t.pages {
		for _, b := range p.blocks {
			file, _, _ := strings.Cut(b.arg, "#")
			named := func(l pageLink) bool { return l.name == asks[file] && l.line < b.first }
			if b.kind == "source" && asks[file] != "" && !slices.ContainsFunc(p.links, named) {
				report(p.path, b.first, "%s is an answer to %s", b.arg, asks[file])
			}
		}
	}
}

const howMany = 20 // questions, in all chapters

// A question stands above its folded answer.
var question = regexp.MustCompile(`(?m)^> \*\*Predict (\d+)\.\*\* .+\n(?:>.*\n)*` +
	`\n<details><summary>Answer</summary>\n\n(?:.*\n)+?</details>\n`)

func checkQuestions(t *tree, report report) {
	next := 1
	for _, p := range t.chapters() {
		asked := question.FindAllStringSubmatch(p.text, -1)
		if n := strings.Count(p.text, "**Predict"); n != len(asked) {
			report(p.path, 0, "%d of %d questions have no folded answer below them", n-len(asked), n)
		}
		for _, q := range asked {
			if q[1] != strconv.Itoa(next) {
				report(p.path, 0, "question %s stands where %d belongs", q[1], next)
			}
			next++
		}
	}
	if next != howMany+1 {
		report("docs", 0, "there are %d questions, not %d", next-1, howMany)
	}
}
