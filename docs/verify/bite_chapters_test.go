package verify

import (
	"strings"
)

const (
	skeletons = "chapters share one skeleton"
	lengths   = "a chapter can be read in one go"
	questions = "questions come in order, with folded answers"
)

// goodChapter keeps every rule about chapters. It is chapter 8, which has one question.
const goodChapter = `# 8 · Seven myths

~~~text
[fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor ─▶ your handlers]
~~~

## The problem

People believe things.

## Watch it

> **Predict 19.** Does a resync
> ask the server?

<details><summary>Answer</summary>

No.
</details>

## The code

## What holds

## What breaks without it

## In client-go
`

// chapterWith is the good chapter with changes: old, new, old, new.
func chapterWith(oldNew ...string) map[string]string {
	text := goodChapter
	for i := 0; i < len(oldNew); i += 2 {
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	return map[string]string{"docs/8-seven-myths.md": text}
}

const myths = "docs/8-seven-myths.md"

var chapterBites = []bite{
	{skeletons, "a chapter with the skeleton is right", chapterWith(), nil},
	{skeletons, "another number in the title is found", chapterWith("# 8", "# 7"),
		[]string{myths + `:1: the title does not begin with "# 8 · "`}},
	{skeletons, "a strip of another chapter is found", chapterWith("[fakeapi ─▶", "[fakeapi] ─▶"),
		[]string{myths + ": the first block is not the strip: [" + strip + "]"}},
	{skeletons, "a chapter without a strip is found", map[string]string{myths: "# 8 · Myths\n\n## " +
		strings.Join(skeleton, "\n\n## ") + "\n"},
		[]string{myths + ": the first block is not the strip: [" + strip + "]"}},
	{skeletons, "a strip below a heading is found",
		chapterWith("# 8 · Seven myths\n", "# 8 · Seven myths\n\n## The problem\n",
			"## The problem\n\nPeople", "People"),
		[]string{myths + ":5: the strip stands below the first heading"}},
	{skeletons, "each chapter has its own stage in brackets", map[string]string{
		"docs/4-indexer.md": "# 4 · Indexer\n\n```text\n" + strings.Replace(strip, "indexer", "[indexer]", 1) +
			"\n```\n\n## " + strings.Join(skeleton, "\n\n## ") + "\n"}, nil},
	{skeletons, "headings in another order are found",
		chapterWith("## What holds", "## What breaks without it", "## What breaks without it\n\n## In", "## What holds\n\n## In"),
		[]string{myths + `:23: the heading is "What breaks without it", not "What holds"`}},
	{skeletons, "a missing heading is found", chapterWith("## In client-go\n", ""),
		[]string{myths + `: there is no heading "In client-go"`}},
	{skeletons, "a heading too many is found", chapterWith("## In client-go\n", "## In client-go\n\n## Exercises\n"),
		[]string{myths + `:29: the heading "Exercises" is one too many`}},
	{skeletons, "lower headings are allowed",
		chapterWith("## The code", "### A step\n\n## The code"), nil},

	{lengths, "1,500 words are allowed", chapterWith("People believe things.", someWords(1475)), nil},
	{lengths, "1,501 words are too many", chapterWith("People believe things.", someWords(1476)),
		[]string{myths + ": 1501 words"}},
	{lengths, "tables, code, comments, answers and the address of a link are not counted",
		chapterWith("People believe things.", someWords(1474)+" [word](https://example.com/a b)\n\n"+
			"| a | table |\n\n```sh\nsome code\n```\n\n<!-- a comment -->\n\n— *\n",
			"No.", "No, the answer\n\nis long"), nil},
	{lengths, "three excerpts are allowed",
		chapterWith("## The code", "## The code\n"+someExcerpts(3)), nil},
	{lengths, "four excerpts are too many",
		chapterWith("## The code", "## The code\n"+someExcerpts(4)),
		[]string{myths + ":39: one excerpt too many"}},

	{questions, "a question with a folded answer is right", chapterWith(), nil},
	{questions, "an answer may be code", chapterWith("No.", "```\nno\n```"), nil},
	{questions, "a missing question is found", chapterWith("> **Predict 19.** Does a resync\n> ask the server?\n", ""),
		[]string{myths + ": 0 questions, not 1"}},
	{questions, "a number of another question is found", chapterWith("Predict 19", "Predict 18"),
		[]string{myths + ":13: question 18 stands where 19 belongs"}},
	{questions, "a question in another form is found", chapterWith("> **Predict 19.**", "**Predict 19:**"),
		[]string{myths + `:13: a question must begin with "> **Predict 7.** "`,
			myths + ": 0 questions, not 1"}},
	{questions, "a question without an answer is found",
		chapterWith("<details><summary>Answer</summary>\n\nNo.\n</details>\n", "No.\n"),
		[]string{myths + ":13: question 19 has no folded answer below it"}},
	{questions, "an answer that is not folded away from the text is found", chapterWith("</details>\n", ""),
		[]string{myths + ":13: question 19 has an answer that does not end with </details>"}},
	{questions, "an answer that ends only with the next one is found", chapterWith("</details>\n",
		"\n> **Predict 20.** And?\n\n<details><summary>Answer</summary>\n\nYes.\n</details>\n"),
		[]string{myths + ":13: question 19 has an answer that does not end with </details>",
			myths + ": 2 questions, not 1"}},
	{questions, "an empty answer is found", chapterWith("No.\n", ""),
		[]string{myths + ":13: question 19 has an empty answer"}},
	{questions, "a question too many is found", chapterWith("## The code",
		"> **Predict 20.** And?\n\n<details><summary>Answer</summary>\n\nYes.\n</details>\n\n## The code"),
		[]string{myths + ": 2 questions, not 1"}},
}

func someWords(n int) string { return strings.Repeat("word ", n) }

func someExcerpts(n int) string {
	return strings.Repeat("\n<!-- source: deltafifo/pop.go#Pop -->\n```\nfunc Pop() {}\n```\n", n)
}
