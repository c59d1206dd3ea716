package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A chapter is what a chapter of a number must have: the part of the strip that stands in brackets,
// and the numbers of its first and last question.
type chapter struct {
	here      string
	questions [2]int
}

const strip = "fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor ─▶ your handlers"

var chapters = map[int]chapter{
	1: {"fakeapi", [2]int{1, 3}},
	2: {"reflector", [2]int{4, 6}},
	3: {"deltafifo", [2]int{7, 9}},
	4: {"indexer", [2]int{10, 11}},
	5: {"processor", [2]int{12, 13}},
	6: {"process loop ─▶ indexer ─▶ processor", [2]int{14, 16}},
	7: {strip, [2]int{17, 18}},
	8: {strip, [2]int{19, 19}},
	9: {strip, [2]int{20, 20}},
}

var skeleton = []string{"The problem", "Watch it", "The code", "What holds", "What breaks without it",
	"In client-go"}

const (
	maxWords    = 1500 // of prose in a chapter
	maxExcerpts = 3
)

var chapterRules = []rule{
	{
		name:    "chapters share one skeleton",
		promise: "every chapter has the same headings in the same order, below the strip with its stage.",
		remedy: "write ## " + strings.Join(skeleton, ", ## ") + "; the strip stands in the first block, " +
			"with the chapter's own stage in brackets.",
		check: checkSkeleton,
	},
	{
		name:    "a chapter can be read in one go",
		promise: "a chapter has at most 1,500 words of prose and quotes at most 3 pieces of code.",
		remedy:  "shorten it, or move a part to a story, a table or the package's doc, and link to it.",
		check:   checkLength,
	},
	{
		name:    "questions come in order, with folded answers",
		promise: "each question of a chapter has its number, and a folded answer right below it.",
		remedy: "write > **Predict 7.** and the question, a blank line, <details><summary>Answer</summary>, " +
			"a blank line, the answer, and </details>.",
		check: checkQuestions,
	},
}

var chapterName = regexp.MustCompile(`^docs/([0-9])-[a-z0-9-]+\.md$`)

// number is the number of a chapter, -1 for another page.
func (p *page) number() int {
	m := chapterName.FindStringSubmatch(p.path)
	if m == nil {
		return -1
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// chapterPages are the chapters that keep to the skeleton: chapter 0 is a map.
func (t *tree) chapterPages() []*page {
	return slices.DeleteFunc(slices.Clone(t.pages), func(p *page) bool { return p.number() < 1 })
}

func checkSkeleton(t *tree) (found []finding) {
	for _, p := range t.chapterPages() {
		if title := fmt.Sprintf("# %d · ", p.number()); !strings.HasPrefix(p.prose[0], title) {
			found = append(found, finding{p.path, 1, fmt.Sprintf("the title does not begin with %q", title)})
		}
		found = append(found, p.wrongStrip()...)
		found = append(found, p.wrongHeadings()...)
	}
	return found
}

func (p *page) wrongStrip() []finding {
	here := chapters[p.number()].here
	want := strings.Replace(strip, here, "["+here+"]", 1)
	if len(p.blocks) == 0 || !slices.Equal(p.blocks[0].lines, []string{want}) {
		return []finding{{p.path, 0, "the first block is not the strip: " + want}}
	}
	if headings := p.headings("## "); len(headings) > 0 && headings[0].line < p.blocks[0].first {
		return []finding{{p.path, p.blocks[0].first, "the strip stands below the first heading"}}
	}
	return nil
}

func (p *page) wrongHeadings() []finding {
	headings := p.headings("## ")
	for i, want := range skeleton {
		switch {
		case i >= len(headings):
			return []finding{{p.path, 0, fmt.Sprintf("there is no heading %q", want)}}
		case headings[i].text != want:
			return []finding{{p.path, headings[i].line, fmt.Sprintf("the heading is %q, not %q",
				headings[i].text, want)}}
		}
	}
	if len(headings) > len(skeleton) {
		extra := headings[len(skeleton)]
		return []finding{{p.path, extra.line, fmt.Sprintf("the heading %q is one too many", extra.text)}}
	}
	return nil
}

type heading struct {
	text string
	line int
}

// headings are those of one level, such as "## ".
func (p *page) headings(level string) (found []heading) {
	for i, line := range p.prose {
		if text, ok := strings.CutPrefix(line, level); ok {
			found = append(found, heading{strings.TrimSpace(text), i + 1})
		}
	}
	return found
}

func checkLength(t *tree) (found []finding) {
	for _, p := range t.chapterPages() {
		if n := countWords(p.running()); n > maxWords {
			found = append(found, finding{p.path, 0, fmt.Sprintf("%d words", n)})
		}
		excerpts := 0
		for _, b := range p.blocks {
			if b.marker.kind != "source" {
				continue
			}
			if excerpts++; excerpts > maxExcerpts {
				found = append(found, finding{p.path, b.first, "one excerpt too many"})
			}
		}
	}
	return found
}

var comment = regexp.MustCompile(`<!--.*?-->`)

// running is the running text of the page: without code blocks, tables, comments and folded
// answers.
func (p *page) running() (lines []string) {
	folded := false
	for _, line := range p.prose {
		folded = folded || strings.HasPrefix(line, "<details>")
		if !folded && !strings.HasPrefix(strings.TrimSpace(line), "|") {
			line = comment.ReplaceAllString(line, "")
			lines = append(lines, linkText.ReplaceAllString(line, "$1"))
		}
		folded = folded && !strings.HasSuffix(line, "</details>")
	}
	return lines
}

// countWords does not count words with neither a letter nor a digit, such as a dash.
func countWords(lines []string) (n int) {
	for word := range strings.FieldsSeq(strings.Join(lines, "\n")) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// A question is one of the twenty, with the line it stands on.
type question struct {
	n    int
	text string // without the marks of a quotation, on one line
	line int
}

var predict = regexp.MustCompile(`^> \*\*Predict (\d+)\.\*\* (.+)`)

// questions finds the questions of a page, and what is wrong with the form of each.
func (p *page) questions() (all []question, wrong []finding) {
	for i := 0; i < len(p.prose); i++ {
		m := predict.FindStringSubmatch(p.prose[i])
		if m == nil {
			if strings.Contains(p.prose[i], "**Predict") {
				wrong = append(wrong, finding{p.path, i + 1, `a question must begin with "> **Predict 7.** "`})
			}
			continue
		}
		n, _ := strconv.Atoi(m[1])
		q := question{n, m[2], i + 1}
		for i+1 < len(p.prose) && strings.HasPrefix(p.prose[i+1], ">") {
			i++
			q.text += " " + strings.TrimSpace(strings.TrimPrefix(p.prose[i], ">"))
		}
		all = append(all, q)
		if what := p.wrongAnswer(i + 1); what != "" {
			wrong = append(wrong, finding{p.path, q.line, fmt.Sprintf("question %d %s", n, what)})
		}
	}
	return all, wrong
}

// wrongAnswer says what is wrong with the answer that begins at index i, "" if nothing is.
func (p *page) wrongAnswer(i int) string {
	lines := p.prose[i:]
	if len(lines) < 3 || lines[0] != "" || lines[1] != "<details><summary>Answer</summary>" || lines[2] != "" {
		return "has no folded answer below it"
	}
	end := slices.Index(lines, "</details>")
	next := slices.Index(lines[2:], lines[1])
	switch {
	case end < 0 || 0 <= next && next+2 < end:
		return "has an answer that does not end with </details>"
	case !p.says(i+2, i+end):
		return "has an empty answer"
	}
	return ""
}

// says reports whether there is text or a code block in the lines from index first up to last.
func (p *page) says(first, last int) bool {
	return strings.TrimSpace(strings.Join(p.prose[first:last], "")) != "" ||
		slices.ContainsFunc(p.blocks, func(b block) bool { return first < b.first && b.last <= last })
}

func checkQuestions(t *tree) (found []finding) {
	for _, p := range t.chapterPages() {
		asked, wrong := p.questions()
		found = append(found, wrong...)
		first, last := chapters[p.number()].questions[0], chapters[p.number()].questions[1]
		for i, q := range asked {
			if q.n != first+i {
				found = append(found, finding{p.path, q.line, fmt.Sprintf("question %d stands where %d belongs",
					q.n, first+i)})
			}
		}
		if n := last - first + 1; len(asked) != n {
			found = append(found, finding{p.path, 0, fmt.Sprintf("%d questions, not %d", len(asked), n)})
		}
	}
	return found
}
