package verify

const (
	facilitator = "the facilitator has every question"
	asking      = "> **Predict 12.** What?\n\n<details><summary>Answer</summary>\n\nThat.\n\n</details>\n"
)

// facilitating is a chapter with a question, and a page for facilitators that ends with questions.
func facilitating(questions string) map[string]string {
	return map[string]string{
		"docs/5-processor.md": "# 5 · The processor\n\n" + asking + "\nMore.\n",
		facilitatorPage:       "# D\n\n" + questionsHeading + questions,
	}
}

var facilitatorBites = []bite{
	{facilitator, "the same question and answer are right",
		facilitating("\n### From chapter 5 · The processor\n\n" + asking), nil},
	{facilitator, "another answer is found",
		facilitating("\n### From chapter 5 · The processor\n\n" +
			"> **Predict 12.** What?\n\n<details><summary>Answer</summary>\n\nThis.\n\n</details>\n"),
		[]string{facilitatorPage + ":11: a chapter asks or answers this in other words"}},
	{facilitator, "a question that is missing is found", facilitating(""),
		[]string{facilitatorPage + ":5: a chapter asks or answers this in other words"}},
}
