package verify

import "strings"

const (
	formatted = "Go files are formatted"
	leftovers = "nothing is left for later"
	sleeps    = "no test waits for real time"
	stories   = "a story can be told"
)

func testFile(imports, body string) map[string]string {
	return map[string]string{"deltafifo/x_test.go": "package deltafifo\n\nimport (\n" + imports +
		")\n\nfunc TestX(t *testing.T) {\n\t" + body + "\n}\n"}
}

func telling(name, text string) map[string]string {
	return map[string]string{"indexer/testdata/" + name + ".story": text}
}

var mannerBites = []bite{
	{formatted, "the line is named", map[string]string{"indexer/x.go": "package indexer\n\nvar  a = 1\n"},
		[]string{"indexer/x.go:3: gofmt would write this differently"}},
	{formatted, "data that is Go is Go", map[string]string{"indexer/testdata/x.go": "package  x\n"},
		[]string{"indexer/testdata/x.go:1: gofmt would write this differently"}},
	{formatted, "what does not parse is found", map[string]string{"indexer/x.go": "package\n"},
		[]string{"indexer/x.go:1: expected 'IDENT', found 'EOF'"}},

	{leftovers, "a note to oneself is found, in any case", map[string]string{
		"indexer/x.go": "package indexer\n\n// T" + "ODO: later\nvar a = \"not imple" + "mented\"\n",
		"Makefile":     "# fix" + "me\n"},
		[]string{`Makefile:1: "fix` + `me"`, `indexer/x.go:3: "T` + `ODO"`,
			`indexer/x.go:4: "not imple` + `mented"`}},
	{leftovers, "the workshop has holes", map[string]string{
		"docs/workshop/x.go": "package workshop\n\n// T" + "ODO\n"}, nil},
	{formatted, "how a reader formats an answer is not our business", map[string]string{
		"docs/workshop/3_1_push/push.go": "package push\nfunc  f( ) {\n}\n"}, nil},
	{formatted, "a solution is ours", map[string]string{
		"docs/workshop/3_1_push/testdata/solution.go": "package push\nfunc  f( ) {\n}\n"},
		[]string{"docs/workshop/3_1_push/testdata/solution.go:2: gofmt would write this differently"}},
	{stories, "nor what a reader calls a story", map[string]string{
		"docs/workshop/finale/a.story": "pop\n----\n\n"}, nil},
	{leftovers, "a longer word is another word", map[string]string{
		"indexer/x.go": "package indexer\n\n// mas" + "to" + "don, mas" + "to" + "do\n"}, nil},

	{sleeps, "a sleep is found", testFile("\t\"testing\"\n\t\"time\"\n", "time.Sleep(1)"),
		[]string{"deltafifo/x_test.go:9: time.Sleep outside a bubble"}},
	{sleeps, "a sleep in a bubble is none", testFile("\t\"testing\"\n\t\"testing/synctest\"\n\t\"time\"\n",
		"synctest.Test(t, func(*testing.T) { time.Sleep(1) })"), nil},
	{sleeps, "to know of bubbles is not to be in one",
		testFile("\t\"testing\"\n\t\"testing/synctest\"\n\t\"time\"\n",
			"synctest.Wait(); time.Sleep(1)"),
		[]string{"deltafifo/x_test.go:10: time.Sleep outside a bubble"}},
	{sleeps, "nor is one that a helper in the next file opens", map[string]string{
		"deltafifo/kit_test.go": "package deltafifo\n\nfunc bubble(t *testing.T, f func(*testing.T)) " +
			"{ synctest.Test(t, f) }\n",
		"deltafifo/x_test.go": "package deltafifo\n\nfunc TestX(t *testing.T) " +
			"{ bubble(t, func(*testing.T) { time.Sleep(1) }) }\n"}, nil},
	{sleeps, "a machine without tests is in the bubble of the stories it plays", map[string]string{
		"deltafifo/machine_test.go": "package deltafifo\n\nfunc settle() { time.Sleep(1) }\n",
		"deltafifo/story_test.go": "package deltafifo\n\nfunc TestStories(t *testing.T) " +
			"{ story.PlayInBubble(t, \"*\", nil) }\n"}, nil},
	{sleeps, "without a bubble in its package it is in none", map[string]string{
		"deltafifo/machine_test.go": "package deltafifo\n\nfunc settle() { time.Sleep(1) }\n"},
		[]string{"deltafifo/machine_test.go:3: time.Sleep outside a bubble"}},
	{sleeps, "code may sleep", map[string]string{
		"docs/tour/x.go": "package main\n\nimport \"time\"\n\nfunc main() { time.Sleep(1) }\n"}, nil},

	{stories, "twelve steps can be followed",
		telling("a_claim", strings.Repeat("# Why.\npop\n----\n\n", 12)), nil},
	{stories, "thirteen cannot", telling("a_claim", strings.Repeat("# Why.\npop\n----\n\n", 13)),
		[]string{"indexer/testdata/a_claim.story:50: 13 steps"}},
	{stories, "what is shown without a word is found",
		telling("a_claim", "# Why.\npop\n----\n\npop\n----\n"),
		[]string{"indexer/testdata/a_claim.story:5: nothing is said before pop"}},
	{stories, "the word may stand above the set-up", telling("a_claim", "# Why.\nknown a\npop\n----\n"), nil},
	{stories, "a name that claims nothing is found", telling("test1", "# Why.\npop\n----\n"),
		[]string{"indexer/testdata/test1.story: the name is no claim, such as late_handler_catches_up"}},
	{stories, "a story that cannot be read is found", telling("a_claim", "pop\n\n# The end.\n"),
		[]string{"indexer/testdata/a_claim.story: the story ends with prose that no command follows: \"The end.\""}},
}
