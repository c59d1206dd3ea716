package main

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/book/index"
	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// linked returns what the identifiers of a file lead to, as name → declaration.
func linked(t *testing.T, tree *repo.Tree, x *index.Index, file string) map[string]string {
	t.Helper()
	found, end := map[string]string{}, 0
	for _, l := range x.Links(file) {
		assert.LessOrEqual(t, end, l.Start, "links are sorted, and do not overlap")
		end = l.End
		found[tree.Read(file)[l.Start:l.End]] = l.To
	}
	return found
}

func places(places []index.Place) (all []string) {
	for _, p := range places {
		all = append(all, p.At+" "+p.Title)
	}
	return all
}

var aModule = fstest.MapFS{}

func init() {
	for name, text := range map[string]string{
		"q/q.go": `package q
type Base struct{ ID int }
type Queue[T any] struct {
	Base
	items []T
}
func (q *Queue[T]) Push(item T) { q.items = append(q.items, item); _ = q.ID; q.Push(item) }
type Pusher interface{ Push(int) }
type Old = Base
var (
	first = 1
	Default Pusher = &Queue[int]{}
)
`,
		"q/inside_test.go": `package q
import "testing"
var Exported = helper().Base
func helper() *Queue[string] { return nil }
func TestPush(t *testing.T) {
	t.Run("what is pushed is there", func(t *testing.T) { helper().Push("a") })
	for _, c := range []struct{ law string; push func(*Queue[string], string) }{
		{"a method can be a value", (*Queue[string]).Push},
	} { _ = c }
}
`,
		"q/outside_test.go": `package q_test
import "example.com/watchglass/q"
func ExampleQueue_Push() { q.Default.Push(q.Exported.ID + q.Old{}.Missing) }
`,
		"p/p_js.go": "package p\nfunc at() int { return here() }\nfunc here() int { return 1 }\n",
		"p/other.go": "//go:build !js\n\npackage p\nfunc at() int { return there() }\nfunc " +
			"there() int { return 2 }\n",
		"p/never.go": "//go:build ignore\n\npackage main\nfunc main() { main() }\n",
		"wrong/wrong.go": "package wrong\nimport \"example.com/watchglass/nowhere\"\nfunc f() { g(); " +
			"nowhere.Do(unknown) }\nfunc g() {}\n",
		"wrong/circle.go": "package wrong\nimport \"example.com/watchglass/wrong\"\nvar _ = wrong.F\n" +
			"type T T\nfunc (x ",
		"wrong/empty.go": "",
		"docs/1-q.md": "# 1 · Queues\n\n## Push\n\n<!-- source: q/q.go#Queue.Push -->\n```go\nfunc\n" +
			"```\n" +
			"`TestPush` and `q.Queue.Push` and `q.Pusher`.\n",
	} {
		aModule[name] = &fstest.MapFile{Data: []byte(text)}
	}
}

func TestRefs(t *testing.T) {
	tree := repo.Open(aModule)
	x := index.Load(tree)
	t.Run("generic, embedded, alias, interface and method expression lead to what was declared",
		func(t *testing.T) {
			assert.Equal(t, map[string]string{
				"Base":   "q/q.go#Base",
				"Queue":  "q/q.go#Queue",
				"items":  "q/q.go#Queue.items",
				"ID":     "q/q.go#Base.ID",
				"Pusher": "q/q.go#Pusher",
				"Push":   "q/q.go#Queue.Push",
			}, linked(t, tree, x, "q/q.go"))
			assert.Equal(t, map[string]string{
				"helper": "q/inside_test.go#helper",
				"Queue":  "q/q.go#Queue",
				"Base":   "q/q.go#Base",
				"Push":   "q/q.go#Queue.Push",
			}, linked(t, tree, x, "q/inside_test.go"))
			assert.Equal(t, map[string]string{
				"Default":  "q/q.go#Default",
				"Push":     "q/q.go#Pusher.Push",
				"Old":      "q/q.go#Old",
				"Exported": "q/inside_test.go#Exported",
				"ID":       "q/q.go#Base.ID",
			}, linked(t, tree, x, "q/outside_test.go"))
		})
	t.Run("files for a browser and for others each see their own", func(t *testing.T) {
		assert.Equal(t, "p/p_js.go#here", linked(t, tree, x, "p/p_js.go")["here"])
		assert.Equal(t, "p/other.go#there", linked(t, tree, x, "p/other.go")["there"])
		assert.Empty(t, x.Links("p/never.go"))
	})
	t.Run("of code that does not compile, what can be resolved has links", func(t *testing.T) {
		assert.Equal(t, "wrong/wrong.go#g", linked(t, tree, x, "wrong/wrong.go")["g"])
		assert.Empty(t, x.Links("wrong/empty.go"))
		assert.Empty(t, x.Links("nowhere.go"))
	})
	t.Run("a declaration knows its chapters, laws, uses and stories", func(t *testing.T) {
		x.Played("q/testdata/2_a_push.story", &tape.Tape{Events: []*tape.Event{{},
			{Call: tape.Call{File: "q/q.go", Func: "Queue.Push"}}}})
		push := x.Shown("q/q.go#Queue.Push")
		assert.Equal(t, []string{"docs/1-q.md#push 1 · Queues: Push"}, places(push.Chapters))
		assert.Empty(t, push.Uses, "a func that calls itself is no use of it")
		assert.Equal(t, []string{"q/testdata/2_a_push.story a push"}, places(push.Stories))
		assert.Equal(t, []string{"q/inside_test.go#TestPush what is pushed is there",
			"q/inside_test.go#TestPush a method can be a value"}, places(push.Laws))
		assert.Equal(t, []string{"q/q.go#Default Default"}, places(x.Shown("q/q.go#Pusher").Uses))
		assert.Equal(t, []string{"q/outside_test.go#ExampleQueue_Push example of Queue.Push"},
			places(x.Shown("q/q.go#Pusher.Push").Laws))
	})
	t.Run("a line of an excerpt has the links that it has in its file", func(t *testing.T) {
		const text = "…\n\titems []T\n…\nfunc other() {}\n}\n"
		assert.Empty(t, x.Excerpt("q/q.go#Queue", text))
		const push = "…\nfunc (q *Queue[T]) Push(item T) { q.items = append(q.items, item); _ = q.ID; " +
			"q.Push(item) }\n"
		links := x.Excerpt("q/q.go#Queue.Push", push)
		require.Len(t, links, 5)
		assert.Equal(t, "Queue", push[links[0].Start:links[0].End])
	})
	t.Run("a name in code font leads to its declaration", func(t *testing.T) {
		assert.Equal(t, "q/q.go#Queue.Push", x.Find("q.Queue.Push(1)"))
		assert.Equal(t, "q/inside_test.go#TestPush", x.Find("TestPush"))
		assert.Empty(t, x.Find("q.Nothing"))
	})
}

func TestWhatCanBeFound(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"docs/a-glossary.md": "# Words\n\n## Queue\n\n| term | meaning | client-go |\n|---|---|---|\n" +
			"| delta | One `a\\|b`. | `Delta`, `Deltas` |\n\n## Others\n\n| term | Chinese |\n|---|---|\n" +
			"| delta | 增量 |\n",
		"docs/workshop/1_1_since/README.md": "# 1.1 · Since\n\nWrite.\n",
		"docs/workshop/1_1_since/since.go":  "package since\nfunc Since() {}\n",
		"q/testdata/2_a_pop.story":          "# It **pops**.\npop\n----\nempty\n",
		"q/pop.go": "// Package q queues. It is small.\npackage q\ntype Queue struct{ Depth, depth " +
			"int }\n" +
			"// Pop waits. Always.\nfunc (q Queue) Pop() error { return errors.New(\"queue is closed\") }\n",
		"q/pop_test.go": "package q\nfunc TestPopWaits() { t.Log(\"it did wait\") }\nfunc helper() {}\n",
		"q/wrong.go":    "package q\nfunc (",
		"empty.md":      "",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	played := &tape.Tape{Events: []*tape.Event{{},
		{Text: "pop web-1", Seq: 7}, {Text: "pop web-1", Seq: 8}}}
	entries := index.Load(repo.Open(fsys)).Entries(
		map[string]*tape.Tape{"q/testdata/2_a_pop.story": played})
	found := map[string]int{}
	for _, e := range entries {
		found[fmt.Sprintf("%d | %s | %s | %s", e.Kind, e.Title, e.Text, e.At)]++
		assert.NotContains(t, []string{"since.Since", "q.Queue.depth", "q.helper", "it did wait"},
			e.Title)
	}
	for _, want := range []string{
		"0 | delta | One a|b. · Delta, Deltas · 增量 | docs/a-glossary.md#queue",
		"2 | Deltas | client-go: delta · One a|b. · Delta, Deltas | docs/a-glossary.md#queue",
		"2 | q.Queue.Pop | Pop waits. | q/pop.go#Queue.Pop",
		"2 | q.Queue.Depth |  | q/pop.go#Queue.Depth",
		"2 | TestPopWaits | pop waits | q/pop_test.go#TestPopWaits",
		"3 | Others | term Chinese delta 增量 | docs/a-glossary.md#others",
		"4 | pop web-1 |  | q/testdata/2_a_pop.story#7",
		"5 | a pop | It pops. pop empty | q/testdata/2_a_pop.story",
		"6 | 1.1 · Since | 1.1 · Since Write. | docs/workshop/1_1_since/README.md",
		"7 | q/pop.go | Package q queues. | q/pop.go",
		"7 | queue is closed | a message | q/pop.go#Queue.Pop",
	} {
		assert.Equal(t, 1, found[want], want)
	}
	assert.Zero(t, found["4 | pop web-1 |  | q/testdata/2_a_pop.story#8"],
		"a story has each moment once")
}

func TestTheIndexHasEachPlaceThatLeadsSomewhere(t *testing.T) {
	index := index.JSON([]index.Entry{
		{Kind: index.Source, Title: "b", Text: "x", At: "b.html"},
		{Kind: index.Name, Title: "b.B", Text: "</script>", At: "b.html#B"}, {Kind: index.Name, Title: "no"},
	})
	assert.NotContains(t, string(index), "</", "it can stand in a script element")
	assert.JSONEq(t, `{"kinds": ["Words","Lessons","Names","Chapters and sections","Moments","Stories","Exercises","Source"],
		"pages": ["b.html"], "texts": ["</script>","x"], 
		"entries": [[2,"b.B",0,"B",0],[7,"b",0,"",1]]}`, string(index))
}

func TestMarkdown(t *testing.T) {
	names := index.Load(repo.Open(fstest.MapFS{"indexer/store.go": {Data: []byte("package indexer\n\ntype Store int\n")}}))
	for _, c := range []struct{ law, text, want string }{
		{"headings have anchors, and a link to themselves", "# Why `Pop`, really?\n## A",
			"<h1 id=\"why-pop-really\">Why <code>Pop</code>, really?</h1>\n" +
				"<h2 id=\"a\">A <a class=\"anchor\" href=\"#a\" aria-label=\"Link to this " +
				"heading\">#</a></h2>\n"},
		{"emphasis", "**bold *both*** and *italic*, 2 * 3 * 4, **a * b**",
			"<p><strong>bold <em>both</em></strong> and <em>italic</em>, 2 * 3 * 4, <strong>a * " +
				"b</strong></p>\n"},
		{"code is taken as it is", "`**a** <b>` and ` d`",
			"<p><code>**a** &lt;b&gt;</code> and <code> d</code></p>\n"},
		{"a name of ours is a link", "`indexer.Store` `indexer.Stores` `*indexer.Store` `cache.Store`",
			"<p><a class=\"name\" href=\"/indexer/store.go#Store\"><code>indexer.<wbr>Store</code></a> " +
				"<code>indexer.<wbr>Stores</code> " +
				"<a class=\"name\" href=\"/indexer/store.go#Store\"><code>*indexer.<wbr>Store</code></a> " +
				"<code>cache.<wbr>Store</code></p>\n"},
		{"but not within a link", "[`indexer.Store`](a.go)",
			"<p><a href=\"a.go\"><code>indexer.<wbr>Store</code></a></p>\n"},
		{"links and pictures", "[a *b*](c.md#d \"e\") ![f](g.svg)",
			"<p><a href=\"c.md#d\">a <em>b</em></a> <img src=\"g.svg\" alt=\"f\"></p>\n"},
		{"text is escaped", "a < b & c, \"d\" <script>alert(1)</script> <p onclick=\"x\">",
			"<p>a &lt; b &amp; c, &#34;d&#34; &lt;script&gt;alert(1)&lt;/script&gt; &lt;p " +
				"onclick=&#34;x&#34;&gt;</p>\n"},
		{"a link that would run something leads nowhere", "[a](javascript:alert)", "<p><a href=\"#\">a</a></p>\n"},
		{"a list", "- a\n  b\n- c", "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n"},
		{"a list whose lines go on without indentation", "1. a\nb\n2. c",
			"<ol>\n<li>a\nb</li>\n<li>c</li>\n</ol>\n"},
		{"a table", "| a | `b\\|c` |\n|---|:-:|\n| d | |\n\ne",
			"<div class=\"table\"><table>\n<thead>\n<tr><th>a</th><th><code>b|c</code></th></tr>\n" +
				"</thead>\n" +
				"<tbody>\n<tr><td>d</td><td></td></tr>\n</tbody>\n</table></div>\n<p>e</p>\n"},
		{"a quotation", "> a\n> b\n\nc", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<p>c</p>\n"},
		{"an answer is folded", "<details><summary>Answer</summary>\n\n**No.**\n\n</details>",
			"<details><summary>Answer</summary>\n<p><strong>No.</strong></p>\n</details>\n"},
		{"comments are dropped", "<!-- a\nb -->\nc", "<p>c</p>\n"},
		{"Go has its comments set apart", "```go\nx := 1 // a <b>\n```",
			"<div class=\"code\"><pre><code>x := 1 <span class=\"comment\">// a " +
				"&lt;b&gt;</span></code></pre></div>\n"},
		{"an excerpt links to its declaration", "<!-- source: a/b.go#T.M -->\n```go\n…\n```",
			"<div class=\"code\"><p class=\"from\"><a href=\"/a/b.go#T.M\">T.M in a/b.go</a></p>\n" +
				"<pre><code>…</code></pre></div>\n"},
		{"steps of a story link to the story", "<!-- story: a/testdata/b.story#2-4 -->\n```\n<c>\n```",
			"<div class=\"code story\"><p class=\"from\"><a href=\"/a/testdata/b.story\">b.story</a>, " +
				"steps 2-4</p>\n" +
				"<pre><code>&lt;c&gt;</code></pre></div>\n"},
	} {
		r := renderer{book: &book{refs: names}}
		assert.Equal(t, c.want, r.render(page.Parse(c.text)), c.law)
	}
}

func TestThePipeLinksToTheChapters(t *testing.T) {
	strip := "fakeapi ─▶ reflector ─▶ deltafifo ─▶ [process loop ─▶ indexer ─▶ processor] ─▶ your " +
		"handlers\n"
	b := &book{tree: repo.Open(fstest.MapFS{"docs/6-informer.md": {Data: []byte(strip)}}),
		chapters: []chapter{{Path: "/README.md"}, {Path: "/docs/4-indexer.md"}, {Path: "/docs/6-informer.md"}}}
	got := b.pipe("docs/6-informer.md")
	assert.Contains(t, got, `<a class="here" href="/docs/4-indexer.md">indexer</a>`, "within the brackets")
	assert.Contains(t, got, `<a class="here" href="/docs/6-informer.md">process loop</a>`)
	assert.Contains(t, got, `<a href="/docs/6-informer.md">your handlers</a>`, "behind them")
	assert.Contains(t, got, `<a href="/">fakeapi</a>`, "a chapter that is missing")
}
