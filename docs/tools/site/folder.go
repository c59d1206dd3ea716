package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"html"
	"html/template"
	"path"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// folder makes the page of a folder: the doc of the package in it, and what else it holds.
func (s *site) folder(t *repo.Tree, dir string) view {
	p := &packagePage{dir: dir}
	p.out.WriteString("<h1>" + html.EscapeString(packageTitle(dir)) + "</h1>\n")
	if slices.ContainsFunc(t.List(dir), isSource) {
		p.read(t)
	}
	p.files(t.List(dir))
	v := view{Title: packageTitle(dir), Body: template.HTML(p.out.String()), Wide: true}
	if dir != "." {
		v.Trail = trail(dir)
	}
	return v
}

// A packagePage writes the doc of a package.
type packagePage struct {
	dir   string
	out   strings.Builder
	set   *token.FileSet
	pkg   *doc.Package
	names map[string]string // Name or Type.Method → the file that declares it
}

func (p *packagePage) read(t *repo.Tree) {
	p.set, p.names = token.NewFileSet(), map[string]string{}
	var files []*ast.File
	for _, name := range t.List(p.dir) {
		if !isSource(name) {
			continue
		}
		file, err := parser.ParseFile(p.set, name, t.Read(path.Join(p.dir, name)), parser.ParseComments)
		if err != nil {
			continue // its own page shows it as it is
		}
		files = append(files, file)
		for _, d := range file.Decls {
			for _, declared := range repo.Declared(d) {
				p.names[declared.Text] = name
			}
		}
	}
	pkg, err := doc.NewFromFiles(p.set, files, path.Join(repo.Module, p.dir))
	if err != nil {
		return
	}
	p.pkg = pkg
	if pkg.Name != "main" {
		fmt.Fprintf(&p.out, "<p class=\"from\"><code>import \"%s\"</code></p>\n",
			html.EscapeString(pkg.ImportPath))
	}
	p.comment(pkg.Doc)
	if pkg.Name != "main" {
		p.declarations()
	}
}

func (p *packagePage) declarations() {
	p.values("Constants", p.pkg.Consts)
	p.values("Variables", p.pkg.Vars)
	p.funcs("Functions", p.pkg.Funcs)
	if len(p.pkg.Types) > 0 {
		p.out.WriteString("<h2>Types</h2>\n")
	}
	for _, t := range p.pkg.Types {
		for _, member := range repo.Members(t.Decl) {
			p.anchor(member.Text)
		}
		p.declared("type "+t.Name, t.Name, t.Decl, t.Doc)
		p.values("", t.Consts)
		p.values("", t.Vars)
		p.funcs("", t.Funcs)
		p.funcs("", t.Methods)
	}
}

func (p *packagePage) values(heading string, values []*doc.Value) {
	if heading != "" && len(values) > 0 {
		p.out.WriteString("<h2>" + heading + "</h2>\n")
	}
	for _, v := range values {
		for _, name := range v.Names[1:] {
			p.anchor(name)
		}
		p.declared("", v.Names[0], v.Decl, v.Doc)
	}
}

func (p *packagePage) funcs(heading string, funcs []*doc.Func) {
	if heading != "" && len(funcs) > 0 {
		p.out.WriteString("<h2>" + heading + "</h2>\n")
	}
	for _, f := range funcs {
		title, anchor := "func "+f.Name, f.Name
		if f.Recv != "" {
			title = fmt.Sprintf("func (%s) %s", f.Recv, f.Name)
			receiver, _, _ := strings.Cut(strings.TrimLeft(f.Recv, "*"), "[")
			anchor = receiver + "." + f.Name
		}
		p.declared(title, anchor, f.Decl, f.Doc)
	}
}

// anchor writes the anchor of a name that has no heading of its own.
func (p *packagePage) anchor(name string) {
	fmt.Fprintf(&p.out, `<span id="%s"></span>`, html.EscapeString(name))
}

// declared shows a declaration with its doc and, unless it is promoted from an embedded type, a
// link to where it stands in the source.
func (p *packagePage) declared(title, anchor string, decl ast.Node, text string) {
	if title == "" {
		title = anchor
	}
	fmt.Fprintf(&p.out, `<h3 id="%s">%s`, html.EscapeString(anchor), html.EscapeString(title))
	if file := p.names[anchor]; file != "" {
		fmt.Fprintf(&p.out, ` <a class="source" href="/%s#%s">source</a>`,
			html.EscapeString(path.Join(p.dir, file)), html.EscapeString(anchor))
	}
	p.out.WriteString("</h3>\n")
	var b bytes.Buffer
	if err := format.Node(&b, p.set, decl); err == nil {
		fmt.Fprintf(&p.out, "<div class=\"code\"><pre><code>%s</code></pre></div>\n",
			strings.Join(highlight(b.String()), "\n"))
	}
	p.comment(text)
}

// comment renders a doc comment. Names in brackets link to their doc.
func (p *packagePage) comment(text string) {
	printer := p.pkg.Printer()
	printer.HeadingLevel = 2
	printer.DocLinkURL = func(l *comment.DocLink) string {
		name := l.Name
		if l.Recv != "" {
			name = l.Recv + "." + name
		}
		dir, ours := strings.CutPrefix(l.ImportPath, repo.Module)
		switch {
		case l.ImportPath == "":
			return "#" + name
		case !ours:
			return l.DefaultURL("https://pkg.go.dev")
		case name == "":
			return folderPath(path.Join(".", dir))
		}
		return folderPath(path.Join(".", dir)) + "#" + name
	}
	p.out.Write(printer.HTML(p.pkg.Parser().Parse(text)))
}

// files lists what a folder holds.
func (p *packagePage) files(names []string) {
	p.out.WriteString("<h2>Files</h2>\n<ul class=\"code files\">\n")
	for _, name := range names {
		fmt.Fprintf(&p.out, "<li><a href=\"/%s\">%s</a></li>\n",
			html.EscapeString(path.Join(p.dir, name)+trailingSlash(name)), html.EscapeString(name))
	}
	p.out.WriteString("</ul>\n")
}

func trailingSlash(name string) string {
	if strings.HasSuffix(name, "/") {
		return "/"
	}
	return ""
}
