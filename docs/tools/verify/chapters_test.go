package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	skeletons   = "chapters share one skeleton: a strip with their stage, and the same headings"
	questions   = "questions come in order, with folded answers"
	facilitator = "the page for facilitators repeats every question and answer"
)

const strip = "fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor ─▶ your handlers"

// stages are the parts of the strip that stand in brackets, by chapter. Chapter 0 is a map.
var stages = []string{"", "fakeapi", "reflector", "deltafifo", "indexer", "processor",
	"process loop ─▶ indexer ─▶ processor", strip, strip, strip}

var skeleton = []string{"The problem", "Watch it", "The code", "What holds", "What breaks without it",
	"In client-go"}

// chapters are the pages that keep to the skeleton.
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

// facilitatorPage ends with all questions and answers, under this heading.
const (
	facilitatorPage  = "docs/d-facilitator.md"
	questionsHeading = "## The twenty questions\n"
)

func checkFacilitator(t *tree, report report) {
	if have := t.page(facilitatorPage).text; have != t.withQuestions(facilitatorPage, have) {
		report(facilitatorPage, 0, "a chapter asks or answers in other words")
	}
}

// withQuestions returns the text of a page. If it is the facilitator's, the questions are those of
// the chapters as they are now.
func (t *tree) withQuestions(name, text string) string {
	before, _, ok := strings.Cut(text, questionsHeading)
	if !ok || name != facilitatorPage {
		return text
	}
	var b strings.Builder
	b.WriteString(before + questionsHeading)
	for _, p := range t.chapters() {
		if asked := question.FindAllString(p.text, -1); len(asked) > 0 {
			b.WriteString("\n### From chapter " + strings.TrimPrefix(p.prose[0], "# ") + "\n\n")
			b.WriteString(strings.Join(asked, "\n"))
		}
	}
	return b.String()
}
