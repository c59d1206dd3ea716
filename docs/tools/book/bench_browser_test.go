package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/bench"
	"example.com/watchglass/docs/tools/browser"
	"example.com/watchglass/docs/tools/repo"
)

// onBench is a page with a bench.
type onBench struct {
	*browser.Tab
	url string
}

func openBench(t *testing.T) onBench {
	browser.Wanted(t)
	if err := bench.Possible(); err != nil {
		t.Skip(err)
	}
	top, err := repo.Root()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, maker{t}.write(top, dir, ""))
	require.NoError(t, writeBench(top, dir))
	server := httptest.NewServer(http.StripPrefix("/below/", http.FileServerFS(os.DirFS(dir))))
	t.Cleanup(server.Close)
	return onBench{browser.Open(t, "about:blank", ""), server.URL + "/below/"}
}

func (b onBench) visit(page string) {
	b.Call("Page.navigate", map[string]any{"url": b.url + page}, nil)
	b.Until(fmt.Sprintf("location.href === %q", b.url+page))
}

// write replaces a part of the text in the editor, all of it for "".
func (b onBench) write(old, text string) {
	b.Eval(fmt.Sprintf(`(area => {
		const was = %q || area.value
		if (!area.value.includes(was)) throw new Error('the editor has no ' + was)
		area.value = area.value.replace(was, () => %q)
		area.dispatchEvent(new Event('input'))
	})(document.querySelector('[data-bench] textarea'))`, old, text), nil)
}

// start presses run.
func (b onBench) start() {
	b.Eval(`[...document.querySelectorAll('[data-bench] button')]
		.find(b => b.textContent.startsWith('run')).click()`, nil)
}

// run presses run, and returns the verdict.
func (b onBench) run(t *testing.T) string {
	b.start()
	return b.verdict(t)
}

// press presses a button of the bench by what its text begins with.
func (b onBench) press(text string) {
	b.Eval(fmt.Sprintf(`[...document.querySelectorAll('[data-bench] button')]
		.find(b => b.textContent.startsWith(%q)).click()`, text), nil)
}

// cancelAt presses cancel when the bench has just said something.
func (b onBench) cancelAt(said string) {
	b.Eval(fmt.Sprintf(`(el => new MutationObserver((_, watch) => {
		if (!%s.test(el.textContent)) return
		watch.disconnect()
		setTimeout(() => document.querySelector('[data-bench]').bench.cancelButton.click(), 50)
	}).observe(el, { childList: true }))(document.querySelector('.bench .said'))`, said), nil)
}

// copied presses a button that copies something, and returns that.
func (b onBench) copied(text string) (copied string) {
	b.Eval(`globalThis.copied = '', Object.defineProperty(navigator, 'clipboard', {
		value: { writeText: async s => { copied = s } }, configurable: true,
	}), 0`, nil)
	b.press(text)
	b.Until("copied")
	b.Eval("copied", &copied)
	return copied
}

// verdict waits for what is said of a run.
func (b onBench) verdict(t *testing.T) string {
	began := time.Now()
	idle := `[...document.querySelectorAll('[data-bench]')].some(el => el.ariaBusy === 'false')`
	for ok := false; !ok; time.Sleep(10 * time.Millisecond) {
		b.Eval(idle, &ok)
		require.Less(t, time.Since(began), 2*time.Minute)
	}
	var text, said string
	b.Eval(`document.querySelector('.verdict:not([hidden])').textContent`, &text)
	b.Eval(`document.querySelector('.bench .said').textContent`, &said)
	t.Logf("%.1f s (%s)\n%s", time.Since(began).Seconds(), strings.TrimSpace(said), text)
	return text
}

const ringPage = "docs/workshop/5_1_ring/README.html"

// ringAnswers returns the answers to exercise 5.1 by their names: the solution, and wrong ones.
func ringAnswers(t *testing.T) map[string]string {
	top, err := repo.Root()
	require.NoError(t, err)
	tree := repo.Open(os.DirFS(top))
	const dir = "docs/workshop/5_1_ring/"
	patches, err := repo.Patches(tree.Read(dir + "testdata/answers.txt"))
	require.NoError(t, err)
	answers := map[string]string{}
	source := tree.Read(dir + "ring.go")
	for _, p := range patches {
		text, err := p.Apply(source)
		require.NoError(t, err)
		if answers[p.Name] = text; p.Name == "solution" {
			source = text
		}
	}
	return answers
}

// TestBrowserBench is one test, because each browser loads the workbench.
func TestBrowserBench(t *testing.T) {
	p := openBench(t)
	answers := ringAnswers(t)
	p.visit(ringPage)
	p.Until("document.querySelector('[data-bench]').bench")
	t.Run("the button says how much will be loaded", func(t *testing.T) {
		p.In(t)
		var says string
		var bytes float64
		p.Eval("document.querySelector('[data-bench] .main').textContent", &says)
		p.Eval(`fetch(new URL('bench/index.json', ROOT)).then(a => a.json())
			.then(i => Object.values(i.sizes).reduce((a, b) => a + b))`, &bytes)
		var megabytes float64
		_, err := fmt.Sscanf(says, "run ▶ (%f MB once)", &megabytes)
		require.NoError(t, err, says)
		assert.InDelta(t, bytes/1e6, megabytes, 1)
		p.Eval(`fetch(new URL('bench/index.json', ROOT)).then(a => a.json())
			.then(i => i.pipe.size)`, &bytes)
		assert.InDelta(t, bytes/1e6, 10, 1, "what the button of the pipe adds (shop.js)")
		var license string
		p.Eval("fetch(new URL('bench/LICENSE-Go.txt', ROOT)).then(a => a.text())", &license)
		assert.Contains(t, license, "The Go Authors", "it lies beside the tools")
	})
	t.Run("what takes long can be cancelled, at first the loading", func(t *testing.T) {
		p.In(t)
		for _, said := range []string{
			`/loading …/`,
			`/loading: /`,
			`/loading: (.+) of \1,/`, // all has come, and the browser still compiles it
			`/compiling/`,
			`/linking/`,
		} {
			p.cancelAt(said)
			p.start()
			assert.Equal(t, "It was cancelled.", p.verdict(t), said)
		}
	})
	t.Run("the numbers of lines move with the text", func(t *testing.T) {
		p.In(t)
		var box string
		p.Eval("document.querySelector('.sheet .row').offsetParent.className", &box)
		assert.Equal(t, "sheet", box)
	})
	t.Run("an exercise that is open says what is to be written", func(t *testing.T) {
		p.In(t)
		assert.Contains(t, p.run(t), "ring.go:17  Write is not written")
	})
	t.Run("a right answer holds", func(t *testing.T) {
		p.In(t)
		p.write("", answers["solution"])
		assert.Equal(t, "  ✔ 5.1 ring:\n    all 5 laws hold.", p.run(t))
	})
	t.Run("a wrong answer shows the first law that fails", func(t *testing.T) {
		p.In(t)
		p.write("", answers["not zeroed"])
		assert.Contains(t, p.run(t), "This one does not: any writes and reads")
	})
	t.Run("a syntax error marks its line", func(t *testing.T) {
		p.In(t)
		p.write("", strings.Replace(answers["solution"], "r.Count++", "r.Count+", 1))
		assert.Regexp(t, `^docs/workshop/5_1_ring/ring.go:\d+:\d+: syntax error`, p.run(t))
		p.Until("document.querySelectorAll('.row.wrong').length === 1")
	})
	t.Run("an answer that panics is named with its line", func(t *testing.T) {
		p.In(t)
		p.write("", strings.Replace(answers["solution"], "r.Count++", "panic(r)", 1))
		assert.Regexp(t, `It panicked: .*, in ring.go:\d+`, p.run(t))
	})
	t.Run("an answer that does not end is stopped", func(t *testing.T) {
		p.In(t)
		p.write("", strings.Replace(answers["solution"], "r.Count++", "for {\n\t}", 1))
		assert.Contains(t, p.run(t), "still runs after 20s: is there a loop that does not end")
	})
	t.Run("a line of a stage taken out breaks a story, which is named", func(t *testing.T) {
		p.In(t)
		p.visit("deltafifo/replace.go.html")
		p.Until("document.querySelector('.change-it')")
		p.Eval("document.querySelector('.change-it').open = true", nil)
		p.Until("document.querySelector('[data-bench]').bench")
		assert.Contains(t, p.run(t), "✔ deltafifo:\n    all 12 stories and")
		p.write(" + f.deleteKnown(left)", "")
		said := p.run(t)
		assert.Contains(t, said, "This story breaks: 03 relist finds deletions")
	})
	t.Run("reset brings the original back, and a change is kept and shared", func(t *testing.T) {
		p.In(t)
		var changed string
		p.Eval("document.querySelector('[data-bench] textarea').value", &changed)
		link, patch := p.copied("copy as a link"), p.copied("copy as a patch")
		assert.Contains(t, patch, "--- a/deltafifo/replace.go\n+++ b/deltafifo/replace.go\n")
		assert.Equal(t, changed, applied(t, "deltafifo/replace.go", patch), "git apply reads the patch")

		p.visit("deltafifo/replace.go.html")
		const isOriginal = `(area => area.value === area.defaultValue)(document.querySelector('[data-bench] textarea'))`
		p.Until("!" + isOriginal)
		p.press("reset")
		p.Until(isOriginal)

		p.Call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
		p.Call("Page.navigate", map[string]any{"url": link}, nil)
		p.Until(`document.querySelector('.change del')?.textContent.includes('f.deleteKnown(left)')`)
		p.Until(isOriginal)
		var frames int
		p.Eval("document.querySelectorAll('iframe').length", &frames)
		assert.Zero(t, frames, "nothing has run, and nothing is loaded")
		p.press("put it into the editor, and run it")
		assert.Contains(t, p.verdict(t), "This story breaks: 03 relist finds deletions")
		p.press("reset")
	})
	t.Run("the code of a stranger reaches nothing", func(t *testing.T) {
		p.In(t)
		p.visit(ringPage)
		p.Until("document.querySelector('[data-bench]').bench")
		p.write("", strings.ReplaceAll(stranger, "URL", p.url))
		assert.Contains(t, p.run(t), "It panicked: origin null, document undefined, script refused, "+
			"files refused, storage refused, eval refused, fetch refused, socket refused")
		p.press("reset")
	})
	t.Run("a change that a chapter proposes breaks what it says", func(t *testing.T) {
		p.In(t)
		p.visit("docs/4-indexer.html")
		p.Eval("document.querySelector('.trial').open = true", nil)
		p.Until("document.querySelector('.trial .row.changed')")
		var frames int
		p.Eval("document.querySelectorAll('iframe').length", &frames)
		assert.Zero(t, frames, "the change can be seen, and nothing is loaded before it runs")
		assert.Contains(t, p.run(t), "This story breaks: 1 an update moves an object between values")
	})
	t.Run("an exercise that is solved is on the board, and hints come one by one", func(t *testing.T) {
		p.In(t)
		p.visit("docs/workshop/4_1_keys/README.html")
		p.Until("document.querySelector('[data-bench]').bench.hints.length === 3")
		p.Until("document.querySelectorAll('details[hidden]').length === 2")
		p.Eval("for (const d of document.querySelector('[data-bench]').bench.hints) d.open = true", nil)
		p.Until(`[...document.querySelectorAll('button')]
		.some(b => b.textContent === 'show the solution')`)
		p.press("show the solution")
		p.Until("document.querySelector('.solution')")
		p.press("put it into the editor")
		assert.Contains(t, p.run(t), "✔ 4.1 keys:")
		p.visit("docs/workshop/README.html")
		p.Until("/^◇/.test(document.querySelector('[data-exercise$=\"4_1_keys\"]').textContent)")
	})
	t.Run("a story exposes a mutant of the finale", func(t *testing.T) {
		p.In(t)
		p.visit("docs/workshop/finale/README.html")
		p.Eval("document.querySelector('[data-finale=D]').closest('details').open = true", nil)
		p.Until("document.querySelector('[data-finale=D]').bench")
		p.Eval(`for (const el of document.querySelectorAll('[data-finale]')) if (el.dataset.finale !== 'D') el.remove()`, nil)
		p.write("", "# It moves.\nindex node\nadd web-1@1 node-a\n"+
			"update web-1@2 node-b\n----\n")
		assert.Contains(t, p.run(t), "The story promises nothing yet.")
		p.press("write the states")
		p.Until(`document.querySelector('[data-bench] textarea').value.includes('updated web-1@1 to @2') &&
			document.querySelector('[data-bench]').ariaBusy === 'false'`)
		assert.Contains(t, p.run(t), "✔ Exposed. On the broken stage the story ends like this:")

		p.write("updated web-1@1 to @2", "updated web-1@1 to @9")
		link, patch := p.copied("copy as a link"), p.copied("copy as a patch")
		assert.Contains(t, patch, "--- /dev/null\n+++ b/docs/workshop/finale/d.story\n@@ -0,0 +1,")
		assert.Contains(t, applied(t, "docs/workshop/finale/d.story", patch), "# It moves.\n")
		p.Call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
		p.Call("Page.navigate", map[string]any{"url": link}, nil)
		p.Until("document.querySelector('[data-finale=D] .change ins')")
		var shown int
		p.Eval("document.querySelectorAll('.change').length", &shown)
		assert.Equal(t, 1, shown, "the link is of one report, whose template others have, too")
		p.visit("docs/workshop/README.html")
		p.Until("/^✔/.test(document.querySelector('[data-report=D]').textContent)")
	})
}

// stranger is an answer to exercise 5.1 that looks for a way out, and says what it has found.
const stranger = `package ring

import (
	"strings"
	"syscall/js"
)

const minSlots = 4

type Ring struct {
	Slots []string
	Start int
	Count int
}

var page = js.Global()

// try says what comes of something that throws or does not.
func try(what string, do func()) (said string) {
	defer func() {
		if recover() != nil {
			said = what + " refused"
		}
	}()
	do()
	return what + " works"
}

// wait says which of two things happens.
func wait(what string, begin func(yes, no js.Func)) string {
	end := make(chan string, 2)
	says := func(how string) js.Func {
		return js.FuncOf(func(js.Value, []js.Value) any {
			end <- what + how
			return nil
		})
	}
	begin(says(" works"), says(" refused"))
	return <-end
}

func (r *Ring) Write(v string) {
	found := []string{
		"origin " + page.Get("origin").String(),
		"document " + page.Get("document").Type().String(),
		try("script", func() { page.Call("importScripts", "URLassets/book.js") }),
		try("files", func() { page.Get("caches").Call("open", "x") }),
		try("storage", func() { page.Get("indexedDB").Call("open", "x") }),
		try("eval", func() { page.Call("eval", "1") }),
		wait("fetch", func(yes, no js.Func) { page.Call("fetch", "URLindex.html").Call("then", yes, no) }),
		wait("socket", func(yes, no js.Func) {
			s := page.Get("WebSocket").New(strings.Replace("URLindex.html", "http", "ws", 1))
			s.Set("onopen", yes)
			s.Set("onerror", no)
		}),
	}
	panic(strings.Join(found, ", "))
}

func (r *Ring) Read() (v string, ok bool) { return "", false }
`

// applied returns a file of the repository with a patch, as git applies it.
func applied(t *testing.T, file, patch string) string {
	top, err := repo.Root()
	require.NoError(t, err)
	dir := t.TempDir()
	at := filepath.Join(dir, file)
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o777))
	text, err := os.ReadFile(filepath.Join(top, file))
	if err == nil {
		require.NoError(t, os.WriteFile(at, text, 0o600))
	} // or else the patch makes it
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
	cmd.Env = append(os.Environ(), "GIT_DIR="+filepath.Join(dir, "none"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err = os.ReadFile(at)
	require.NoError(t, err)
	return string(text)
}
