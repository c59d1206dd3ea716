package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
{"Action":"run","Package":"w/4_1_keys","Test":"TestKeys"}
{"Action":"output","Package":"w/4_1_keys","Test":"TestKeys","Output":"--- SKIP: TestKeys (0.00s)\n"}
{"Action":"skip","Package":"w/4_1_keys","Test":"TestKeys"}
{"Action":"pass","Package":"w/4_1_keys"}`
	doesNotCompile = `
{"ImportPath":"w/5_1_ring [w/5_1_ring.test]","Action":"build-output","Output":"# w/5_1_ring\n"}
{"ImportPath":"w/5_1_ring [w/5_1_ring.test]","Action":"build-output","Output":"ring.go:9:2: undefined: x\n"}
{"Action":"fail","Package":"w/5_1_ring","FailedBuild":"w/5_1_ring [w/5_1_ring.test]"}`
)

func TestTheBoardReadsWhatGoTestSays(t *testing.T) {
	results := readEvents([]byte(oneLawFails + allPass + doesNotCompile))
	missing, keys, ring := results["3_2_missing"], results["4_1_keys"], results["5_1_ring"]

	assert.False(t, missing.passed)
	require.Len(t, missing.laws, 2, "a test with subtests is no law itself")
	require.Len(t, missing.failed(), 1)
	failed := missing.failed()[0]
	assert.Equal(t, "the newer state", failed.sentence(), "a law is shown as a sentence")
	assert.Equal(t, []string{"a_test.go:62: it is newer."}, failed.message(),
		"go test's own lines are not part of the message")

	assert.True(t, keys.passed)
	assert.Empty(t, keys.failed())
	assert.Equal(t, "ring.go:9:2: undefined: x", ring.broken,
		"what does not compile says so with the compiler's first error")
}

func TestTheBoardShowsHowFarEachExerciseIs(t *testing.T) {
	results := readEvents([]byte(oneLawFails + allPass + doesNotCompile))
	list := []progress{
		{task: task{stage: 3, number: 1, name: "push"}, at: 12},
		{task: task{stage: 3, number: 2, name: "missing"}, result: results["3_2_missing"]},
		{task: task{stage: 4, number: 1, name: "keys"}, result: results["4_1_keys"]},
		{task: task{stage: 5, number: 1, name: "ring"}, result: results["5_1_ring"]},
	}
	var out strings.Builder
	w := workshop{root: t.TempDir(), out: &out}
	w.draw(list, []mutant{{name: "A"}, {name: "B"}})
	assert.Equal(t, `  The informer workshop                             1 of 4 solved

  fakeapi ~~▶ reflector ─▶ [deltafifo] ─▶ indexer ─▶ processor ─▶ informer ─▶ workqueue ─▶ you

  3 deltafifo   · 3.1 push        ✎ 3.2 missing
  4 indexer     ✔ 4.1 keys
  5 processor   ✎ 5.1 ring
  8 finale      · A  · B

`, out.String(), "the pipe, where the next exercise is in it, and a sign for each exercise")

	out.Reset()
	w.next(list)
	for _, want := range []string{
		"3.2 missing: 1 of 2 laws hold", "This one does not: the newer state", "it is newer.",
		"make hint E=3.2", "5.1 does not compile: ring.go:9:2: undefined: x", "push.go:12",
	} {
		assert.Contains(t, out.String(), want)
	}
}

// What go test -json prints when the body of an exercise panics in a subtest, shortened.
const panics = `
{"Action":"run","Package":"w/1_1_since","Test":"TestSince"}
{"Action":"run","Package":"w/1_1_since","Test":"TestSince/news"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince/news","Output":"--- FAIL: TestSince/news (0.00s)\n"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince","Output":"panic: index out of range [recovered, repanicked]\n"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince","Output":"goroutine 8 [running]:\n"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince","Output":"\t/home/w/1_1_since/since.go:25 +0x12\n"}
{"Action":"output","Package":"w/1_1_since","Test":"TestSince","Output":"\t/home/w/1_1_since/since_test.go:61 +0x12\n"}
{"Action":"fail","Package":"w/1_1_since","Test":"TestSince/news"}
{"Action":"fail","Package":"w/1_1_since","Test":"TestSince"}
{"Action":"fail","Package":"w/1_1_since"}`

func TestTheBoardSaysWhereABodyPanics(t *testing.T) {
	p := progress{task: task{stage: 1, number: 1, name: "since", dir: "/home/w/1_1_since"},
		result: readEvents([]byte(panics))["1_1_since"]}
	var out strings.Builder
	workshop{out: &out}.failure(p)
	assert.Contains(t, out.String(), "does not: news\n      panic: index out of range  since.go:25\n",
		"go test prints the panic under the parent of the law, and below a stack")
}

func pump(events string) progress {
	return progress{task: task{stage: 5, number: 2, name: "pump", dir: "/home/w/5_2_pump"},
		result: readEvents([]byte(events))["5_2_pump"]}
}

func TestALongMessageDoesNotHideAPanic(t *testing.T) {
	line := `{"Action":"output","Package":"w/5_2_pump","Test":"TestRest","Output":"a value\n"}` + "\n"
	p := pump(`{"Action":"run","Package":"w/5_2_pump","Test":"TestRest"}` + "\n" +
		strings.Repeat(line, 100) +
		`{"Action":"output","Package":"w/5_2_pump","Test":"TestRest","Output":"panic: deadlock\n"}
{"Action":"fail","Package":"w/5_2_pump"}`)
	var out strings.Builder
	workshop{out: &out}.failure(p)
	assert.Equal(t, 6, strings.Count(out.String(), "a value"), "the beginning of a message is enough")
	assert.Contains(t, out.String(), "panic: deadlock")
}

func TestTheBoardSaysThatALawNeverEnded(t *testing.T) {
	p := pump(`
{"Action":"run","Package":"w/5_2_pump","Test":"TestRest"}
{"Action":"output","Package":"w/5_2_pump","Test":"TestRest","Output":"TestRest still runs after 20s, in pump.go:22\n"}
{"Action":"fail","Package":"w/5_2_pump"}`)
	var out strings.Builder
	workshop{out: &out}.failure(p)
	assert.Contains(t, out.String(), "5.2 pump: the program ended here, and no further law was tried.",
		"\"0 of 1 laws hold\" would hide that the others were not run")
	assert.Contains(t, out.String(), "still runs after 20s, in pump.go:22")
}

func TestAMissingStubHidesNoOtherExercise(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"1_1_since", "1_2_frames"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "docs", "workshop", dir), 0o755))
	}
	writeMutants(t, root, "")
	stub := filepath.Join(root, "docs", "workshop", "1_2_frames", "frames.go")
	require.NoError(t, os.WriteFile(stub, []byte("package p\nfunc f() { panic(\"TODO\") }\n"), 0o600))
	var out strings.Builder
	require.NoError(t, workshop{root: root, out: &out}.board(t.Context()))
	assert.Contains(t, out.String(), "✎ 1.1 since       · 1.2 frames\n")
	assert.Regexp(t, `1\.1 has no file .*since\.go\. git restore brings it back`, out.String())
	assert.Regexp(t, `Next: .*frames\.go:2`, out.String())
}

// writeMutants writes the mutants of the finale and returns its folder.
func writeMutants(t *testing.T, root, text string) (dir string) {
	dir = filepath.Join(root, "docs", "workshop", "finale")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "testdata"), 0o755))
	file := filepath.Join(dir, "testdata", "stages.mutants")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return dir
}

func TestAWrongAnswerMustFailByTheLawItNames(t *testing.T) {
	for _, c := range []struct{ promise, fails, events, complaint string }{
		{"fails as it says", "TestA/the newer state", oneLawFails, ""},
		{"fails by another law", "TestA/what is listed exists", oneLawFails, "does not fail by"},
		{"passes", "TestKeys", allPass, `"x" passes`},
		{"does not compile", "TestRing", doesNotCompile, "does not compile"},
	} {
		check := &checker{found: map[string][]string{}, wrong: map[string]int{}}
		wrong := mutant{name: "x", about: map[string]string{"fails": c.fails}}
		for _, r := range readEvents([]byte(c.events)) {
			check.judgeWrong(task{dir: "3_2_missing"}, wrong, r)
		}
		if c.complaint == "" {
			assert.Empty(t, check.found, c.promise)
			assert.Equal(t, 1, check.wrong["3_2_missing"], c.promise)
			continue
		}
		require.Len(t, check.found["3_2_missing"], 1, c.promise)
		assert.Contains(t, check.found["3_2_missing"][0], c.complaint, c.promise)
	}
}

func TestASkippedLawHasProvedNothing(t *testing.T) {
	assert.True(t, readEvents([]byte(allSkipped))["4_1_keys"].laws[0].skipped())
	assert.False(t, readEvents([]byte(allPass))["4_1_keys"].laws[0].skipped())
}

func TestHintsComeOneByOneAndBeginAgain(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	root := t.TempDir()
	dir := filepath.Join(root, "docs", "workshop", "1_1_since")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte(""+
		"## Predict\n<details><summary>Answer</summary>\n\nsecret\n</details>\n"+
		"## Hints\n<details><summary>1 · Where to look</summary>\n\nfirst\n</details>\n"+
		"<details><summary>2 · How to think</summary>\n\nsecond\n</details>\n"), 0o600))
	for i, want := range []string{"first", "second", "first"} {
		var out strings.Builder
		require.NoError(t, workshop{root: root, out: &out}.hint([]string{"1.1", "since", "1_1_since"}[i]))
		assert.Contains(t, out.String(), want)
		assert.NotContains(t, out.String(), "secret", "the answer of Predict is not a hint")
	}
	assert.ErrorContains(t, workshop{root: root}.hint("9.9"), `no exercise "9.9"; there are 1.1`)
}

func TestAMutantHasOneHint(t *testing.T) {
	root := t.TempDir()
	const edit = "stage: indexer\nfile: indexer/index.go\n--- as it is\nx\n--- broken\ny\n"
	dir := writeMutants(t, root, "## A\n"+edit+"\n## B\n"+edit)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte(""+
		"<details><summary>A</summary>\n\nlook at the set\n</details>\n"), 0o600))
	var out strings.Builder
	w := workshop{root: root, out: &out}
	require.NoError(t, w.hint("a"))
	assert.Equal(t, "  A indexer, the only hint\n\n  look at the set\n", out.String())
	assert.ErrorContains(t, w.hint("B"), "mutant B has no hint", "a report without a hint is an author's mistake")
	assert.ErrorContains(t, w.hint("Z"), `no mutant "Z"; there are A, B`)
}

func TestStubAndSolutionMustDeclareTheSame(t *testing.T) {
	const stub = "// Package p is.\npackage p\n\n// T is.\ntype T int\n\n// F does.\nfunc F(a int) T {\n\tpanic(\"TODO\")\n}\n"
	for _, c := range []struct{ promise, solution, complaint string }{
		{"the same", strings.Replace(stub, `panic("TODO")`, "return T(a)", 1), ""},
		{"one more func", stub + "\nfunc g() {}\n", ""},
		{"another signature", strings.Replace(stub, "a int", "a, b int", 1), "func F"},
		{"another doc", strings.Replace(stub, "F does.", "F did.", 1), "func F"},
		{"another type", strings.Replace(stub, "T int", "T string", 1), "type T int"},
		{"another package doc", strings.Replace(stub, "p is", "p was", 1), "the package doc"},
		{"not formatted", strings.Replace(stub, "\tpanic", "  panic", 1), "gofmt"},
	} {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "testdata"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(stub), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "testdata", "solution.go"), []byte(c.solution), 0o600))
		check := &checker{found: map[string][]string{}}
		require.NoError(t, check.agree(task{name: "p", dir: dir}))
		found := strings.Join(check.found[filepath.Base(dir)], "\n")
		if c.complaint == "" {
			assert.Empty(t, found, c.promise)
		} else {
			assert.Contains(t, found, c.complaint, c.promise)
		}
	}
}

func TestAMutantFitsInOnePlace(t *testing.T) {
	m, err := parseMutant("A\nstage: indexer\nfile: indexer/index.go\n" +
		"--- as it is\n\tdelete(m, k)\n--- broken\n\t_ = k\n--- as it is\n}\n--- broken\n")
	require.NoError(t, err)
	broken, err := m.apply("{\n\tdelete(m, k)\n\t}\n}\n")
	require.NoError(t, err)
	assert.Equal(t, "{\n\t_ = k\n\t}\n", broken, "whole lines are replaced")
	for _, source := range []string{"{\n}\n", "\tdelete(m, k)\n\tdelete(m, k)\n}\n"} {
		_, err = m.apply(source)
		assert.ErrorContains(t, err, "want these lines once", "code that has moved on is reported")
	}
	for _, text := range []string{"A\nstage: indexer\n", "A\n--- as it is\nx\n"} {
		_, err = parseMutant(text)
		assert.Error(t, err, text)
	}
}
