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
	passed bool
	broken string   // why it does not compile, "" if it does
	laws   []law    // those that ran, in their order
	output []string // what was printed outside of any law
	all    []string // everything that was printed
}

// A law is a test without subtests, or a subtest.
type law struct {
	name   string // with its parents: TestTombstones/what_is_listed_exists
	passed bool
	ended  bool // false: the test program ended before the law did
	output []string
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
			results[folder] = &result{}
		}
		results[folder].note(e, builds[e.FailedBuild])
	}
	return results
}

// note takes an event in. build is what the compiler printed if it failed.
func (r *result) note(e event, build []string) {
	if e.Action == "output" {
		r.all = append(r.all, e.Output)
	}
	at := slices.IndexFunc(r.laws, func(l law) bool { return l.name == e.Test })
	switch {
	case e.Action == "run":
		parent := e.Test[:max(0, strings.LastIndex(e.Test, "/"))] // it only holds laws
		r.laws = slices.DeleteFunc(r.laws, func(l law) bool { return l.name == parent })
		r.laws = append(r.laws, law{name: e.Test})
	case e.Test == "" && e.Action == "output":
		r.output = append(r.output, e.Output)
	case e.Test == "":
		r.passed = e.Action == "pass" || e.Action == "skip"
		if i := slices.IndexFunc(build, isError); i >= 0 {
			r.broken = build[i]
		}
	case at >= 0 && e.Action == "output":
		r.laws[at].output = append(r.laws[at].output, e.Output)
	case at >= 0:
		r.laws[at].ended = true
		r.laws[at].passed = e.Action != "fail"
	}
}

// isError reports whether a line of the compiler's output is not the package's name.
func isError(line string) bool { return !strings.HasPrefix(line, "#") }

// failed returns the laws that failed.
func (r *result) failed() (laws []law) {
	for _, l := range r.laws {
		if !l.passed {
			laws = append(laws, l)
		}
	}
	return laws
}

// sentence is the law's own name, readable: what_is_listed_exists becomes "what is listed exists".
func (l law) sentence() string {
	name := l.name[strings.LastIndex(l.name, "/")+1:]
	return strings.ReplaceAll(name, "_", " ")
}

// message is what the law printed when it failed, without the lines of go test itself and without
// the stack of a panic.
func (l law) message() (lines []string) {
	for _, line := range l.output {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ") {
			return lines
		}
		isFrame := strings.HasPrefix(text, "===") || strings.HasPrefix(text, "---")
		if text != "" && !isFrame {
			lines = append(lines, text)
		}
	}
	return lines
}

// skipped reports whether the law was not run: its exercise is open.
func (l law) skipped() bool {
	return slices.ContainsFunc(l.output, func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "--- SKIP")
	})
}

// panicked returns the panic that ended the test program, and where in the exercise it happened.
// Both are "" if there was none. dir is the exercise's directory.
func (r *result) panicked(dir string) (what, where string) {
	for _, line := range r.all {
		text := strings.TrimSpace(line)
		died := strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ")
		if what == "" && died {
			what = strings.TrimSuffix(text, " [recovered, repanicked]")
		}
		if what != "" && strings.Contains(text, dir+"/") && !strings.Contains(text, "_test.go:") {
			at, _, _ := strings.Cut(text[strings.LastIndex(text, "/")+1:], " ")
			return what, at
		}
	}
	return what, ""
}
