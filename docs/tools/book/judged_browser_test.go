package main

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/bench"
	"example.com/watchglass/docs/tools/repo"
)

// These tests take a quarter of an hour: make judged runs them. They prove in Chromium what make
// check proves in a terminal of the exercises, and of the changes in the chapters that each breaks
// what it says.
func judged(t *testing.T) (onBench, *repo.Tree) {
	if os.Getenv("JUDGED") == "" {
		t.Skip("This test takes a quarter of an hour: make judged runs it.")
	}
	top, err := repo.Root()
	require.NoError(t, err)
	return openBench(t), repo.Open(os.DirFS(top))
}

func TestBrowserEachAnswerIsJudgedAsInATerminal(t *testing.T) {
	p, tree := judged(t)
	for _, dir := range bench.Exercises(tree) {
		p.visit(dir + "/README.html")
		p.Until("document.querySelector('[data-bench]').bench")
		p.Eval(`document.querySelector('[data-bench]').addEventListener('judged', e => {
			globalThis.printed = e.detail.printed
		}), 0`, nil)
		patches, err := repo.Patches(tree.Read(dir + "/testdata/answers.txt"))
		require.NoError(t, err)
		source := tree.Read(bench.StubOf(dir))
		for _, answer := range patches {
			text, err := answer.Apply(source)
			require.NoError(t, err)
			if answer.Name == "solution" {
				source = text
			}
			t.Run(path.Base(dir)+" "+answer.Name, func(t *testing.T) {
				p.In(t)
				p.write("", text)
				said, printed := p.run(t), ""
				fails := strings.ReplaceAll(answer.About["fails"], " ", "_")
				if fails == "" {
					assert.Regexp(t, `^  ✔ .*\n    all \d+ laws hold\.$`, said)
					return
				}
				p.Eval("printed", &printed)
				assert.Regexp(t, `^  ✎ `, said)
				assert.Contains(t, printed, "=== RUN   "+fails+"\n")
				assert.NotContains(t, printed, "--- PASS: "+fails+" ")
			})
		}
	}
}

func TestBrowserEachChangeOfAChapterBreaksWhatItSays(t *testing.T) {
	p, _ := judged(t)
	trials, err := bench.Trials()
	require.NoError(t, err)
	for i, trial := range trials {
		t.Run(trial.Title, func(t *testing.T) {
			p.In(t)
			p.visit(pageOf(trial.Chapter))
			p.Eval(fmt.Sprintf("document.querySelectorAll('.trial')[%d].open = true", i%3), nil)
			p.Until("[...document.querySelectorAll('.trial [data-bench]')].some(el => el.bench)")
			assert.Contains(t, p.run(t), trial.Breaks)
		})
	}
}

func TestBrowserEachExerciseRunsInThePipe(t *testing.T) {
	p, tree := judged(t)
	p.visit("docs/workshop/README.html")
	p.Eval("document.querySelector('[data-bench]').closest('details').open = true", nil)
	p.Until("document.querySelector('[data-bench]').bench")
	t.Run("solutions run in the place of open exercises", func(t *testing.T) {
		p.In(t)
		said := p.run(t)
		assert.Contains(t, said, "you have not written: in their place run the solutions")
		assert.Contains(t, said, "✔ Your informer told its handler of each change once, in order.")
	})
	const pump = "docs/workshop/5_2_pump/pump.go"
	for _, c := range []struct{ law, body, says string }{
		{"an exercise that panics is named", `panic("no pump")`,
			"exercise 5.2 stops the pipe. It panicked: no pump, in pump.go:"},
		{"an exercise that does not compile is named", `out <- 1`,
			"exercise 5.2 does not compile: " + pump},
		{"the verdict compares what handlers were told", "close(out)",
			"✎ The handler was told something else than by the real informer"},
	} {
		t.Run(c.law, func(t *testing.T) {
			p.In(t)
			text := strings.Replace(tree.Read(pump), `panic("TODO")`, c.body, 1)
			p.Eval(fmt.Sprintf("localStorage['bench ' + %q] = %q", pump, text), nil)
			assert.Contains(t, p.run(t), c.says)
		})
	}
}
