package verify

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

var testNameRules = []rule{{
	name:    "a test that a page names exists",
	promise: "`TestName` in a page is a test of this repository, which proves what the page says.",
	remedy:  "write the name that the test has now.",
	check:   checkTestNames,
}}

var testName = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*`)

func checkTestNames(t *tree) (found []finding) {
	tests := map[string]bool{}
	for _, f := range t.built() {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.test && fn.Recv == nil {
				tests[fn.Name.Name] = true
			}
		}
	}
	for _, p := range t.pages {
		if strings.HasPrefix(p.path, "docs/workshop/") {
			continue // its tests are those of the exercises
		}
		p.spans(func(line int, code string) {
			if name := testName.FindString(code); name != "" && !tests[name] {
				found = append(found, finding{p.path, line, fmt.Sprintf("there is no %s", name)})
			}
		})
	}
	return found
}
