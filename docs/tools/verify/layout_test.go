package verify

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/page"
)

const (
	narrow = "lines are at most 100 columns wide, and those of pages 120"
	single = "scripts and styles have one statement a line"

	codeWidth = 100 // runes; a tab is one
	pageWidth = 120
)

var (
	url       = regexp.MustCompile(`\bhttps?://[^\s"'<>)]+`)
	generated = regexp.MustCompile(`(?m)^(//|/\*) Code generated .* DO NOT EDIT\.`)
	target    = regexp.MustCompile(`\]\([^)]*\)`) // of a link
)

// checkWidth measures lines without what cannot be broken: addresses, in Go raw strings and rows of
// tables, and in pages rows of tables, targets of links, code, and the comments that tools read.
func checkWidth(t *tree, report report) {
	for name, text := range t.files {
		limit, lines := codeWidth, strings.Split(text, "\n")
		switch ext := path.Ext(name); {
		case strings.Contains(text, "DO NOT EDIT.") && generated.MatchString(text):
			continue
		case t.goFiles[name] != nil:
			lines = breakable(t.goFiles[name], text)
		case t.pages[name] != nil:
			limit, lines = pageWidth, proseOf(t.pages[name])
		case ext != ".js" && ext != ".css" && ext != ".html":
			continue
		}
		for i, line := range lines {
			if utf8.RuneCountInString(line) <= limit {
				continue
			}
			if limit == pageWidth {
				line = target.ReplaceAllString(line, "]")
			}
			if n := utf8.RuneCountInString(url.ReplaceAllString(line, "")); n > limit {
				report(name, i+1, "the line is %d columns wide, and the limit is %d", n, limit)
			}
		}
	}
}

// breakable returns the lines of a Go file without what stands between backquotes, and without rows
// of tables: elements of a composite literal that are composite literals themselves.
func breakable(f *goFile, text string) []string {
	cut := []byte(text)
	blank := func(from, to token.Pos) {
		file := fileSet.File(from)
		for i := file.Offset(from); i < file.Offset(to); i++ {
			if cut[i] != '\n' {
				cut[i] = 0
			}
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING && n.Value[0] == '`' {
				blank(n.Pos()+1, n.End()-1)
			}
		case *ast.CompositeLit:
			for _, row := range n.Elts {
				if isRow(row) && f.lineOf(row.Pos()) == f.lineOf(row.End()) {
					blank(row.Pos(), row.End())
				}
			}
		}
		return true
	})
	return strings.Split(strings.ReplaceAll(string(cut), "\x00", ""), "\n")
}

// isRow reports whether an element of a literal is a row of a table. Code within a row is not one.
func isRow(element ast.Expr) bool {
	if pair, ok := element.(*ast.KeyValueExpr); ok {
		element = pair.Value
	}
	_, is := element.(*ast.CompositeLit)
	ast.Inspect(element, func(n ast.Node) bool {
		_, isFunc := n.(*ast.FuncLit)
		is = is && !isFunc
		return is
	})
	return is
}

// proseOf returns the lines of a page, without those that have no limit: code, tables, and comments
// that say what is quoted.
func proseOf(p *mdPage) []string {
	lines := slices.Clone(p.Lines)
	for _, b := range p.Blocks {
		isOrigin := b.Kind == page.Comment && b.From.Kind != ""
		if b.Kind == page.Code || b.Kind == page.Table || isOrigin {
			clear(lines[b.First-1 : b.Last])
		}
	}
	return lines
}

func checkStatements(t *tree, report report) {
	for name, text := range t.files {
		joined := map[string]func(string, func(int, string)){".js": joinedJS, ".css": joinedCSS}
		if find := joined[path.Ext(name)]; find != nil {
			find(text, func(line int, what string) { report(name, line, "%s", what) })
		}
	}
}

// joinedCSS reports where something stands behind a brace or a semicolon, or before a closing
// brace.
func joinedCSS(text string, report func(line int, what string)) {
	text = cssText.ReplaceAllStringFunc(text, func(s string) string {
		return "x" + strings.Repeat("\n", strings.Count(s, "\n"))
	})
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(cssComment.ReplaceAllString(line, ""))
		at := strings.IndexAny(line, "{};")
		if line == "{}" || strings.HasSuffix(line, " {}") && at == len(line)-2 {
			continue
		}
		if at >= 0 && at < len(line)-1 || strings.HasSuffix(line, "}") && line != "}" {
			report(i+1, fmt.Sprintf("%q has more than one declaration or rule", line))
		}
	}
}

// cssText matches what a style quotes; comments become an x, and an x on a line of its own is none.
var (
	cssText    = regexp.MustCompile(`(?s)/\*.*?\*/|"[^"\n]*"|'[^'\n]*'|url\([^)]*\)`)
	cssComment = regexp.MustCompile(`^x+$|(;|\{|\}) x$`)
)

func TestWidthsAreMeasuredWithoutWhatCannotBeBroken(t *testing.T) {
	wide := strings.Repeat("x", 90)
	for _, c := range []struct {
		sentence, name, text string
		want                 int // the line; 0: none
	}{
		{"Go", "a.go", "package a\n\nvar x = \"" + wide + "\" // comment\n", 3},
		{"Go of a hundred columns", "a.go", "package a\n\nvar x = \"" + wide + "\"\n", 0},
		{"letters, not bytes", "a.go", "package a\n\nvar x = \"" + strings.Repeat("ä", 90) + "\"\n", 0},
		{"an address", "a.go", "package a\n\n// See https://" + wide + "x.org for more.\n", 0},
		{"a comment beside an address", "a.go", "package a\n\n// " + wide + " " + wide + " https://x.org\n", 3},
		{"a raw string", "a.go", "package a\n\nvar x = `\n" + wide + wide + "`\n", 0},
		{"behind a raw string", "a.go", "package a\n\nvar x = `\n` + \"" + wide + wide + "\"\n", 4},
		{"a row", "a.go", "package a\n\nvar x = [][]string{\n\t{\"" + wide + wide + "\"},\n}\n", 0},
		{"a row with a key", "a.go", "package a\n\nvar x = map[int][]string{\n\t1: {\"" + wide + wide + "\"},\n}\n", 0},
		{"no row", "a.go", "package a\n\nvar x = []string{\n\t\"" + wide + wide + "\",\n}\n", 4},
		{"a row with code", "a.go", "package a\n\nvar x = [][]any{\n\t{func() {}, \"" + wide + wide + "\"},\n}\n", 4},
		{"a script", "a.js", "'" + wide + wide + "'\n", 1},
		{"a style", "a.css", "\n/* " + wide + wide + " */\n", 2},
		{"a template", "a.html", "<p>" + wide + wide + "\n", 1},
		{"generated code", "a.go", "// Code generated by x. DO NOT EDIT.\n\npackage a\n\n// " + wide + wide + "\n", 0},
		{"wider prose", "a.md", wide + strings.Repeat(" x", 16) + "\n", 1},
		{"prose as wide as a page", "a.md", wide + strings.Repeat(" x", 15) + "\n", 0},
		{"a table", "a.md", "| a | b |\n|---|---|\n| " + wide + " | " + wide + " |\n", 0},
		{"a link", "a.md", "See [here](" + wide + "/" + wide + ").\n", 0},
		{"code on a page", "a.md", "```\n" + wide + wide + "\n```\n", 0},
		{"where a block is from", "a.md", "<!-- source: " + wide + wide + " -->\n", 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			tree := &tree{map[string]string{}, map[string]*goFile{}, map[string]*mdPage{}, nil}
			tree.add(c.name, c.text)
			got := 0
			checkWidth(tree, func(_ string, line int, _ string, _ ...any) { got = line })
			assert.Equal(t, c.want, got)
		})
	}
}

func TestJoinedStatementsAreFound(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"a {\n  color: red;\n  background: url(data:x;y);\n}\n", nil},
		{"a { color: red }\n", []int{1}},
		{"a {\n  color: red; margin: 0;\n}\n", []int{2}},
		{"a {\n  color: red }\n", []int{2}},
		{"a {\n} b {\n}\n", []int{2}},
		{"@scope (x) { a {\n} }\n", []int{1, 2}},
		{"/* a { b; c } */\na {\n  content: '};'; /* why; */\n}\n", nil},
		{"a {\n  x: y; /* why */ z: y;\n}\n", []int{2}},
	} {
		t.Run(c.text, func(t *testing.T) { assert.Equal(t, c.want, joints(joinedCSS, c.text)) })
	}
	for _, c := range []struct {
		text string
		want []int
	}{
		{"const f = (a, b) => [a, { b }]\nif (f) f(1, 2)\nelse f(3)\n", nil},
		{"a = 1; b = 2\n", []int{1}},
		{"a = 1, b = 2\n", []int{1}},
		{"if (a) b(), c()\n", []int{1}},
		{"const a = 1,\n  b = 2\n", []int{1}},
		{"for (let i = 0, n = 9; i < n; i++) f(i)\n", nil},
		{"for (const [a, b] of x) f(a)\n", nil},
		{"const f = () => (a(), b())\n", []int{1}},
		{"const f = (a, b) =>\n  (a, b) => a\n", nil},
		{"if (a) { b() }\n", []int{1}},
		{"class A { f() {\n    g()\n  }\n}\n", []int{1}},
		{"try {\n  a()\n} catch {}\n", nil},
		{"try {\n  a()\n} catch {\n  b() }\n", []int{4}},
		{"if (a) {\n  b()\n} c()\n", []int{3}},
		{"if (a) b() else c()\n", []int{1}},
		{"if (a) {\n  b()\n} else if (c) {\n  d()\n}\n", nil},
		{"f(x => {\n  g()\n}, 1)\n", nil},
		{"f(x => { g(); h() })\n", []int{1, 1}},
		{"const a = { b, c: { d } }\nconst { e, g } = a\n", nil},
		{"a.get(b)?.(c, d)\n", nil},
		{"const a =\n  { b: 1, c: 2 }[d] ??\n  { b: 3, c: 4 }\n", nil},
		{"// a; b, c\nconst s = 'a; b' + `x; ${f({ a, b }, 1)}, y` + /[;,/]/.test(x)\n", nil},
		{"const s = `${a.map(x => { f(); g() })}`\n", []int{1, 1}},
	} {
		t.Run(c.text, func(t *testing.T) { assert.Equal(t, c.want, joints(joinedJS, c.text)) })
	}
}

func joints(find func(string, func(int, string)), text string) (lines []int) {
	find(text, func(line int, _ string) { lines = append(lines, line) })
	return lines
}

// A check that is in no rule finds nothing, however well its samples are found.
func TestTheLayoutIsARule(t *testing.T) {
	promises := map[string]bool{}
	for _, r := range rules {
		promises[r.promise] = true
	}
	assert.True(t, promises[narrow] && promises[single])
}
