package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
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

// run presses run, and returns the verdict and how long it took.
func (b onBench) run(t *testing.T) string {
	began := time.Now()
	b.Eval(`[...document.querySelectorAll('[data-bench] button')].find(b => b.textContent.startsWith('run')).click()`, nil)
	idle := `document.querySelector('[data-bench]').ariaBusy === 'false'`
	for ok := false; !ok; time.Sleep(10 * time.Millisecond) {
		b.Eval(idle, &ok)
		require.Less(t, time.Since(began), 2*time.Minute)
	}
	var text, said string
	b.Eval(`document.querySelector('[data-bench] .verdict').textContent`, &text)
	b.Eval(`document.querySelector('[data-bench] .said').textContent`, &said)
	t.Logf("%.1f s (%s)\n%s", time.Since(began).Seconds(), strings.TrimSpace(said), text)
	return text
}

const ringPage = "docs/workshop/5_1_ring/README.html"

// ring is the solution of exercise 5.1, and where its wrong answers are.
func ringAnswers(t *testing.T) (stub string, answers map[string]string) {
	top, err := repo.Root()
	require.NoError(t, err)
	tree := repo.Open(os.DirFS(top))
	const dir = "docs/workshop/5_1_ring/"
	patches, err := repo.Patches(tree.Read(dir + "testdata/answers.txt"))
	require.NoError(t, err)
	answers = map[string]string{}
	source := tree.Read(dir + "ring.go")
	for _, p := range patches {
		text, err := p.Apply(source)
		require.NoError(t, err)
		if answers[p.Name] = text; p.Name == "solution" {
			source = text
		}
	}
	return tree.Read(dir + "ring.go"), answers
}

// TestBrowserBench is one test, because each browser loads the workbench.
func TestBrowserBench(t *testing.T) {
	p := openBench(t)
	_, answers := ringAnswers(t)
	p.visit(ringPage)
	p.Until("document.querySelector('[data-bench]').bench")
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
	for _, stage := range []string{"indexer/diff.go", "processor/ring.go", "reflector/backoff.go"} {
		t.Run("all tests hold in "+stage, func(t *testing.T) {
			p.In(t)
			p.visit(stage + ".html")
			p.Eval("document.querySelector('.change-it').open = true", nil)
			p.Until("document.querySelector('[data-bench]').bench")
			assert.Contains(t, p.run(t), "✔ ")
		})
	}
}
