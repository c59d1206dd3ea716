package main

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/book/search"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/docs/tools/words"
)

func TestWhatCanBeFound(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"docs/a-glossary.md": "# Words\n\n## Queue\n\n| term | meaning | client-go |\n|---|---|---|\n" +
			"| delta | One `a\\|b`. | `Delta`, `Deltas` |\n\n## Others\n\n| term | Chinese |\n|---|---|\n| delta | 增量 |\n",
		"docs/workshop/1_1_since/README.md": "# 1.1 · Since\n\nWrite.\n",
		"docs/workshop/1_1_since/since.go":  "package since\nfunc Since() {}\n",
		"q/testdata/2_a_pop.story":          "# It **pops**.\npop\n----\nempty\n",
		"q/pop.go": "// Package q queues. It is small.\npackage q\ntype Queue struct{ Depth, depth int }\n" +
			"// Pop waits. Always.\nfunc (q Queue) Pop() error { return errors.New(\"queue is closed\") }\n",
		"q/pop_test.go": "package q\nfunc TestPopWaits() { t.Log(\"it did wait\") }\nfunc helper() {}\n",
		"q/wrong.go":    "package q\nfunc (",
		"empty.md":      "",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	played := &tape.Tape{Events: []*tape.Event{{},
		{Event: words.Event{Text: "pop web-1"}, Seq: 7}, {Event: words.Event{Text: "pop web-1"}, Seq: 8}}}
	entries := search.Collect(repo.Open(fsys), map[string]*tape.Tape{"q/testdata/2_a_pop.story": played})
	found := map[string]int{}
	for _, e := range entries {
		found[fmt.Sprintf("%d | %s | %s | %s", e.Kind, e.Title, e.Text, e.At)]++
		assert.NotContains(t, []string{"since.Since", "q.Queue.depth", "q.helper", "it did wait"}, e.Title)
	}
	for _, want := range []string{
		"0 | delta | One a b. · Delta, Deltas · 增量 | docs/a-glossary.md#queue",
		"1 | Deltas | client-go: delta · One a b. · Delta, Deltas | docs/a-glossary.md#queue",
		"1 | q.Queue.Pop | Pop waits. | q/pop.go#Queue.Pop",
		"1 | q.Queue.Depth |  | q/pop.go#Queue.Depth",
		"1 | TestPopWaits | pop waits | q/pop_test.go#TestPopWaits",
		"2 | Others | term Chinese delta 增量 | docs/a-glossary.md#others",
		"3 | pop web-1 |  | q/testdata/2_a_pop.story#7",
		"4 | a pop | It pops. pop empty | q/testdata/2_a_pop.story",
		"5 | 1.1 · Since | 1.1 · Since Write. | docs/workshop/1_1_since/README.md",
		"6 | q/pop.go | Package q queues. | q/pop.go",
		"6 | queue is closed | a message | q/pop.go#Queue.Pop",
	} {
		assert.Equal(t, 1, found[want], want)
	}
	assert.Zero(t, found["3 | pop web-1 |  | q/testdata/2_a_pop.story#8"], "a story has each moment once")
}

func TestTheIndexHasEachPlaceThatLeadsSomewhere(t *testing.T) {
	index := search.Index([]search.Entry{
		{Kind: search.Source, Title: "b", Text: "x", At: "b.html"},
		{Kind: search.Name, Title: "b.B", Text: "</script>", At: "b.html#B"}, {Kind: search.Name, Title: "no"},
	})
	assert.NotContains(t, string(index), "</", "it can stand in a script element")
	assert.JSONEq(t, `{"kinds": ["Words","Names","Chapters and sections","Moments","Stories","Exercises","Source"],
		"pages": ["b.html"], "texts": ["</script>","x"], 
		"entries": [[1,"b.B",0,"B",0],[6,"b",0,"",1]]}`, string(index))
}
