package verify

import "strings"

const (
	formatted = "Go files are formatted"
	leftovers = "nothing is left for later"
	sleeps    = "no test waits for real time"
	stories   = "a story can be followed"
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
	{formatted, "Go files in testdata are checked",
		map[string]string{"indexer/testdata/x.go": "package  x\n"},
		[]string{"indexer/testdata/x.go:1: gofmt would write this differently"}},
	{formatted, "a file that does not parse is found", map[string]string{"indexer/x.go": "package\n"},
		[]string{"indexer/x.go:1: expected 'IDENT', found 'EOF'"}},

	{leftovers, "a note to oneself is found, in any case", map[string]string{
		"indexer/x.go": "package indexer\n\n// T" + "ODO: later\nvar a = \"not imple" + "mented\"\n",
		"Makefile":     "# fix" + "me\n"},
		[]string{`Makefile:1: "fix` + `me"`, `indexer/x.go:3: "T` + `ODO"`,
			`indexer/x.go:4: "not imple` + `mented"`}},
	{leftovers, "the exercises of the workshop may have such notes", map[string]string{
		"docs/workshop/x.go": "package workshop\n\n// T" + "ODO\n"}, nil},
	{formatted, "a reader's answer need not be formatted", map[string]string{
		"docs/workshop/3_1_push/push.go": "package push\nfunc  f( ) {\n}\n"}, nil},
	{formatted, "a solution must be formatted", map[string]string{
		"docs/workshop/3_1_push/testdata/solution.go": "package push\nfunc  f( ) {\n}\n"},
		[]string{"docs/workshop/3_1_push/testdata/solution.go:2: gofmt would write this differently"}},
	{stories, "a reader's own story may have any name", map[string]string{
		"docs/workshop/finale/a.story": "pop\n----\n\n"}, nil},
	{leftovers, "part of a longer word is not a note", map[string]string{
		"indexer/x.go": "package indexer\n\n// mas" + "to" + "don, mas" + "to" + "do\n"}, nil},

	{sleeps, "a sleep is found", testFile("\t\"testing\"\n\t\"time\"\n", "time.Sleep(1)"),
		[]string{"deltafifo/x_test.go:9: time.Sleep outside a bubble"}},
	{sleeps, "a sleep in a bubble is allowed",
		testFile("\t\"testing\"\n\t\"testing/synctest\"\n\t\"time\"\n",
			"synctest.Test(t, func(*testing.T) { time.Sleep(1) })"), nil},
	{sleeps, "synctest.Wait alone does not make a bubble",
		testFile("\t\"testing\"\n\t\"testing/synctest\"\n\t\"time\"\n",
			"synctest.Wait(); time.Sleep(1)"),
		[]string{"deltafifo/x_test.go:10: time.Sleep outside a bubble"}},
	{sleeps, "a helper in another file may open the bubble", map[string]string{
		"deltafifo/kit_test.go": "package deltafifo\n\nfunc bubble(t *testing.T, f func(*testing.T)) " +
			"{ synctest.Test(t, f) }\n",
		"deltafifo/x_test.go": "package deltafifo\n\nfunc TestX(t *testing.T) " +
			"{ bubble(t, func(*testing.T) { time.Sleep(1) }) }\n"}, nil},
	{sleeps, "a file without tests is in a bubble if its package opens one", map[string]string{
		"deltafifo/machine_test.go": "package deltafifo\n\nfunc settle() { time.Sleep(1) }\n",
		"deltafifo/story_test.go": "package deltafifo\n\nfunc TestStories(t *testing.T) " +
			"{ story.PlayInBubble(t, \"*\", nil) }\n"}, nil},
	{sleeps, "a file without tests is not in a bubble if its package opens none", map[string]string{
		"deltafifo/machine_test.go": "package deltafifo\n\nfunc settle() { time.Sleep(1) }\n"},
		[]string{"deltafifo/machine_test.go:3: time.Sleep outside a bubble"}},
	{sleeps, "code may sleep", map[string]string{
		"docs/tour/x.go": "package main\n\nimport \"time\"\n\nfunc main() { time.Sleep(1) }\n"}, nil},

	{stories, "twelve steps are allowed",
		telling("a_claim", strings.Repeat("# Why.\npop\n----\n\n", 12)), nil},
	{stories, "thirteen steps are too many",
		telling("a_claim", strings.Repeat("# Why.\npop\n----\n\n", 13)),
		[]string{"indexer/testdata/a_claim.story:50: 13 steps"}},
	{stories, "a state without prose before it is found",
		telling("a_claim", "# Why.\npop\n----\n\npop\n----\n"),
		[]string{"indexer/testdata/a_claim.story:5: no prose says why before pop"}},
	{stories, "the prose may stand above quiet steps",
		telling("a_claim", "# Why.\nknown a\npop\n----\n"), nil},
	{stories, "a name that claims nothing is found", telling("test1", "# Why.\npop\n----\n"),
		[]string{"indexer/testdata/test1.story: the name is not a claim like late_handler_catches_up"}},
	{stories, "a story that cannot be read is found", telling("a_claim", "pop\n\n# The end.\n"),
		[]string{"indexer/testdata/a_claim.story: the story ends with prose that no command follows: \"The end.\""}},
}
