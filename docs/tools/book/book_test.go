package main

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// aHouse is a small repository.
func aHouse(more map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		".gitignore":  "*.out\n.idea/\n",
		"README.md":   "# A house\n\n[the map](docs/0-map.md)\n",
		"cover.out":   "secret",
		".idea/a":     "secret",
		".git/config": "secret",
		"doc.go": "// Package watchglass is the vocabulary.\npackage " +
			"watchglass\n",
		"docs/0-map.md": "# 0 · The map\n\n`queue.Queue.Pop` is in [a " +
			"package](../queue).\n`TestPop`, `TestTwice`.\n",
		"docs/1-one.md": "# 1 · One\n\n## A part\n\n<!-- scene: first queue cache " +
			"-->\n\n[see](../informer/testdata/1_first.story \"create web-1\")\n",
		"docs/a-glossary.md": "# Words\n\n<!-- whole: tools/main.go " +
			"queue/broken/wrong.go -->\n",
		"docs/e-dictionary.md":    "# Names\n",
		"docs/workshop/README.md": "# Workshop\n",
		"docs/a.svg":              "<svg xmlns='http://www.w3.org/2000/svg'/>",
		"queue/pop.go":            queueCode,
		"queue/pop_test.go": "package queue\n\nfunc helper() {}\n\nfunc TestPop() {}\n" +
			"\nfunc TestTwice() {}\n",
		"tools/main_test.go":  "package main\n\nfunc TestTwice() {}\n",
		"queue/testdata/x.go": "package x\n",
		"tools/main.go": "// Command tools prints.\npackage main\n\n// Main is not " +
			"shown.\nfunc main() {}\n",
		"queue/broken/wrong.go": "package broken\n\nfunc {\n",
		"informer/testdata/1_first.story": "# It begins. Then it runs.\ncreate web-1\n\n# Now.\nrun\n" +
			"----\ncache\n",
		"informer/testdata/2_two.story":    "create web-1\n",
		"docs/grow/1/testdata/three.story": "grow\n",
		"docs/other/testdata/four.story":   "shrink\n",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range more {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

const queueCode = `// Package queue is a queue. See [Queue.Pop], [Options.Depth] and [fmt.Stringer].
package queue

import "errors"

// ErrA and ErrB end a Pop.
var (
	ErrA = errors.New("a")
	ErrB = errors.New("b")
)

// Options configure a Queue.
type Options struct {
	Depth int // zero: ten
}

// Queue holds T.
type Queue[T any] struct{}

// Pop takes a T & waits.
func (q *Queue[T]) Pop() (t T) { return t }
`

// noMachine stands for the machine's page and its program.
func noMachine() (map[string][]byte, error) { return map[string][]byte{"index.html": nil}, nil }

func bookOf(t *testing.T, fsys fs.FS) (*book, error) {
	return newBook(fsys, tape.NewRecorder(t, tape.NewSource(fsys)), noMachine, "")
}

func TestPagesShowTheRepository(t *testing.T) {
	b, err := bookOf(t, aHouse(nil))
	require.NoError(t, err)
	for _, c := range []struct {
		law, path string
		want      []string
	}{
		{"the README says what it is about", "about.html", []string{"<title>A house", `href="docs/0-map.html"`,
			`href="assets/book.css"`}},
		{"a page knows the next one and the one before", "docs/1-one.html",
			[]string{`rel="prev" href="0-map.html">← 0 · The map`, `rel="next" href="a-glossary.html">Words`,
				`<a href="1-one.html" aria-current="page">1 · One</a>`}},
		{"the open chapter has its sections", "docs/1-one.html", []string{`<li><a href="#a-part">A part</a></li>`}},
		{"a name links to its declaration", "docs/0-map.html",
			[]string{`href="../queue/pop.go.html#Queue.Pop"><code>queue.<wbr>Queue.<wbr>Pop`}},
		{"so does the name of a test, if there is one of that name", "docs/0-map.html",
			[]string{`href="../queue/pop_test.go.html#TestPop"><code>TestPop`, `<code>TestTwice</code>.`}},
		{"lines of code have anchors, and declarations too", "queue/pop.go.html",
			[]string{`<span class="declared" id="Queue.Pop"></span><span class="number" id="L21"`,
				`id="ErrB"></span><span class="number" id="L9"`, `id="Options.Depth"></span>`,
				`<a href="index.html">queue</a>`, `<span class="keyword">func</span>`}},
		{"a test is code, too", "queue/pop_test.go.html", []string{`id="helper"`}},
		{"code that does not parse is shown", "queue/broken/wrong.go.html", []string{"func"}},
		{"and so is the folder it is in", "queue/broken/index.html", []string{`href="wrong.go.html"`}},
		{"a folder shows the doc of its package", "queue/index.html",
			[]string{`import "example.com/watchglass/queue"`, `<a href="#Queue.Pop">Queue.Pop</a>`,
				`<a href="#Options.Depth">Options.Depth</a>`, `<span id="Options.Depth"></span>`,
				`<a href="https://pkg.go.dev/fmt#Stringer">fmt.Stringer</a>`, `<h3 id="ErrA">`,
				`<span id="ErrB"></span>`, `<a class="source" href="pop.go.html#Queue.Pop">source</a>`,
				"<h1>queue</h1>", "<h2>Variables</h2>", "<h2>Types</h2>", `<h3 id="Queue">type Queue`,
				`<h3 id="Queue.Pop">func (*Queue[T]) Pop`, `<span class="keyword">struct</span>`,
				"<p>Pop takes a T &amp; waits.", `<a href="testdata/index.html">testdata/</a>`}},
		{"the top folder has a path of its own", "watchglass/index.html",
			[]string{"Package watchglass is the vocabulary.", `<a href="../queue/index.html">queue/</a>`}},
		{"of a program, only the doc is shown", "tools/index.html", []string{"Command tools prints."}},
		{"other files are shown as they are", ".gitignore.html", []string{"*.out"}},
		{"a picture is a file", "docs/a.svg", []string{"<svg"}},
		{"a scene is a picture and the way to its story", "docs/1-one.html", []string{
			`data-tape="../assets/scene/first.json.gz" data-story="../informer/testdata/1_first.story.html" data-places="queue cache"`, `src="../assets/scene/first-wide.svg"`,
			`<a href="../informer/testdata/1_first.story.html">The whole story`}},
		{"a link with words of an event leads to it", "docs/1-one.html",
			[]string{`href="../informer/testdata/1_first.story.html#moment,create%20web-1"`}},
		{"a program is shown whole, and what is new in it marked", "docs/a-glossary.html", []string{
			"3 lines; 2 are new", "<ins><span class=\"keyword\">package</span> broken</ins>\n\n<ins>"}},
		{"a story is prose, commands and states, and can be changed",
			"informer/testdata/1_first.story.html",
			[]string{"<p>Now.</p>\n<pre class=\"step\"><b>▸ run</b>\n    cache</pre>", `data-stage="informer"`, "\ncreate web-1\n"}},
		{"all stories are on one page", "stories.html", []string{
			`<a href="informer/testdata/1_first.story.html">First</a>. It begins.<details><summary>Picture and scene</summary><figure class="scene"`,
			`testdata/2_two.story.html">Two</a>`, `testdata/three.story.html">Three</a>`, `testdata/four.story.html">Four</a>`}},
	} {
		require.Contains(t, b.files, c.path)
		for _, want := range c.want {
			assert.Contains(t, b.files[c.path], want, c.law)
		}
	}
	assert.NotContains(t, b.files["docs/e-dictionary.html"], `rel="next"`, "the last page has no next one")
	assert.NotContains(t, b.files["tools/index.html"], "Main is not shown")
	for name, text := range b.files {
		assert.NotContains(t, text, "secret", "%s is of a file that .gitignore names", name)
	}
	again, err := bookOf(t, aHouse(nil))
	require.NoError(t, err)
	assert.Equal(t, b.files, again.files, "the same source makes the same bytes")
}

func TestAPageSaysWhatItIsAbout(t *testing.T) {
	b, err := bookOf(t, aHouse(nil))
	require.NoError(t, err)
	assert.Contains(t, b.use(), sourceFile, "without an address the source is in the book")
	archive, err := zip.NewReader(strings.NewReader(b.files[sourceFile]),
		int64(len(b.files[sourceFile])))
	require.NoError(t, err)
	_, err = archive.Open("watchglass/queue/pop.go")
	assert.NoError(t, err, "all of it")
	b.repo = "https://example.com/a?b&c"
	assert.Contains(t, b.use(), `git clone <a href="https://example.com/a?b&amp;c"`)
	assert.Equal(t, "A paragraph that is long enough to say what a page is about.",
		about("<h1>A</h1><p>Short.</p><p>A paragraph that is <em>long</em>\nenough to say what a "+
			"page is about.</p>"))
	assert.Less(t, len(about("<p>"+strings.Repeat("word ", 99)+"</p>")), 210)
	assert.Equal(t, "/assets/scene/a.svg", b.image(`<img src="/assets/scene/a.svg" alt="">`))
}

func TestWhatIsWrongInTheRepositoryFailsTheBuild(t *testing.T) {
	for file, c := range map[string]struct{ text, want string }{
		"docs/2-a.md": {"# 2\n\n[x](b.md)\n", "docs/2-a.md links to docs/b.md, which does not exist"},
		"docs/2-b.md": {"# 2\n\n[x](0-map.md#c)\n", "docs/2-b.md links to docs/0-map.html, which has no anchor \"c\""},
		"docs/2-e.md": {"# 2\n\n[x](../informer/testdata/1_first.story \"crash\")\n",
			"docs/2-e.md links to informer/testdata/1_first.story.html, which has no anchor " +
				"\"moment,crash\""},
		"docs/2-d.md":               {"# 2\n\n<!-- whole: none.go -->\n", "docs/2-d.md: there is no file none.go to show whole"},
		"docs/2-c.md":               {"# 2\n\n<!-- scene: none -->\n", "docs/2-c.md: there is no scene \"none\""},
		"informer/testdata/2.story": {"jump\n", "informer/testdata/2.story: 2.story: line 1: jump: no such command"},
	} {
		_, err := bookOf(t, aHouse(map[string]string{file: c.text}))
		assert.EqualError(t, err, c.want)
	}
}

var inCode = regexp.MustCompile(`(?s)<pre.*?</pre>|<code>.*?</code>|<textarea.*?</textarea>`)

// unrendered finds marks of Markdown outside code, "" where there are none.
func unrendered(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	return regexp.MustCompile("\\]\\([^)]*\\)|\\*\\*|`|" +
		`&lt;/?(a|details|summary|picture|img|source)\b|<p>\||(?m)^\s+- |^(---|~~~)`).
		FindString(inCode.ReplaceAllString(body, ""))
}

// newBook checks every link. With the race detector this takes ten times as long, and nothing in it
// runs at the same time as anything else.
func TestTheBookOfThisRepository(t *testing.T) {
	info, _ := debug.ReadBuildInfo()
	if slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("make check tests this")
	}
	top, err := repo.Root()
	require.NoError(t, err)
	b, err := bookOf(t, os.DirFS(top))
	require.NoError(t, err)
	size, names := 0, 0
	for name, text := range b.files {
		size, names = size+len(text), names+strings.Count(text, `<a class="ref"`)
		if path.Ext(name) == ".html" && b.tree.Has(strings.TrimSuffix(name, ".html")+".md") {
			assert.Empty(t, unrendered(text), "%s shows Markdown instead of what it means", name)
		}
		assert.NotRegexp(t, ` (src|srcset|data-tape)="(https?:)?//`, text, "%s loads nothing from another host", name)
	}
	assert.Less(t, size, 32<<20, "bytes without the program, which has 5 MB")
	one := b.files[oneFile]
	assert.Contains(t, one, "On a web server, and with scripts, this page makes the change")
	assert.NotContains(t, one, `id="bench/`, "the file stays small: it has nothing of the workbench")
	first := 0
	for _, name := range []string{
		"index.html", "assets/book.css", "assets/stage.css", "assets/minute.css", "assets/front.css",
		"assets/stage.js", "assets/book.js", "assets/search.js", "assets/front.js",
	} {
		first += len(static.Packed([]byte(b.files[name])))
	}
	first += len(b.files["assets/scene/minute.json.gz"])
	assert.Less(t, first, 100_000, "bytes of the front page and all that it loads, compressed")
	assert.Less(t, len(b.files["assets/search.json.gz"]), 250_000, "bytes that a search loads")
	found := packed(b.entries(), func(page, anchor string) string {
		assert.NotEmpty(t, b.files[page], "%s can be found, and is no page", page)
		return page
	})
	assert.Contains(t, string(found), "too old resource version", "an error message can be found")
	assert.Greater(t, names, 30_000, "names lead to their declarations, or nearly none was resolved")
	assert.NotEmpty(t, b.refs.Shown("reflector/outcome.go#endOf").Chapters)
	assert.NotEmpty(t, b.refs.Shown("processor/ring.go#ring.pop").Uses)
	assert.Equal(t, 7, strings.Count(b.files["docs/0-a-small-informer.html"], "The whole program"),
		"so each new line of each step is there")
	assert.Contains(t, b.files["docs/2-reflector.html"], "<title>All decisions of a reflector",
		"the table is a picture")
	for _, c := range b.chapters {
		page := b.files[pageOf(strings.TrimPrefix(c.Path, "/"))]
		if strings.Contains(page, `class="staged"`) && strings.Contains(page, "<strong>Predict") {
			assert.True(t, strings.Contains(page, `,question" data-tape`),
				"no link of %s leads to the question of its scene", c.Title)
		}
	}
	assert.Contains(t, b.files["docs/3-deltafifo.html"],
		`<details class="run"><summary>Run it with Go: a queue`, "a long story is folded")
	for _, c := range b.chapters[2:10] {
		page := b.files[pageOf(strings.TrimPrefix(c.Path, "/"))]
		assert.Contains(t, page, "<svg class=\"picture wide\"", "%s has its picture", c.Title)
		assert.NotRegexp(t, "<[^>]* style=", page, "%s: a picture has no style of its own", c.Title)
	}
}

// What a page says where the workbench does not run: without scripts, and in the one file.
func TestWithoutTheWorkbenchAPageSaysWhatToDoWithGo(t *testing.T) {
	top, err := repo.Root()
	require.NoError(t, err)
	b := &book{tree: repo.Open(os.DirFS(top)), files: map[string]string{}}
	for _, c := range []struct{ where, html, says string }{
		{"at the end of a chapter", b.trials("docs/3-deltafifo.md"),
			"<del>- \tf.makeRoom(len(list))\n</del>"},
		{"at the end of a chapter", b.trials("docs/3-deltafifo.md"),
			"<code>go test ./deltafifo</code>"},
		{"on a page of source", b.change("deltafifo/pop.go"),
			"change the file, then <code>go test ./deltafifo</code>"},
		{"in an exercise", b.exercise("docs/workshop/5_1_ring", "5.1", "ring"),
			"then <code>make try E=5.1</code>"},
		{"in the finale", b.finale("A", "deltafifo"), "<code>make finale M=A</code>"},
		{"at the pipe", b.runPipe(), "With Go: <code>make pipe</code>"},
	} {
		assert.Contains(t, c.html, c.says, c.where)
		assert.Contains(t, c.html, "<p class=\"how\">", c.where)
		assert.Contains(t, c.html, "Go's own compiler", c.where)
	}
	b.noBench = errors.New("no source")
	for _, html := range []string{
		b.trials("docs/3-deltafifo.md"), b.change("deltafifo/pop.go"), b.finale("A", "deltafifo"),
	} {
		assert.Contains(t, html, "This book has no workbench")
		assert.NotContains(t, html, "<textarea", "nothing that does not work is offered")
	}
}

// The book stands for all programs that docs/tools/program runs.
func TestExitCodes(t *testing.T) {
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	fails := func(err error) program.Func {
		return func(context.Context, []string, io.Writer) error { return err }
	}
	for _, c := range []struct {
		law            string
		ctx            context.Context
		run            program.Func
		args           string
		code           int
		stdout, stderr string
	}{
		{"an error is one line, whatever it says", t.Context(),
			fails(errors.New("server says:\n\tno\n")), "",
			program.Failed, "", "p: server says: no\n"},
		{"an interrupt is no failure", interrupted, fails(context.Canceled), "", program.OK, "", ""},
		{"-h lists the flags", t.Context(), maker{t}.run, "-h", program.OK,
			"The chapters, the stories and the source, " +
				"for a browser.\n  -addr host:port\n    \tlisten on this loopback host:port (default " +
				"127.0.0.1:8099, " +
				"or a free port where that one is taken)\n  -out folder\n    \twrite the book into this " +
				"folder, and serve nothing\n" +
				"  -page page\n    \tprint the URL of this page, for example machine/index.html\n" +
				"  -repo url\n    \tsay that the source is at this url\n", ""},
		{"a flag that makes no sense", t.Context(), fails(program.Misuse("-n %d makes no sense", -1)), "",
			program.Misused, "", "p: -n -1 makes no sense\n"},
		{"a flag that does not exist", t.Context(), maker{t}.run, "-m 1", program.Misused,
			"", "p: flag provided but not defined: -m; -h lists the flags\n"},
		{"an address that others can reach", t.Context(), maker{t}.run, "-addr 0.0.0.0:80",
			program.Failed,
			"", "p: -addr \"0.0.0.0:80\" is no loopback address such as 127.0.0.1:8099\n"},
	} {
		var stdout, stderr strings.Builder
		assert.Equal(t, c.code, c.run.Run(c.ctx, "p", strings.Fields(c.args), &stdout, &stderr), c.law)
		assert.Equal(t, c.stderr, stderr.String(), c.law)
		assert.Equal(t, c.stdout, stdout.String(), c.law)
	}
}

func TestTheBookIsServedUntilTheInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out, in := io.Pipe()
	served := make(chan error)
	listener, err := program.Listen("127.0.0.1:0", usual)
	require.NoError(t, err)
	pages := http.FileServerFS(fstest.MapFS{"index.html": {Data: []byte("a page")}})
	go func() { served <- program.Serve(ctx, listener, "", pages, in) }()
	line := make([]byte, 100)
	n, err := out.Read(line)
	require.NoError(t, err)
	at := strings.TrimSpace(string(line[:n]))
	answer, err := http.Get(at)
	require.NoError(t, err, "what it prints can be opened")
	require.NoError(t, answer.Body.Close())
	for _, c := range []struct {
		law, method, host, origin string
		code                      int
	}{
		{"a name elsewhere that begins like an address", "GET", "127.0.0.1.evil.example", "", 403},
		{"the page itself presses a button", "POST", "localhost:80", "http://localhost:80", 200},
		{"a page of another program does", "POST", "localhost:80", "http://localhost:81", 403},
	} {
		r, err := http.NewRequest(c.method, at, nil)
		require.NoError(t, err)
		r.Host = c.host
		r.Header.Set("Origin", c.origin)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, c.code, answer.StatusCode, c.law)
	}

	addr := strings.Trim(strings.TrimPrefix(at, "http:"), "/")
	other, err := program.Listen("", addr)
	require.NoError(t, err, "the usual port is taken, so another one is used")
	require.NoError(t, other.Close())
	interrupt()
	assert.NoError(t, <-served)
	usual, err := program.Listen("", addr)
	require.NoError(t, err)
	assert.Equal(t, addr, usual.Addr().String(), "now it is free")
	require.NoError(t, usual.Close())
}
