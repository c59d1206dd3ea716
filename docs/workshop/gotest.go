package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
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
	parents := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		if e.Action == "build-output" {
			builds[e.ImportPath] = append(builds[e.ImportPath], strings.TrimRight(e.Output, "\n"))
			continue
		}
		if e.Package == "" {
			continue
		}
		dir := path.Base(e.Package)
		if results[dir] == nil {
			results[dir] = &result{}
		}
		r := results[dir]
		if e.Action == "output" {
			r.all = append(r.all, strings.TrimRight(e.Output, "\n"))
		}
		if e.Test == "" {
			r.ended(e, builds)
		} else {
			r.law(e, parents)
		}
	}
	for _, r := range results {
		r.keepLeaves(parents)
	}
	return results
}

// ended notes what an event says of the package as a whole.
func (r *result) ended(e event, builds map[string][]string) {
	switch e.Action {
	case "pass", "skip":
		r.passed = true
	case "fail":
		if e.FailedBuild != "" {
			r.broken = firstError(builds[e.FailedBuild])
		}
	case "output":
		r.output = append(r.output, strings.TrimRight(e.Output, "\n"))
	}
}

// firstError returns the first line of the compiler's output that is not the package's name.
func firstError(lines []string) string {
	for _, line := range lines {
		if !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "it does not compile"
}

// law notes what an event says of a test.
func (r *result) law(e event, parents map[string]bool) {
	if e.Action == "run" {
		if i := strings.LastIndex(e.Test, "/"); i > 0 {
			parents[e.Test[:i]] = true
		}
		r.laws = append(r.laws, law{name: e.Test})
		return
	}
	for i := range r.laws {
		l := &r.laws[i]
		switch {
		case l.name != e.Test:
		case e.Action == "pass" || e.Action == "skip":
			l.passed, l.ended = true, true
		case e.Action == "fail":
			l.ended = true
		case e.Action == "output":
			l.output = append(l.output, strings.TrimRight(e.Output, "\n"))
		}
	}
}

// keepLeaves drops the tests that only hold others.
func (r *result) keepLeaves(parents map[string]bool) {
	var leaves []law
	for _, l := range r.laws {
		if !parents[l.name] {
			leaves = append(leaves, l)
		}
	}
	r.laws = leaves
}

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
	for _, line := range l.output {
		if strings.HasPrefix(strings.TrimSpace(line), "--- SKIP") {
			return true
		}
	}
	return false
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
