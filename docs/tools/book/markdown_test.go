package main

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/book/refs"
	"example.com/watchglass/docs/tools/repo"
)

func TestMarkdown(t *testing.T) {
	names := refs.Load(repo.Open(fstest.MapFS{"indexer/store.go": {Data: []byte("package indexer\n\ntype Store int\n")}}))
	for _, c := range []struct{ law, text, want string }{
		{"lines of one paragraph stay together", "a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
		{"headings have the anchors that a code host gives them", "# Why `Pop`, really?",
			"<h1 id=\"why-pop-really\">Why <code>Pop</code>, really?</h1>\n"},
		{"the second heading of a name has a number, and a link to itself", "## A\n## A",
			"<h2 id=\"a\">A <a class=\"anchor\" href=\"#a\" aria-label=\"Link to this heading\">#</a></h2>\n" +
				"<h2 id=\"a-1\">A <a class=\"anchor\" href=\"#a-1\" aria-label=\"Link to this heading\">#</a></h2>\n"},
		{"emphasis", "**bold *both*** and *italic*, 2 * 3 * 4, **a * b**",
			"<p><strong>bold <em>both</em></strong> and <em>italic</em>, 2 * 3 * 4, <strong>a * b</strong></p>\n"},
		{"code is taken as it is", "`**a** <b>` and ``a ` b`` and `two\nlines` and `` `c` `` and ` d`",
			"<p><code>**a** &lt;b&gt;</code> and <code>a ` b</code> and <code>two lines</code> and <code>`c`</code> " +
				"and <code> d</code></p>\n"},
		{"a name of ours is a link", "`indexer.Store` `indexer.Stores` `*indexer.Store` `cache.Store`",
			"<p><a class=\"name\" href=\"/indexer/store.go#Store\"><code>indexer.Store</code></a> " +
				"<code>indexer.Stores</code> " +
				"<a class=\"name\" href=\"/indexer/store.go#Store\"><code>*indexer.Store</code></a> " +
				"<code>cache.Store</code></p>\n"},
		{"but not within a link", "[`indexer.Store`](a.go)",
			"<p><a href=\"a.go\"><code>indexer.Store</code></a></p>\n"},
		{"links and pictures", "[a *b*](c.md#d \"e\") ![f](g.svg)",
			"<p><a href=\"c.md#d\">a <em>b</em></a> <img src=\"g.svg\" alt=\"f\"></p>\n"},
		{"text is escaped", "a < b & c, \"d\" <script>alert(1)</script> <p onclick=\"x\">",
			"<p>a &lt; b &amp; c, &#34;d&#34; &lt;script&gt;alert(1)&lt;/script&gt; &lt;p onclick=&#34;x&#34;&gt;</p>\n"},
		{"a link that would run something leads nowhere", "[a](javascript:alert)", "<p><a href=\"#\">a</a></p>\n"},
		{"a tight list", "- a\n  b\n- c", "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n"},
		{"a list whose lines go on without indentation", "1. a\nb\n2. c",
			"<ol>\n<li>a\nb</li>\n<li>c</li>\n</ol>\n"},
		{"a number in prose is no item", "in\n2026. Then", "<p>in\n2026. Then</p>\n"},
		{"a table", "| a | `b\\|c` |\n|---|:-:|\n| d | |\n\ne",
			"<div class=\"table\"><table>\n<thead>\n<tr><th>a</th><th><code>b|c</code></th></tr>\n</thead>\n" +
				"<tbody>\n<tr><td>d</td><td></td></tr>\n</tbody>\n</table></div>\n<p>e</p>\n"},
		{"a quotation", "> a\n> b\n\nc", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<p>c</p>\n"},
		{"an answer is folded", "<details><summary>Answer</summary>\n\n**No.**\n\n</details>",
			"<details><summary>Answer</summary>\n<p><strong>No.</strong></p>\n</details>\n"},
		{"comments are dropped", "<!-- a\nb -->\nc", "<p>c</p>\n"},
		{"code that does not end", "```\na", "<div class=\"code\"><pre><code>a</code></pre></div>\n"},
		{"Go has its comments set apart", "```go\nx := 1 // a <b>\n```",
			"<div class=\"code\"><pre><code>x := 1 <span class=\"comment\">// a &lt;b&gt;</span></code></pre></div>\n"},
		{"an excerpt links to its declaration", "<!-- source: a/b.go#T.M -->\n```go\n…\n```",
			"<div class=\"code\"><p class=\"from\"><a href=\"/a/b.go#T.M\">T.M in a/b.go</a></p>\n" +
				"<pre><code>…</code></pre></div>\n"},
		{"steps of a story link to the story", "<!-- story: a/testdata/b.story#2-4 -->\n```\n<c>\n```",
			"<div class=\"code story\"><p class=\"from\"><a href=\"/a/testdata/b.story\">b.story</a>, steps 2-4</p>\n" +
				"<pre><code>&lt;c&gt;</code></pre></div>\n"},
	} {
		r := renderer{book: &book{refs: names}}
		assert.Equal(t, c.want, r.render(c.text), c.law)
	}
}

func TestThePipeLinksToTheChapters(t *testing.T) {
	strip := "fakeapi ─▶ reflector ─▶ deltafifo ─▶ [process loop ─▶ indexer ─▶ processor] ─▶ your handlers\n"
	b := &book{tree: repo.Open(fstest.MapFS{"docs/6-informer.md": {Data: []byte(strip)}}),
		chapters: []chapter{{Path: "/README.md"}, {Path: "/docs/4-indexer.md"}, {Path: "/docs/6-informer.md"}}}
	got := b.pipe("docs/6-informer.md")
	assert.Contains(t, got, `<a class="here" href="/docs/4-indexer.md">indexer</a>`, "within the brackets")
	assert.Contains(t, got, `<a class="here" href="/docs/6-informer.md">process loop</a>`)
	assert.Contains(t, got, `<a href="/docs/6-informer.md">your handlers</a>`, "behind them")
	assert.Contains(t, got, `<a href="/">fakeapi</a>`, "a chapter that is missing")
}
