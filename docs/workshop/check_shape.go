package main

import (
	"bytes"
	"context"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// parts are what a README has, in this order.
var parts = []string{
	"## Goal", "## Picture", "## Predict", "## Task", "## Hints", "## Now compare with",
}

// shape finds what can be seen without running anything.
func (c *checker) shape(context.Context) error {
	for i, t := range c.tasks {
		if want := c.follows(i); t.number != want {
			c.complain(t, "there is a gap before it: no exercise %d.%d", t.stage, want)
		}
		readme, err := os.ReadFile(filepath.Join(t.dir, "README.md"))
		if err != nil {
			return err
		}
		c.readme(t, string(readme))
		if err := c.agree(t); err != nil {
			return err
		}
	}
	return nil
}

// follows returns the number that exercise i should have in its stage.
func (c *checker) follows(i int) int {
	if i == 0 || c.tasks[i-1].stage != c.tasks[i].stage {
		return 1
	}
	return c.tasks[i-1].number + 1
}

func (c *checker) readme(t task, text string) {
	if !strings.HasPrefix(text, "# "+t.id()+" · ") {
		c.complain(t, "the README does not begin with %q", "# "+t.id()+" · ")
	}
	rest := text
	for _, part := range parts {
		_, after, ok := strings.Cut(rest, "\n"+part+"\n")
		if !ok {
			c.complain(t, "the README has no %q, or not in its place", part)
			return
		}
		rest = after
	}
	if !strings.Contains(text, " minutes.") {
		c.complain(t, "the README does not say how many minutes it takes")
	}
	if !strings.Contains(rest, "](../../../") {
		c.complain(t, "the README links to no source to compare with")
	}
	if n := len(hints(text)); n != 3 {
		c.complain(t, "%d hints, want 3", n)
	}
}

// agree finds differences between what the stub and the solution declare and say of it. Otherwise
// a learner could write what is asked for and not fit the laws.
func (c *checker) agree(t task) error {
	stub, err := declared(t.stub())
	if err != nil {
		return err
	}
	worked, err := declared(t.solution())
	if err != nil {
		return err
	}
	for name, text := range stub {
		if worked[name] != text {
			c.complain(t, "stub and solution differ in %s", name)
		}
	}
	source, err := os.ReadFile(t.solution())
	if err != nil {
		return err
	}
	if formatted, err := format.Source(source); err != nil || !bytes.Equal(formatted, source) {
		c.complain(t, "gofmt would write the solution differently")
	}
	return nil
}

// declared returns what a file declares, without the bodies of functions, by name. The solution may
// declare more than the stub.
func declared(name string) (map[string]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	all := map[string]string{"the package doc": file.Doc.Text()}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			doc := fn.Doc.Text()
			fn.Doc, fn.Body = nil, nil
			all["func "+fn.Name.Name+receiver(fn)] = doc + printed(files, fn)
		} else if gen := d.(*ast.GenDecl); gen.Tok != token.IMPORT {
			doc := gen.Doc.Text()
			gen.Doc = nil
			text := printed(files, gen)
			name, _, _ := strings.Cut(text, "\n")
			all[name] = doc + text
		}
	}
	return all, nil
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	return " of " + printed(token.NewFileSet(), fn.Recv.List[0].Type)
}

func printed(files *token.FileSet, node any) string {
	var b strings.Builder
	if err := printer.Fprint(&b, files, node); err != nil {
		return err.Error()
	}
	return b.String()
}
