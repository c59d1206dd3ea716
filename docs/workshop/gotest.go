package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"
)

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

// goTest runs the tests of packages under docs/workshop and returns the results by the package's
// directory name. flags come before the packages. A test that fails is no error.
func (w workshop) goTest(ctx context.Context, flags []string, packages ...string) (
	map[string]*result, error,
) {
	args := append([]string{"test", "-json", "-timeout", "1m"}, flags...)
	for _, p := range packages {
		args = append(args, "./docs/workshop/"+p)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = w.root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	results := readEvents(out)
	if len(results) == 0 {
		return nil, fmt.Errorf("go %s: %v: %s", strings.Join(args, " "), err,
			strings.TrimSpace(stderr.String()))
	}
	return results, nil
}

// event is a line of go test -json: see go doc cmd/test2json.
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
}

func readEvents(out []byte) map[string]*result {
	results, builds := map[string]*result{}, map[string][]string{}
	for line := range bytes.Lines(out) {
		var e event
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		e.Output = strings.TrimRight(e.Output, "\n")
		if e.Action == "build-output" {
			builds[e.ImportPath] = append(builds[e.ImportPath], e.Output)
		}
		if e.Package == "" {
			continue
		}
		folder := path.Base(e.Package)
		if results[folder] == nil {
			results[folder] = &result{pkg: folder}
		}
		results[folder].note(e, builds[e.FailedBuild])
	}
	return results
}

// note takes an event in. build is what the compiler printed if it failed.
func (r *result) note(e event, build []string) {
	if e.Action == "output" {
		r.printed = append(r.printed, e.Output)
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
		r.laws[at].printed = append(r.laws[at].printed, e.Output)
	case at >= 0:
		r.laws[at].ended, r.laws[at].passed = true, e.Action != "fail"
	}
}

// failed returns the laws that failed.
func (r *result) failed() []law {
	return slices.DeleteFunc(slices.Clone(r.laws), func(l law) bool { return l.passed })
}

// why says in a few lines why a package failed: how many laws hold, which one is the first that
// does not, and the beginning of what it printed. A panic is shown even behind a long message,
// because it is why nothing else was tried.
func (r *result) why() []string {
	if r == nil {
		return []string{"it was not tested"}
	}
	if r.broken != "" {
		return []string{"it does not compile: " + r.broken}
	}
	failed, printed, panicked := r.failed(), r.printed, r.panicked()
	lines := []string{fmt.Sprintf("%d of %d laws hold.", len(r.laws)-len(failed), len(r.laws))}
	if panicked != "" || slices.ContainsFunc(failed, func(l law) bool { return !l.ended }) {
		lines[0] = "the program ended here, and no further law was tried."
	}
	if len(failed) > 0 {
		lines = append(lines, "This one does not: "+failed[0].sentence())
		printed = failed[0].printed
	}
	printed = message(printed)
	for _, line := range printed[:min(len(printed), 6)] {
		lines = append(lines, "  "+line)
	}
	if panicked != "" {
		lines = append(lines, "  "+panicked)
	}
	return lines
}

// sentence makes the law's own name readable: what_is_listed_exists becomes "what is listed
// exists".
func (l law) sentence() string {
	return strings.ReplaceAll(l.name[strings.LastIndex(l.name, "/")+1:], "_", " ")
}

// message leaves out the lines of go test itself, and a panic with what follows.
func message(printed []string) (lines []string) {
	for _, line := range printed {
		text := strings.TrimSpace(line)
		if isPanic(text) {
			break
		}
		if text != "" && !strings.HasPrefix(text, "===") && !strings.HasPrefix(text, "---") {
			lines = append(lines, text)
		}
	}
	return lines
}

func isPanic(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// skipped reports whether the law was not run: its exercise is open.
func (l law) skipped() bool {
	return slices.ContainsFunc(l.printed, func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "--- SKIP")
	})
}

// panicked returns the panic that ended the test program, and the line of the exercise in which it
// happened, "" if there was none.
func (r *result) panicked() (what string) {
	for _, line := range r.printed {
		text := strings.TrimSpace(line)
		if what == "" && isPanic(text) {
			what = strings.TrimSuffix(text, " [recovered, repanicked]")
		}
		_, at, isHere := strings.Cut(text, "/"+r.pkg+"/")
		if what != "" && isHere && !strings.Contains(text, "_test.go:") {
			at, _, _ = strings.Cut(at, " ")
			return what + "  " + at
		}
	}
	return what
}
