package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"example.com/watchglass/docs/workshop/exercise"
)

// In a browser this is the judge of the workbench, and with stage_js.go and verdict.go a program of
// its own: it says of what tests have printed there what the workshop says in a terminal.
//
//	judge exercise 5.1 ring docs/workshop/5_1_ring
//	judge stage deltafifo
//	judge finale A
//	judge pipe
//
// It reads in the folder /judge: broken is what the compiler has printed, if it has; printed and
// code are what the test program has printed, with -test.v=test2json, and its exit code; story is
// that of the finale, and mutant and mutant.code are those of the broken stage. It exits with 0 if
// all laws hold.
func main() {
	var v verdict
	printed, passed := read("printed"), read("code") == "0"
	switch args := os.Args[1:]; args[0] {
	case "exercise":
		source, _ := os.ReadFile(args[3] + "/" + args[2] + ".go")
		todos, _ := exercise.TODOs(string(source)) // the compiler says what does not parse
		folder := args[3][strings.LastIndex(args[3], "/")+1:]
		v = fromOutput(folder, printed, passed).ofExercise(args[1], args[2], todos)
	case "stage":
		v = fromOutput(args[1], printed, passed).ofStage(args[1])
	case "finale":
		if some, _ := promises(read("story")); !some {
			v.begin = nothingYet("the button *write the states*")
		} else if v.begin = onStage(passed, printed); v.begin == "" {
			v.begin, v.holds = onMutant(read("mutant.code") == "0", read("mutant"))
		}
	case "pipe":
		v.begin, v.holds = strings.TrimRight(printed, "\n"), passed && strings.Contains(printed, "✔")
		if what := stops(printed); !passed && what != "" {
			shown, _, _ := strings.Cut(printed, "panic: ")
			v.begin = shown + "  ✎ " + what
		}
	}
	fmt.Println(strings.Join(append([]string{v.begin}, v.lines...), "\n    "))
	if !v.holds {
		os.Exit(1)
	}
}

func read(name string) string {
	text, _ := os.ReadFile("/judge/" + name)
	return string(text)
}

// An update is a line that package testing prints when another test goes on, and a report one when
// a test has ended. Both begin with a control character, behind the spaces of subtests.
var (
	update = regexp.MustCompile(`^ *\x16=== (RUN|NAME|CONT|PAUSE) +(\S*)$`)
	report = regexp.MustCompile(`^ *\x16? *--- (PASS|FAIL|SKIP): (\S+) `)
)

// fromOutput makes of the output of a test program what go test -json makes of it.
func fromOutput(pkg, printed string, passed bool) *result {
	r := &result{pkg: pkg}
	current := ""
	for line := range strings.Lines(printed) {
		line = strings.TrimSuffix(line, "\n")
		e := event{Action: "output", Test: current, Output: strings.Replace(line, "\x16", "", 1)}
		if m := update.FindStringSubmatch(line); m != nil {
			if current = m[2]; m[1] == "RUN" {
				r.note(event{Action: "run", Test: current}, nil)
			}
			continue
		}
		m := report.FindStringSubmatch(line)
		if m != nil {
			e.Test = m[2]
		}
		if r.note(e, nil); m != nil {
			r.note(event{Action: strings.ToLower(m[1]), Test: m[2]}, nil)
		}
	}
	end := event{Action: "fail"}
	if passed {
		end.Action = "pass"
	}
	broken := strings.Split(strings.TrimSpace(read("broken")), "\n")
	r.note(end, broken)
	return r
}
