package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/workshop/exercise"
)

// What go test -json prints, shortened to the fields that are read.
const (
	oneLawFails = `
{"Action":"start","Package":"w/3_2_missing"}
{"Action":"run","Package":"w/3_2_missing","Test":"TestA"}
{"Action":"run","Package":"w/3_2_missing","Test":"TestA/what_is_listed_exists"}
{"Action":"run","Package":"w/3_2_missing","Test":"TestA/the_newer_state"}
{"Action":"output","Package":"w/3_2_missing","Test":"TestA/the_newer_state","Output":"    --- FAIL: TestA/the_newer_state (0.00s)\n"}
{"Action":"output","Package":"w/3_2_missing","Test":"TestA/the_newer_state","Output":"        a_test.go:62: it is newer.\n"}
{"Action":"fail","Package":"w/3_2_missing","Test":"TestA/the_newer_state"}
{"Action":"pass","Package":"w/3_2_missing","Test":"TestA/what_is_listed_exists"}
{"Action":"fail","Package":"w/3_2_missing","Test":"TestA"}
{"Action":"fail","Package":"w/3_2_missing"}`
	allPass = `
{"Action":"run","Package":"w/4_1_keys","Test":"TestKeys"}
{"Action":"pass","Package":"w/4_1_keys","Test":"TestKeys"}
{"Action":"pass","Package":"w/4_1_keys"}`
	allSkipped = `
{"Action":"run","Package":"w/4_2_diff","Test":"TestKeys"}
{"Action":"output","Package":"w/4_2_diff","Test":"TestKeys","Output":"--- SKIP: TestKeys (0.00s)\n"}
{"Action":"skip","Package":"w/4_2_diff","Test":"TestKeys"}
{"Action":"pass","Package":"w/4_2_diff"}`
	doesNotCompile = `
{"ImportPath":"w/5_1_ring [w/5_1_ring.test]","Action":"build-output","Output":"# w/5_1_ring\n"}
{"ImportPath":"w/5_1_ring [w/5_1_ring.test]","Action":"build-output","Output":"ring.go:9:2: undefined: x\n"}
{"Action":"fail","Package":"w/5_1_ring","FailedBuild":"w/5_1_ring [w/5_1_ring.test]"}`
	panics = `
{"Action":"run","Package":"w/1_1_since","Test":"TestSince"}
{"Action":"run","Package":"w/1_1_since","Test":"TestSince/news"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince/news","Output":"--- FAIL: TestSince/news (0.00s)\n"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince","Output":"panic: index out of range [recovered, repanicked]\n"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince","Output":"\t/home/w/1_1_since/since.go:25 +0x12\n"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince","Output":"\t/home/w/1_1_since/since_test.go:61 +0x12\n"}
{"Action":"fail","Package":"w/1_1_since","Test":"TestSince/news"}
{"Action":"fail","Package":"w/1_1_since"}`
	neverEnds = `
{"Action":"run","Package":"w/5_2_pump","Test":"TestRest"}
{"Action":"output","Package":"w/5_2_pump","Test":"TestRest","Output":"TestRest still runs after 20s, in pump.go:22\n"}
{"Action":"fail","Package":"w/5_2_pump"}`
)

func TestTheBoardReadsWhatGoTestSays(t *testing.T) {
	results := readEvents(strings.NewReader(oneLawFails + allPass + allSkipped + doesNotCompile +
		panics + neverEnds))
	assert.Equal(t, []string{"1 of 2 laws hold.", "This one does not: the newer state",
		"  a_test.go:62: it is newer."},
		results["3_2_missing"].why(),
		"a test with subtests is no law itself, and go test's lines are no message")
	assert.True(t, results["4_1_keys"].passed)
	assert.False(t, results["4_1_keys"].laws[0].skipped())
	assert.True(t, results["4_2_diff"].laws[0].skipped(), "a law that is skipped has proved nothing")
	assert.Equal(t, []string{"it does not compile: ring.go:9:2: undefined: x"},
		results["5_1_ring"].why())
	assert.Equal(t, []string{"the program ended here, and no further law was tried.",
		"This one does not: news",
		"  It panicked: index out of range, in since.go:25"}, results["1_1_since"].why(),
		"go test prints the panic under the parent of the law, and below a stack")
	assert.Equal(t, []string{"the program ended here, and no further law was tried.",
		"This one does not: rest",
		"  TestRest still runs after 20s, in pump.go:22"}, results["5_2_pump"].why(),
		"\"0 of 1 laws hold\" would hide that the others were not run")
	long := readEvents(strings.NewReader(strings.Replace(panics, `news","Output":"--- FAIL: TestSince/news (0.00s)\n"}`,
		`news","Output":"a value\n"}`+strings.Repeat("\n"+`{"Action":"output","Package":"w/1_1_since","Test":`+
			`"TestSince/news","Output":"a value\n"}`, 100), 1)))["1_1_since"].why()
	assert.Equal(t, 6, strings.Count(strings.Join(long, "\n"), "a value"),
		"the beginning of a message is enough")
	assert.Contains(t, long[2], "It panicked: index", "a long message does not hide a panic")
}

func TestTheLawSpeaksFirst(t *testing.T) {
	printed := strings.Split("=== RUN   TestA/x\n"+strings.Repeat("debug 1\n", 7)+
		"    a_test.go:62: it is newer.\n        got  1\n        want 2\n"+
		"    a_test.go:62: and more\n        got  2\n", "\n")
	want := []string{"a_test.go:62: it is newer.", "got  1", "want 2", "It also printed:"}
	assert.Equal(t, append(want, slices.Repeat([]string{"debug 1"}, 7)...), message(printed),
		"only the first failure is shown, and a learner's own prints come below it")
	r := &result{pkg: "w"}
	for range 5000 {
		r.note(event{Action: "output", Output: "x"}, nil)
	}
	const end = "TestX still runs after 20s: is there a loop that does not end, a lock"
	r.note(event{Action: "output", Output: end}, nil)
	assert.Len(t, r.printed, 1001, "a loop that prints fills no memory")
	assert.Equal(t, end, r.end(), "and hides no end")
}

func TestNoLawsAreNoSuccess(t *testing.T) {
	r := readEvents(strings.NewReader(`{"Action":"skip","Package":"w/4_1_keys"}`))["4_1_keys"]
	assert.Equal(t, tried, progress{result: r}.state(), "the test file was deleted")
	assert.Contains(t, r.why()[0], "no laws")
}

func TestWordsAreNotBroken(t *testing.T) {
	var out strings.Builder
	workshop{out: &out}.print("  ✎ 1.1 since:", strings.Repeat("eleven chrs ", 10),
		"a table   "+strings.Repeat("x", 90))
	for _, line := range strings.Split(out.String(), "\n")[:2] {
		assert.LessOrEqual(t, len([]rune(line)), 80)
		assert.Regexp(t, "(eleven|chrs)$", line)
	}
	assert.Contains(t, out.String(), strings.Repeat("x", 90), "a table keeps its lines")
}

func TestACommandBelowDashesIsNotLost(t *testing.T) {
	const template = "// The commands:\n//\n//\tadd web-1@2 …   what a watch reports; also update, " +
		"delete\n\npop\n"
	const after = "add a\n----\nqueue [a]\n"
	for _, line := range []string{"add b", "update b", "delete b", "pop", "wait 1s"} {
		at, command := swallowed("add a\n----\n"+line+"\n", after, template)
		assert.Equal(t, 3, at, line)
		assert.Equal(t, line, command)
	}
	at, _ := swallowed("add a\n----\nqueue [b]\n", after, template)
	assert.Zero(t, at, "an old state is replaced")
}

func TestTheBoardShowsHowFarEachExerciseIs(t *testing.T) {
	results := readEvents(strings.NewReader(oneLawFails + allPass))
	var out strings.Builder
	workshop{root: t.TempDir(), out: &out}.draw([]progress{
		{task: task{stage: 3, id: "3.1", name: "push"}},
		{task: task{stage: 3, id: "3.2", name: "missing"}, result: results["3_2_missing"]},
		{task: task{stage: 4, id: "4.1", name: "keys"}, result: results["4_1_keys"]},
		{task: task{stage: 4, id: "4.2", name: "diff"}, result: results["4_1_keys"], given: true},
	}, open, []patch{{Name: "A"}, {Name: "B"}}, map[string]string{"A": solved, "B": open})
	assert.Equal(t, `  The informer workshop                             1 of 4 solved

  fakeapi ▶ reflector ▶ [deltafifo] ▶ indexer ▶ processor ▶ informer ▶ workqueue

  3 deltafifo   · 3.1 push        ✎ 3.2 missing
  4 indexer     ✔ 4.1 keys        ◇ 4.2 diff
  8 pipe        · all together
  9 finale      ✔ A  · B

`, out.String(), "the pipe, where the next exercise is in it, and a sign for each exercise")
}

// aWorkshop writes files below docs/workshop of a new repository.
func aWorkshop(t *testing.T, files map[string]string) (w workshop, out *strings.Builder) {
	out = &strings.Builder{}
	w = workshop{root: t.TempDir(), out: out}
	for name, text := range files {
		file := filepath.Join(w.dir(), name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return w, out
}

func TestAMissingStubHidesNoOtherExercise(t *testing.T) {
	w, out := aWorkshop(t,
		map[string]string{"1_1_since/README.md": "", "finale/testdata/mutants.txt": "",
			"1_2_frames/frames.go": "package p\nfunc f() { panic(\"TODO\") }\n"})
	require.NoError(t, w.board(t.Context()))
	assert.Contains(t, out.String(), "✎ 1.1 since       · 1.2 frames\n")
	assert.Regexp(t, `(?s)1\.1 since: .*git\s+restore\s+brings\s+since\.go back\n +make try E=1.1`, out.String())
	assert.Regexp(t, `Next:\s+\S*1_1_since/README\.md`, out.String(), "what was begun comes before what is open")
}

func TestASolutionReplacesWhatALearnerWroteAndKeepsIt(t *testing.T) {
	const stub, mine = "package p\n\nfunc f() int {\n\tpanic(\"TODO\")\n}\n",
		"package p\n\nfunc f() int { return 7 }\n"
	w, _ := aWorkshop(t, map[string]string{"1_1_since/since.go": stub,
		"1_1_since/testdata/answers.txt": "## solution\n--- instead of\n\tpanic(\"TODO\")\n--- write\n" +
			"\treturn 1\n"})
	for _, args := range []string{"init -q", "add .",
		"-c user.name=a -c user.email=b commit -qm stub"} {
		require.NoError(t, exec.Command("git",
			append([]string{"-C", w.root}, strings.Fields(args)...)...).Run())
	}
	file := filepath.Join(w.dir(), "1_1_since", "since.go")
	require.NoError(t, os.WriteFile(file, []byte(mine), 0o600))
	for _, c := range []struct{ typed, fails, written string }{
		{"", "nothing was written", mine},
		{"n\n", "nothing was written", mine},
		{"y\n", "", strings.Replace(stub, `panic("TODO")`, "return 1", 1) + "\n" + givenMark + "\n"},
		{"y\n", "since.mine is there already", strings.Replace(stub, `panic("TODO")`, "return 1", 1) + "\n" + givenMark + "\n"},
	} {
		w.in = strings.NewReader(c.typed)
		if err := w.solve(t.Context(), "1.1"); c.fails != "" {
			assert.ErrorContains(t, err, c.fails)
		} else {
			assert.NoError(t, err)
		}
		text, err := readText(file)
		require.NoError(t, err)
		assert.Equal(t, c.written, text, "after %q", c.typed)
	}
	kept, err := readText(strings.TrimSuffix(file, ".go") + ".mine")
	require.NoError(t, err)
	assert.Equal(t, mine, kept)
}

func TestNextIsTheExerciseThatWasSavedLast(t *testing.T) {
	const begun = "package p\nfunc f() {\n\tg()\n\tpanic(\"TODO\")\n}\n"
	w, out := aWorkshop(t,
		map[string]string{"1_1_since/since.go": begun, "1_2_frames/frames.go": begun,
			"2_1_outcome/outcome.go":      "package p\nfunc f() { panic(\"TODO\") }\n",
			"finale/testdata/mutants.txt": ""})
	hourAgo := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(w.dir(), "1_1_since", "since.go"), hourAgo, hourAgo))
	require.NoError(t, w.board(t.Context()))
	assert.Regexp(t, `Next:\s+\S*1_2_frames/README\.md`, out.String())
}

func TestThePipeNamesTheExerciseThatStopsIt(t *testing.T) {
	const compiler = "docs/workshop/1_2_frames/frames.go:7:2: undefined: x"
	assert.Equal(t, "exercise 1.2 does not compile: "+compiler, stops(compiler))
	const panicked = "panic: index out of range\n\ngoroutine 7 [running]:\nmain.main()\n" +
		"\t/home/me/docs/workshop/1_1_since/since.go:25 +0x1d\nexit status 2"
	assert.Equal(t, "exercise 1.1 stops the pipe. It panicked: index out of range, in since.go:25. "+
		"More: make try E=1.1", stops(panicked))
	assert.Empty(t, stops("go: no such tool"))
}

func TestWatchTriesAllThatWasSaved(t *testing.T) {
	w, _ := aWorkshop(t, map[string]string{"1_1_since/since.go": "", "1_2_frames/frames.go": "",
		"board.go": ""})
	file := func(name string) string { return filepath.Join(w.dir(), name) }
	last := map[string]string{file("1_1_since/since.go"): "1", file("1_1_since/more.go"): "1",
		file("board.go"): "1"}
	now := map[string]string{file("1_1_since/since.go"): "2", file("1_1_since/more.go"): "2",
		file("board.go"):             "2",
		file("1_2_frames/frames.go"): "1"}
	assert.Equal(t, []string{"1.1", "1.2"}, w.changed(last, now),
		"each once, also a new one, and nothing else")
	assert.Empty(t, w.changed(now, now))
	assert.ErrorContains(t, w.watch(t.Context(), "9.9"), `no exercise "9.9"`, "there is nothing to wait for")
}

func TestAWrongAnswerMustFailByTheLawItNames(t *testing.T) {
	wrong := func(law string) patch { return patch{Name: "x", About: map[string]string{"fails": law}} }
	for _, c := range []struct {
		promise   string
		answer    patch
		events    string
		complaint string
	}{
		{"fails as it says", wrong("TestA/the newer state"), oneLawFails, ""},
		{"fails by another law", wrong("TestA/what is listed exists"), oneLawFails, "does not fail by"},
		{"passes", wrong("TestKeys"), allPass, "passes"},
		{"does not compile", wrong("TestRing"), doesNotCompile, "does not compile"},
		{"a solution passes", patch{Name: "solution"}, allPass, ""},
		{"a solution fails", patch{Name: "solution"}, oneLawFails, "fails: 1 of 2 laws hold"},
		{"a solution is skipped", patch{Name: "solution"}, allSkipped, "is skipped"},
	} {
		for _, r := range readEvents(strings.NewReader(c.events)) {
			assert.Contains(t, r.judge(c.answer), c.complaint, c.promise)
			assert.Equal(t, c.complaint == "", r.judge(c.answer) == "", c.promise)
		}
	}
}

func TestHintsComeOneByOneAndBeginAgain(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	const edit = "stage: indexer\n--- instead of\nx\n--- write\ny\n"
	w, out := aWorkshop(t, map[string]string{
		"1_1_since/README.md": "## Predict\n<details><summary>Answer</summary>\n\nsecret\n</details>\n" +
			"## Hints\n<details><summary>1 · Where to look</summary>\n\n" +
			strings.Repeat("first of all ", 9) + "\n</details>\n" +
			"<details><summary>2 · How to think</summary>\n\nsecond\n</details>\n",
		"finale/testdata/mutants.txt": "## A\n" + edit + "\n## B\n" + edit,
		"finale/README.md":            "<details><summary>A</summary>\n\nlook at the set\n</details>\n",
	})
	for _, c := range [][2]string{{"1.1", " of\n    all"}, {"since", "second"}, {"1_1_since", "first"},
		{"a", "  A indexer, the only hint\n\n    look at the set\n"}} {
		out.Reset()
		require.NoError(t, w.hint(c[0]))
		assert.Contains(t, out.String(), c[1])
		assert.NotContains(t, out.String(), "secret", "the answer of Predict is not a hint")
	}
	assert.ErrorContains(t, w.hint("9.9"), `no exercise "9.9"; there are 1.1`)
	assert.ErrorContains(t, w.hint("B"), "mutant B has no hint",
		"a report without a hint is an author's mistake")
	assert.ErrorContains(t, w.hint("Z"), `no mutant "Z"; there are A, B`)
}

// go run ./docs/workshop check plays them, too: that takes minutes.
func TestEachMutantFitsItsStage(t *testing.T) {
	w := workshop{root: filepath.Join("..", "..")}
	all, err := w.mutants()
	require.NoError(t, err)
	assert.NotEmpty(t, all)
	for _, m := range all {
		source, err := readText(filepath.Join(w.root, m.About["file"]))
		require.NoError(t, err)
		_, err = m.Apply(source)
		assert.NoError(t, err, "%s: docs/workshop/finale/testdata/mutants.txt", m.About["file"])
	}
}

func TestAnExerciseIsOpenWhileItsBodyIsNotWritten(t *testing.T) {
	for _, c := range []struct {
		law, source string
		line        int
	}{
		{"a panic that says TODO is open", "package p\n\nfunc f() {\n\tpanic(\"TODO\")\n}\n", 4},
		{"the text may go on", "package p\nfunc f() { panic(`TODO: two lines`) }\n", 2},
		{"the first of several counts", "package p\nfunc f() { panic(\"TODO\") }\nfunc g() { panic(\"TODO\") }\n", 2},
		{"also inside a function literal", "package p\nvar f = func() {\n\tpanic(\"TODO\")\n}\n", 3},
		{"a panic that says something else may be part of a solution", "package p\nfunc f() { panic(\"empty ring\") }\n", 0},
		{"so may a panic with a variable, even if it is called TODO", "package p\nvar TODO = 1\nfunc f() { panic(TODO) }\n", 0},
		{"a comment is not code", "package p\n// panic(\"TODO\")\nfunc f() {}\n", 0},
		{"a method called panic is not panic", "package p\nfunc f(t T) { t.panic(\"TODO\") }\n", 0},
	} {
		todos, err := exercise.TODOs(c.source)
		require.NoError(t, err, c.law)
		assert.Equal(t, c.line, append(todos, exercise.TODO{})[0].Line, c.law)
	}
	todos, err := exercise.TODOs(
		"package p\nfunc f() {\n\tg()\n\tpanic(\"TODO\")\n}\nfunc g() { panic(\"TODO\") }\n")
	require.NoError(t, err)
	assert.Equal(t, []exercise.TODO{{Line: 4, Func: "f", Last: true}, {Line: 6, Func: "g"}}, todos, "code above a panic is pointed out")
	_, err = exercise.TODOs("package p\nfunc f() {\n")
	assert.Error(t, err, "what is not Go is neither open nor solved")
}

// The tests of exercises are played in a process of their own, because they fail.
func TestWhatALearnerIsShown(t *testing.T) {
	const open, written = "package p\nfunc f() { panic(`TODO`) }\n", "package p\n"
	switch os.Getenv("PLAYED") {
	case "open":
		exercise.Start(t, "f.go", open)
		t.Fatal("its laws are run")
	case "endless":
		exercise.Start(t, "workshop_test.go", written)
		select {}
	case "greedy":
		exercise.Start(t, "f.go", written)
		held := make([]byte, 300<<20)
		<-make(chan bool)
		runtime.KeepAlive(held)
	case "wrong":
		exercise.Start(t, "f.go", written)
		letter := func(dice *rand.Rand) string { return string('a' + rune(dice.IntN(2))) }
		exercise.Compare(t, "It counts", letter, func(steps []string) (rows []exercise.Row) {
			for i, s := range steps { // the third of equal letters in a row is not counted
				got := i + 1
				if i >= 2 && s == "b" && steps[i-1] == "b" && steps[i-2] == "b" {
					got--
				}
				rows = append(rows, exercise.Row{Step: s, Got: fmt.Sprint(got), Want: fmt.Sprint(i + 1)})
			}
			return rows
		})
	case "":
		for played, shown := range map[string]string{
			"open": "TODO  write f.go:2\n--- SKIP",
			"endless": "still runs after 500ms, in workshop_test.go:[0-9]+: is there a loop that does not " +
				"end",
			"greedy": "holds 3[0-9]+ MiB: is there a loop",
			"wrong":  "It counts.\n +b   1\n +b   2\n +b   got  2\n +want 3\n",
		} {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run", t.Name())
			cmd.Env = append(os.Environ(), "PATIENCE=500ms", "PLAYED="+played)
			out, err := cmd.CombinedOutput()
			assert.Equal(t, played == "open", err == nil, played)
			assert.Regexp(t, shown, string(out))
		}
	}
}
