package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	skeletons = "chapters share one skeleton: a strip with their stage, and the same headings"
	questions = "questions come in order, with folded answers"
)

const strip = "fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor ─▶ your handlers"

// stages are the parts of the strip that stand in brackets, by chapter. Chapter 0 is a map.
var stages = []string{"", "fakeapi", "reflector", "deltafifo", "indexer", "processor",
	"process loop ─▶ indexer ─▶ processor", strip, strip, strip}

var skeleton = []string{"The problem", "Watch it", "The code", "What holds", "What breaks without it",
	"In client-go"}

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
		var headings []string
		for _, line := range p.prose {
			if text, ok := strings.CutPrefix(line, "## "); ok {
				headings = append(headings, text)
			}
		}
		if !slices.Equal(headings, skeleton) {
			report(p.path, 0, "the headings are %q", headings)
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
