package verify

import (
	"strings"
)

// facilitatorPage ends with all questions of the chapters and their answers, under this heading.
const (
	facilitatorPage  = "docs/d-facilitator.md"
	questionsHeading = "## The twenty questions\n"
)

var facilitatorRules = []rule{{
	name:    "the facilitator has every question",
	promise: "the page for facilitators repeats the questions and answers of the chapters, word by word.",
	remedy:  "STORY=rewrite go test ./docs/verify copies them.",
	check:   checkFacilitator,
}}

func checkFacilitator(t *tree) (found []finding) {
	have, ok := t.files[facilitatorPage]
	if !ok {
		return nil
	}
	want := t.withQuestions(have)
	if have == want {
		return nil
	}
	at, _ := firstDifference(strings.Split(have, "\n"), strings.Split(want, "\n"))
	return []finding{{facilitatorPage, at + 1, "a chapter asks or answers this in other words"}}
}

// withQuestions returns the text of the facilitator's page with the questions of the chapters as they
// are now.
func (t *tree) withQuestions(text string) string {
	before, _, ok := strings.Cut(text, questionsHeading)
	if !ok {
		return text
	}
	var b strings.Builder
	b.WriteString(before + questionsHeading)
	for _, p := range t.chapterPages() {
		asked, _ := p.questions()
		if len(asked) > 0 {
			b.WriteString("\n### From chapter " + strings.TrimPrefix(p.prose[0], "# ") + "\n")
		}
		for _, q := range asked {
			b.WriteString("\n" + t.withAnswer(p, q))
		}
	}
	return b.String()
}

// withAnswer is the text of a question on its page, with the folded answer below it.
func (t *tree) withAnswer(p *page, q question) string {
	lines := strings.SplitAfter(t.files[p.path], "\n")[q.line-1:]
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line)
		if strings.TrimSpace(line) == "</details>" {
			break
		}
	}
	return b.String()
}
