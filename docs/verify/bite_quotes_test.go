package verify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// quoting is a page with one marked block.
func quoting(marker, block string) map[string]string {
	return map[string]string{"docs/1.md": "# One\n\n<!-- " + marker + " -->\n```\n" + block + "```\n"}
}

const (
	excerpts = "excerpts quote the code"
	printed  = "printed blocks are what is printed"
	popDecl  = "source: deltafifo/pop.go#Queue.Pop"
	popFirst = "func (q *Queue[T]) Pop() (string, error) {\n"
	popLast  = "\treturn key, nil\n}\n"
	aStory   = "deltafifo/testdata/pop_takes_the_oldest_key.story"
)

var quoteBites = []bite{
	{excerpts, "a declaration may be quoted without its comment",
		quoting(popDecl, popFirst+"\tif q.closed {\n\t\treturn \"\", ErrClosed\n\t}\n"+
			"\tkey := q.keys[0]\n\tq.keys = q.keys[1:]\n"+popLast), nil},
	{excerpts, "a declaration may be quoted with its comment and with gaps",
		quoting(popDecl, "// Pop takes a key.\n// It waits for one.\n"+popFirst+"\t…\n"+popLast), nil},
	{excerpts, "a gap may stand at both ends",
		quoting(popDecl, "…\n\tkey := q.keys[0]\n\t// …\n"), nil},
	{excerpts, "lines that fit in several places are allowed",
		quoting(popDecl, popFirst+"\t…\n}\n"), nil},
	{excerpts, "a line that is not in the code is found",
		quoting(popDecl, popFirst+"\t…\n\tkey := q.oldest()\n"+popLast),
		[]string{`docs/1.md:7: not in deltafifo/pop.go#Queue.Pop: "\tkey := q.oldest()"`}},
	{excerpts, "a line left out without a gap is found",
		quoting(popDecl, popFirst+"\tkey := q.keys[0]\n\t…\n"),
		[]string{`docs/1.md:6: not in deltafifo/pop.go#Queue.Pop: "\tkey := q.keys[0]"`}},
	{excerpts, "half a comment is found",
		quoting(popDecl, "// It waits for one.\n"+popFirst+"\t…\n"),
		[]string{`docs/1.md:5: not in deltafifo/pop.go#Queue.Pop: "// It waits for one."`}},
	{excerpts, "a wrong line below a quoted comment is found",
		quoting(popDecl, "// Pop takes a key.\n// It waits for one.\n"+popFirst+"\tkey := 1\n"+popLast),
		[]string{`docs/1.md:8: not in deltafifo/pop.go#Queue.Pop: "\tkey := 1"`}},
	{excerpts, "lines in another order are found",
		quoting(popDecl, "…\n\tq.keys = q.keys[1:]\n\t…\n\tkey := q.keys[0]\n\t…\n"),
		[]string{`docs/1.md:8: not in deltafifo/pop.go#Queue.Pop: "\tkey := q.keys[0]"`}},
	{excerpts, "an end left out without a gap is found",
		quoting(popDecl, popFirst+"\tif q.closed {\n"),
		[]string{"docs/1.md:6: not in deltafifo/pop.go#Queue.Pop: " +
			"the declaration goes on after this line; add a line with …"}},
	{excerpts, "an empty block is found", quoting(popDecl, ""),
		[]string{"docs/1.md:5: not in deltafifo/pop.go#Queue.Pop: the block is empty"}},
	{excerpts, "a function is not the method of that name",
		quoting("source: deltafifo/pop.go#Pop", "func Pop() {}\n"), nil},
	{excerpts, "a member of a group stands for the group",
		quoting("source: deltafifo/pop.go#ErrEmpty", "var (\n\t…\n)\n"), nil},
	{excerpts, "without a name the whole file is quoted",
		quoting("source: "+aStory, "known web-1\n…\n"), nil},
	{excerpts, "a file that is not there is found", quoting("source: deltafifo/push.go#Push", "x\n"),
		[]string{"docs/1.md:3: the marker names nothing: there is no file deltafifo/push.go"}},
	{excerpts, "a name that is not there is found", quoting("source: deltafifo/pop.go#Push", "x\n"),
		[]string{"docs/1.md:3: the marker names nothing: deltafifo/pop.go declares no Push"}},
	{excerpts, "a name in a file that is not Go is found", quoting("source: go.mod#Pop", "x\n"),
		[]string{"docs/1.md:3: the marker names nothing: go.mod is not Go, so it declares no Pop"}},

	{printed, "steps may be quoted",
		quoting("story: "+aStory+"#2", "The key comes out.\n▸ pop\n    queue []\n"), nil},
	{printed, "a whole story may be quoted, with its quiet steps",
		quoting("story: "+aStory, "▸ known web-1\n\nThe key comes out.\n▸ pop\n    queue []\n"), nil},
	{printed, "another state is found",
		quoting("story: "+aStory+"#2", "The key comes out.\n▸ pop\n    queue [web-1]\n"),
		[]string{"docs/1.md:7: story " + aStory + `#2 now prints "    queue []" here`}},
	{printed, "a line too many is found",
		quoting("story: "+aStory+"#2", "The key comes out.\n▸ pop\n    queue []\n    and more\n"),
		[]string{"docs/1.md:8: story " + aStory + "#2 now prints nothing more"}},
	{printed, "a step that is not there is found", quoting("story: "+aStory+"#2-3", "x\n"),
		[]string{"docs/1.md:3: the marker names nothing: " + aStory + ": it has steps 1 to 2, not 2-3"}},
	{printed, "steps are counted from one", quoting("story: "+aStory+"#0-1", "x\n"),
		[]string{"docs/1.md:3: the marker names nothing: " + aStory + ": it has steps 1 to 2, not 0-1"}},
	{printed, "a story that is not there is found", quoting("story: deltafifo/x.story", "x\n"),
		[]string{"docs/1.md:3: the marker names nothing: there is no story deltafifo/x.story"}},
	{printed, "the output of a command may be quoted",
		quoting("run: make help", "make help\nmake test\n"), nil},
	{printed, "a command that prints more is found", quoting("run: make help", "make help\n"),
		[]string{`docs/1.md:6: run make help now prints "make test" here`}},
	{printed, "a command that fails is found", quoting("run: make tea", "tea\n"),
		[]string{"docs/1.md:3: cannot run make tea"}},
	{printed, "a diagram may be quoted", quoting("diagram: reflector", "a --> b\n"), nil},
	{printed, "an edge that is no longer there is found", quoting("diagram: reflector", "a --> c\n"),
		[]string{`docs/1.md:5: diagram reflector now prints "a --> b" here`}},
	{printed, "a diagram that does not exist is found", quoting("diagram: indexer", "x\n"),
		[]string{`docs/1.md:3: the marker names nothing: there is no diagram "indexer"`}},
}

func TestRewritingBringsPrintedBlocksUpToDate(t *testing.T) {
	const page = `# One

<!-- story: deltafifo/testdata/pop_takes_the_oldest_key.story#2 -->
~~~text
~~~

- In a list:

  <!-- run: make help -->
  ~~~
  make coffee
  make tea
  make test
  ~~~

<!-- source: deltafifo/pop.go#Pop -->
~~~go
stays as it is
~~~
`
	const want = `# One

<!-- story: deltafifo/testdata/pop_takes_the_oldest_key.story#2 -->
~~~text
The key comes out.
▸ pop
    queue []
~~~

- In a list:

  <!-- run: make help -->
  ~~~
  make help
  make test
  ~~~

<!-- source: deltafifo/pop.go#Pop -->
~~~go
stays as it is
~~~
`
	for _, fence := range []string{"~~~", "```"} {
		old := strings.ReplaceAll(page, "~~~", fence)
		repo := repoWith(t, map[string]string{"docs/1.md": old})
		assert.Equal(t, strings.ReplaceAll(want, "~~~", fence), repo.rewritten(repo.page("docs/1.md")))
	}
}
