package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/docs/workshop/exercise"
)

// What the output of tests means, in the words of the workshop. The workbench of the book has this
// file, too: see judge_js.go.

// A result is what go test says of one package.
type result struct {
	pkg     string // the name of its folder
	passed  bool
	broken  string   // why it does not compile, "" if it does
	laws    []law    // those that ran, in their order
	printed []string // everything, also what belongs to no law
}

// A law is a test without subtests, or a subtest.
type law struct {
	name    string // with its parents: TestTombstones/what_is_listed_exists
	passed  bool
	ended   bool // false: the test program ended before the law did
	printed []string
}

// event is a line of go test -json: see go doc cmd/test2json.
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
}

// keep adds what was printed, as long as it is little or says how the program ended: a loop that
// prints without end fills no memory.
func keep(printed []string, line string) []string {
	if len(printed) < 1000 || isEnd(strings.TrimSpace(line)) {
		return append(printed, line)
	}
	return printed
}

// note takes an event in. build is what the compiler printed if it failed.
func (r *result) note(e event, build []string) {
	if e.Action == "output" {
		r.printed = keep(r.printed, e.Output)
	}
	at := slices.IndexFunc(r.laws, func(l law) bool { return l.name == e.Test })
	switch {
	case e.Action == "run":
		parent := e.Test[:max(0, strings.LastIndex(e.Test, "/"))] // it only holds laws
		r.laws = slices.DeleteFunc(r.laws, func(l law) bool { return l.name == parent })
		r.laws = append(r.laws, law{name: e.Test})
	case e.Test == "" && e.Action != "output":
		r.passed = e.Action == "pass" || e.Action == "skip"
		isError := func(line string) bool { return !strings.HasPrefix(line, "#") } // # package
		if i := slices.IndexFunc(build, isError); i >= 0 {
			r.broken = build[i]
		}
	case at >= 0 && e.Action == "output":
		r.laws[at].printed = keep(r.laws[at].printed, e.Output)
	case at >= 0:
		r.laws[at].ended, r.laws[at].passed = true, e.Action != "fail"
	}
}

// A verdict is what a reader is told of an answer. Its first line stands behind begin.
type verdict struct {
	begin string
	lines []string
	holds bool
}

// ofExercise judges an exercise in which these bodies are still to be written.
func (r *result) ofExercise(id, name string, todos []exercise.TODO) verdict {
	title := fmt.Sprintf("%s %s", id, name)
	switch {
	case r == nil || r.broken != "":
		return verdict{"  ✎ " + title + ":", r.why(), false}
	case len(todos) > 0:
		v := verdict{"  · " + title + " compiles, and is open:", nil, false}
		for _, todo := range todos {
			line := fmt.Sprintf("%s.go:%d  %s is not written", name, todo.Line, todo.Func)
			if todo.Last {
				line = fmt.Sprintf("%s.go:%d  there is code above the panic in %s: delete the panic, "+
					"and the laws run", name, todo.Line, todo.Func)
			}
			v.lines = append(v.lines, line)
		}
		return v
	case r.isSolved():
		return verdict{"  ✔ " + title + ":", []string{fmt.Sprintf("all %d laws hold.", len(r.laws))}, true}
	}
	return verdict{"  ✎ " + title + ":", r.explain(25), false}
}

// promises reports whether a story says what a state must be.
func promises(text string) (bool, error) {
	steps, err := story.Parse(text)
	return slices.ContainsFunc(steps, func(s story.Step) bool { return len(s.State) > 0 }), err
}

// nothingYet is said of a story that promises nothing. write is what writes the states.
func nothingYet(write string) string {
	return fmt.Sprintf(`  ✎ The story promises nothing yet. Below the command that shows the fault
    there has to be a line ----, and under it the state. Write the line; then
    %s writes under it what the correct stage shows.
`, write)
}

// runs is how often a story of the finale is played on each stage: what differs from run to run
// exposes nothing.
const runs = 5

// onStage says what is wrong with a story after its runs on the correct stage, "" if it held.
func onStage(held bool, out string) string {
	switch {
	case !held && failures(out) < runs:
		return "  ✎ The story holds on the correct stage in some runs only. What it shows\n" +
			"    depends on chance, so it proves nothing:\n" + tail(out, 14)
	case !held:
		return "  ✎ The story does not hold on the correct stage, so it proves nothing:\n" +
			tail(out, 14)
	}
	return ""
}

// onMutant says what a story has shown in its runs on a broken stage, and whether it exposes it.
func onMutant(held bool, out string) (verdict string, exposed bool) {
	switch {
	case held:
		return "  ✎ The story holds on both stages. It does not show what is broken.", false
	case failures(out) < runs:
		return "  ✎ The story fails on the broken stage in some runs only. It shows the fault\n" +
			"    by chance. Is there a state that is always wrong?", false
	}
	return "  ✔ Exposed. On the broken stage the story ends like this:\n" + tail(out, 14), true
}

// failed returns the laws that failed.
func (r *result) failed() []law {
	return slices.DeleteFunc(slices.Clone(r.laws), func(l law) bool { return l.passed })
}

// isSolved reports whether laws were tried and all hold. Without its test file, an exercise has
// none.
func (r *result) isSolved() bool {
	return r.passed && len(r.laws) > 0 && !slices.ContainsFunc(r.laws, law.skipped)
}

// why says in a few lines why a package failed: how many laws hold, which one is the first that
// does not, how the program ended if it did, and the beginning of the law's reason.
func (r *result) why() []string { return r.explain(6) }

// explain is why with most lines of the reason.
func (r *result) explain(most int) []string {
	switch {
	case r == nil:
		return []string{"it was not tested"}
	case r.broken != "":
		return []string{"it does not compile: " + r.broken}
	case len(r.laws) == 0 && r.passed:
		return []string{"it has no laws: is its test file gone? git restore brings it back"}
	}
	failed, printed, end := r.failed(), r.printed, r.end()
	lines := []string{fmt.Sprintf("%d of %d laws hold.", len(r.laws)-len(failed), len(r.laws))}
	if end != "" || slices.ContainsFunc(failed, func(l law) bool { return !l.ended }) {
		lines[0] = "the program ended here, and no further law was tried."
	}
	if len(failed) > 0 {
		lines = append(lines, "This one does not: "+failed[0].sentence())
		printed = failed[0].printed
	}
	if end != "" {
		lines = append(lines, "  "+end)
	}
	for _, line := range firstLines(message(printed), most) {
		lines = append(lines, "  "+line)
	}
	return lines
}

func firstLines(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most]), "…")
}

// sentence makes the law's own name readable: what_is_listed_exists becomes "what is listed
// exists", and TestAnyHistory "any history".
func (l law) sentence() string {
	if model, _, ok := strings.Cut(l.name, "/seed#"); ok { // of a fuzz target
		return law{name: "Test" + strings.TrimPrefix(model, "Fuzz")}.sentence()
	}
	if test, ok := strings.CutPrefix(l.name, "Test"); ok && !strings.Contains(test, "/") {
		return strings.TrimSpace(strings.ToLower(capital.ReplaceAllString(test, " $0")))
	}
	return strings.ReplaceAll(l.name[strings.LastIndex(l.name, "/")+1:], "_", " ")
}

var capital = regexp.MustCompile(`[A-Z]`)

// fromTest is the first line of what a law says. The lines that follow are indented by four
// spaces more.
var fromTest = regexp.MustCompile(`^ {4,}\w+_test\.go:\d+: `)

// message returns the first failure of a law, and below it what else was printed: by the learner,
// who may look for a mistake. It leaves out the lines of go test itself, and the program's end.
func message(printed []string) (lines []string) {
	var others []string
	inReason, inMore, seen, indent := false, false, false, ""
	for _, line := range printed {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ") {
			break
		}
		starts := fromTest.MatchString(line)
		if starts && !seen {
			indent = line[:len(line)-len(strings.TrimLeft(line, " "))]
		}
		goesOn := strings.HasPrefix(line, indent+"    ")
		inReason = starts && !seen || inReason && goesOn
		inMore = starts && seen || inMore && goesOn
		seen = seen || starts
		switch {
		case text == "", strings.HasPrefix(text, "==="), strings.HasPrefix(text, "---"), isEnd(text):
		case inReason:
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, indent), "    "))
		case !inMore: // a law may fail a hundred times in the same words
			others = append(others, text)
		}
	}
	if len(lines) > 0 && len(others) > 0 {
		lines = append(lines, "It also printed:")
	}
	return append(lines, others...)
}

// isEnd reports whether a line says why the program ended.
func isEnd(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
		strings.Contains(line, ": is there a loop that does not end, ") // see package exercise
}

// skipped reports whether the law was not run: its exercise is open.
func (l law) skipped() bool {
	return slices.ContainsFunc(l.printed, func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "--- SKIP")
	})
}

// end says how the test program ended, with the line of the exercise for a panic: "It panicked:
// index out of range, in since.go:25". It is "" if all laws came to their end.
func (r *result) end() (what string) {
	for _, line := range r.printed {
		text := strings.TrimSpace(line)
		if what == "" && isEnd(text) {
			var isPanic bool
			if what, isPanic = strings.CutPrefix(text, "panic: "); !isPanic {
				what, isPanic = strings.CutPrefix(text, "fatal error: ")
			}
			if !isPanic {
				return what
			}
			if strings.HasPrefix(what, "deadlock: ") { // of a bubble: see package testing/synctest
				what = "A goroutine waits forever"
				continue
			}
			what = "It panicked: " + strings.TrimSuffix(what, " [recovered, repanicked]")
		}
		_, at, isHere := strings.Cut(text, "/"+r.pkg+"/")
		if what != "" && isHere && !strings.Contains(text, "_test.go:") {
			at, _, _ = strings.Cut(at, " ")
			return what + ", in " + at
		}
	}
	return what
}

// inExercise finds the line of an exercise in what a compiler or a panic prints.
var inExercise = regexp.MustCompile(`docs/workshop/((\d)_(\d)_\w+)/\w+\.go:\d+.*`)

// stops says which exercise has stopped the pipe, by what the compiler or the program has printed.
// It is "" if that names none.
func stops(printed string) string {
	at := inExercise.FindStringSubmatch(printed)
	if at == nil {
		return ""
	}
	id := at[2] + "." + at[3]
	r := &result{pkg: at[1], printed: strings.Split(printed, "\n")}
	if what := r.end(); what != "" {
		return fmt.Sprintf("exercise %s stops the pipe. %s. More: make try E=%[1]s", id, what)
	}
	return fmt.Sprintf("exercise %s does not compile: %s", id, at[0])
}

// failures returns in how many runs the story failed. A panic ends all further ones.
func failures(out string) int {
	if strings.Contains(out, "\npanic: ") || strings.Contains(out, "\nfatal error: ") {
		return runs
	}
	return strings.Count("\n"+out, "\n--- FAIL: TestStories")
}

// tail returns the last n lines of what a failed test printed, without go test's own.
func tail(out string, n int) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		own := strings.HasPrefix(line, "FAIL") || strings.HasPrefix(strings.TrimSpace(line), "--- FAIL")
		if !own {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
