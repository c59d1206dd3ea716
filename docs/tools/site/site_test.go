package main

import (
	"context"
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/repo"
)

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost:8099"+path, nil))
	return w
}

// aSite serves a small repository.
func aSite() http.Handler {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		".gitignore":            "*.out\n.idea/\n",
		"README.md":             "# A house\n\n[the map](docs/0-map.md)\n",
		"cover.out":             "secret",
		".idea/a":               "secret",
		".git/config":           "secret",
		"doc.go":                "// Package watchglass is the vocabulary.\npackage watchglass\n",
		"docs/0-map.md":         "# 0 · The map\n\n`queue.Queue.Pop` is in [a package](../queue).\n`TestPop`, `TestTwice`.\n",
		"docs/1-one.md":         "# 1 · One\n",
		"docs/a-words.md":       "# Words\n",
		"docs/a.svg":            "<svg xmlns='http://www.w3.org/2000/svg'/>",
		"queue/pop.go":          queueCode,
		"queue/pop_test.go":     "package queue\n\nfunc helper() {}\n\nfunc TestPop() {}\n\nfunc TestTwice() {}\n",
		"tools/main_test.go":    "package main\n\nfunc TestTwice() {}\n",
		"queue/testdata/x.go":   "package x\n",
		"tools/main.go":         "// Command tools prints.\npackage main\n\n// Main is not shown.\nfunc main() {}\n",
		"queue/broken/wrong.go": "package broken\n\nfunc {\n",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return newSite(fsys)
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

func TestPagesShowTheRepository(t *testing.T) {
	site := aSite()
	for _, c := range []struct {
		law, path string
		code      int
		want      []string
	}{
		{"the home page is the README", "/", 200, []string{"<title>A house", `href="docs/0-map.md"`,
			"<li><a href=\"/queue/broken/\">queue/broken</a></li>"}},
		{"a page knows the next one and the one before", "/docs/1-one.md", 200,
			[]string{`rel="prev" href="/docs/0-map.md">← 0 · The map`, `rel="next" href="/docs/a-words.md">Words`,
				`<a href="/docs/1-one.md" aria-current="page">1 · One</a>`}},
		{"the last page has no next one", "/docs/a-words.md", 200, []string{`rel="prev"`}},
		{"a name links to its declaration", "/docs/0-map.md", 200,
			[]string{`href="/queue/pop.go#Queue.Pop"><code>queue.Queue.Pop`}},
		{"so does the name of a test, if there is one of that name", "/docs/0-map.md", 200,
			[]string{`href="/queue/pop_test.go#TestPop"><code>TestPop`, `<code>TestTwice</code>.`}},
		{"lines of code have anchors, and declarations too", "/queue/pop.go", 200,
			[]string{`<span class="declared" id="Queue.Pop"></span><span class="number" id="L21"`,
				`id="ErrB"></span><span class="number" id="L9"`, `id="Options.Depth"></span>`,
				`<a href="/queue/">queue</a>`, `<span class="keyword">func</span>`}},
		{"a test is code, too", "/queue/pop_test.go", 200, []string{`id="helper"`}},
		{"code that does not parse is shown", "/queue/broken/wrong.go", 200, []string{"func"}},
		{"and so is the folder it is in", "/queue/broken/", 200, []string{`href="/queue/broken/wrong.go"`}},
		{"a folder shows the doc of its package", "/queue/", 200,
			[]string{`import "example.com/watchglass/queue"`, `<a href="#Queue.Pop">Queue.Pop</a>`,
				`<a href="#Options.Depth">Options.Depth</a>`, `<span id="Options.Depth"></span>`,
				`<a href="https://pkg.go.dev/fmt#Stringer">fmt.Stringer</a>`, `<h3 id="ErrA">`,
				`<span id="ErrB"></span>`, `<a class="source" href="/queue/pop.go#Queue.Pop">source</a>`,
				"<h1>queue</h1>", "<h2>Variables</h2>", "<h2>Types</h2>", `<h3 id="Queue">type Queue`,
				`<h3 id="Queue.Pop">func (*Queue[T]) Pop`, `<span class="keyword">struct</span>`,
				"<p>Pop takes a T &amp; waits.", `<a href="/queue/testdata/">testdata/</a>`}},
		{"the top folder has a path of its own", "/watchglass/", 200,
			[]string{"Package watchglass is the vocabulary.", `<a href="/queue/">queue/</a>`}},
		{"of a program, only the doc is shown", "/tools/", 200, []string{"Command tools prints."}},
		{"a folder without code lists its files", "/docs/", 200, []string{`<a href="/docs/0-map.md">`}},
		{"a folder without its slash is redirected", "/queue", 301, nil},
		{"other files are shown as they are", "/.gitignore", 200, []string{"*.out"}},
		{"a file that does not exist is not found", "/queue/push.go", 404, []string{"has no queue/push.go."}},
		{"names are escaped", "/%3Cscript%3E", 404, []string{"no &lt;script&gt;."}},
		{"a file that .gitignore names is not found", "/cover.out", 404, nil},
		{"nor is a file in a folder that it names", "/.idea/a", 404, nil},
		{"nor are git's own files", "/.git/config", 404, nil},
		{"a path cannot lead out of the repository", "/../../etc/passwd", 404, nil},
		{"not with escaped dots either", "/docs/%2e%2e/%2e%2e/etc/passwd", 404, nil},
	} {
		w := get(site, c.path)
		assert.Equal(t, c.code, w.Code, c.law)
		for _, want := range c.want {
			assert.Contains(t, w.Body.String(), want, c.law)
		}
		assert.NotContains(t, w.Body.String(), "secret", c.law)
	}
	assert.NotContains(t, get(site, "/docs/a-words.md").Body.String(), `rel="next"`)
	assert.NotContains(t, get(site, "/tools/").Body.String(), "Main is not shown")
	assert.NotContains(t, get(site, "/").Body.String(), "testdata", "data is no package")
}

func TestPagesRunNothing(t *testing.T) {
	site := aSite()
	assert.Equal(t, policy, get(site, "/docs/1-one.md").Header().Get("Content-Security-Policy"))
	assert.NotContains(t, policy, "script")
	svg := get(site, "/docs/a.svg")
	assert.Equal(t, "image/svg+xml", svg.Header().Get("Content-Type"))
	assert.NotContains(t, svg.Header().Get("Content-Security-Policy"), "script", "a picture runs nothing")
	assert.Equal(t, "text/css; charset=utf-8", get(site, "/site.css").Header().Get("Content-Type"))
}

// A crawler follows every link of the site to its end. Of the files that are no Markdown, it reads
// only those in which a link has an anchor: there are hundreds, all made in the same way.
type crawler struct {
	site    http.Handler
	tree    *repo.Tree
	bodies  map[string]string // by path, "" while it waits
	links   map[string]string // link → the page that has it
	waiting []string          // paths to read
}

var linkForms = regexp.MustCompile(` (?:href|src)="([^"]*)"`)

func (c *crawler) visit(t *testing.T, page string) {
	w := get(c.site, page)
	if w.Code == http.StatusMovedPermanently {
		c.follow(&url.URL{Path: w.Header().Get("Location")}, page)
		return
	}
	require.Equal(t, http.StatusOK, w.Code, page)
	body := w.Body.String()
	c.bodies[page] = body
	assert.NotContains(t, body, "<script", page)
	if strings.HasSuffix(page, ".md") {
		assert.Empty(t, unrendered(body), "%s shows Markdown instead of what it means", page)
	}
	here, err := url.Parse(page)
	require.NoError(t, err)
	for _, link := range linkForms.FindAllStringSubmatch(body, -1) {
		target, err := here.Parse(html.UnescapeString(link[1]))
		if assert.NoError(t, err, page) && target.Host == "" && target.Scheme != "mailto" {
			c.follow(target, page)
		}
	}
}

func (c *crawler) follow(target *url.URL, from string) {
	link := target.Path + "#" + target.Fragment
	if c.links[link] != "" {
		return
	}
	c.links[link] = from
	if storyOf(c.tree, target.Path) != "" {
		return // each replay is a page of its own, with a script
	}
	name := strings.Trim(target.Path, "/")
	isFile := c.tree.Has(name) && !c.tree.IsDir(name) && path.Ext(name) != ".md"
	if _, seen := c.bodies[target.Path]; !seen && (!isFile || target.Fragment != "") {
		c.bodies[target.Path] = ""
		c.waiting = append(c.waiting, target.Path)
	}
}

var inCode = regexp.MustCompile(`(?s)<pre.*?</pre>|<code>.*?</code>`)

// unrendered finds marks of Markdown outside code, "" where there are none.
func unrendered(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	return regexp.MustCompile("\\]\\([^)]*\\)|\\*\\*|`|&lt;/?(details|summary|picture|img|source)|<p>\\||(?m)^\\s+- |^(---|~~~)").
		FindString(inCode.ReplaceAllString(body, ""))
}

func TestEveryLinkOfTheRepositoryLeadsSomewhere(t *testing.T) {
	top, err := repo.Root()
	require.NoError(t, err)
	c := &crawler{newSite(os.DirFS(top)), repo.Open(os.DirFS(top)), map[string]string{}, map[string]string{}, []string{"/"}}
	for ; len(c.waiting) > 0; c.waiting = c.waiting[1:] {
		c.visit(t, c.waiting[0])
	}
	for link, from := range c.links {
		page, anchor, _ := strings.Cut(link, "#")
		if strings.HasPrefix(page, "/replay/") {
			continue // to a moment: a test of package tape looks for it
		}
		assert.True(t, anchor == "" || strings.Contains(c.bodies[page], ` id="`+html.EscapeString(anchor)+`"`),
			"%s links to %s, which has no such anchor", from, link)
	}
	for _, name := range chapters(c.tree) {
		assert.Contains(t, c.bodies, "/"+name, "every chapter is linked")
	}
	for _, dir := range packages(c.tree) {
		assert.Contains(t, c.bodies, folderPath(dir), "every package is linked")
	}
	for _, machine := range []string{`<svg class="machine"`, ">opening watch</text>", ">ended, busy*</text>"} {
		assert.Contains(t, c.bodies["/docs/2-reflector.md"], machine, "the reflector's machine is a picture")
	}
}

// The site stands for all programs that docs/tools/program runs.
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
		{"an error is one line, whatever it says", t.Context(), fails(errors.New("server says:\n\tno\n")), "",
			program.Failed, "", "p: server says: no\n"},
		{"an interrupt is no failure", interrupted, fails(context.Canceled), "", program.OK, "", ""},
		{"-h lists the flags", t.Context(), run, "-h", program.OK, "The chapters, the package docs and the source, " +
			"for a browser.\n  -addr host:port\n    \tlisten on this loopback host:port (default 127.0.0.1:8099, " +
			"or a free port where that one is taken)\n", ""},
		{"a flag that makes no sense", t.Context(), fails(program.Misuse("-n %d makes no sense", -1)), "",
			program.Misused, "", "p: -n -1 makes no sense\n"},
		{"a flag that does not exist", t.Context(), run, "-m 1", program.Misused,
			"", "p: flag provided but not defined: -m; -h lists the flags\n"},
		{"an address that others can reach", t.Context(), run, "-addr 0.0.0.0:80", program.Failed,
			"", "p: -addr \"0.0.0.0:80\" is no loopback address such as 127.0.0.1:8099\n"},
	} {
		var stdout, stderr strings.Builder
		assert.Equal(t, c.code, c.run.Run(c.ctx, "p", strings.Fields(c.args), &stdout, &stderr), c.law)
		assert.Equal(t, c.stderr, stderr.String(), c.law)
		assert.Equal(t, c.stdout, stdout.String(), c.law)
	}
}

func TestTheSiteIsServedUntilTheInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out, in := io.Pipe()
	served := make(chan error)
	go func() { served <- run(ctx, []string{"-addr", "127.0.0.1:0"}, in) }()
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
		{"an address of this machine", "GET", "[::1]:8099", "", 200},
		{"a name of this machine", "GET", "localhost", "", 200},
		{"a name elsewhere that was made to resolve to this machine", "GET", "evil.example:8099", "", 403},
		{"a name that begins like an address", "GET", "127.0.0.1.evil.example", "", 403},
		{"the page itself presses a button", "POST", "localhost:80", "http://localhost:80", 200},
		{"a page elsewhere does", "POST", "localhost:80", "http://evil.example", 403},
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
