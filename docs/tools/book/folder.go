package main

import (
	"bytes"
	"cmp"
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

	"example.com/watchglass/docs/tools/book/index"
	"example.com/watchglass/docs/tools/repo"
)

// folder makes the page of a folder: the doc of the package in it, and what else it holds.
func (b *book) folder(dir string) view {
	t := b.tree
	p := &packagePage{set: token.NewFileSet()}
	p.printf("<h1>%s</h1>\n", html.EscapeString(folderTitle(dir)))
	if dir == rootFolder {
		dir = "."
	}
	top := strings.TrimSuffix("/"+dir+"/", "./") // how paths in this folder begin
	if slices.ContainsFunc(t.List(dir), isSource) {
		p.read(t, dir)
	}
	p.printf("<h2>Files</h2>\n<ul class=\"code files\">\n")
	for _, name := range t.List(dir) {
		p.printf("<li><a href=\"%s\">%s</a></li>\n", html.EscapeString(top+name), html.EscapeString(name))
	}
	p.printf("</ul>\n")
	v := view{Title: folderTitle(dir), Body: template.HTML(p.out.String()), Wide: true}
	if dir != "." {
		v.Trail = trail(dir)
	}
	return v
}

// A packagePage writes the doc of a package.
type packagePage struct {
	out strings.Builder
	set *token.FileSet
	pkg *doc.Package
}

func (p *packagePage) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// read parses the package for itself: go/doc takes apart what it is given.
func (p *packagePage) read(t *repo.Tree, dir string) {
	var files []*ast.File
	for _, name := range t.List(dir) {
		if isSource(name) {
			at := path.Join(dir, name)
			file, err := parser.ParseFile(p.set, at, t.Read(at), parser.ParseComments)
			if err == nil {
				files = append(files, file) // the page of a file that does not parse shows it as it is
			}
		}
	}
	var err error
	if p.pkg, err = doc.NewFromFiles(p.set, files, path.Join(repo.Module, dir)); err != nil {
		return
	}
	if p.pkg.Name == "main" { // a program has no names for others
		p.comment(p.pkg.Doc)
		return
	}
	p.printf("<p class=\"from\"><code>import \"%s\"</code></p>\n", html.EscapeString(p.pkg.ImportPath))
	p.comment(p.pkg.Doc)
	p.values("Constants", p.pkg.Consts)
	p.values("Variables", p.pkg.Vars)
	p.funcs("Functions", p.pkg.Funcs)
	p.heading("Types", len(p.pkg.Types))
	for _, t := range p.pkg.Types {
		for _, name := range repo.Names(t.Decl) {
			if name.Text != t.Name {
				p.anchor(name.Text)
			}
		}
		p.declared("type "+t.Name, t.Name, t.Name, t.Decl, t.Doc)
		p.values("", t.Consts)
		p.values("", t.Vars)
		p.funcs("", t.Funcs)
		p.funcs("", t.Methods)
	}
}

// heading writes a heading, unless nothing follows or the heading above is enough.
func (p *packagePage) heading(text string, below int) {
	if text != "" && below > 0 {
		p.printf("<h2>%s</h2>\n", text)
	}
}

func (p *packagePage) values(heading string, values []*doc.Value) {
	p.heading(heading, len(values))
	for _, v := range values {
		for _, name := range v.Names[1:] {
			p.anchor(name)
		}
		p.declared(v.Names[0], v.Names[0], v.Names[0], v.Decl, v.Doc)
	}
}

func (p *packagePage) funcs(heading string, funcs []*doc.Func) {
	p.heading(heading, len(funcs))
	for _, f := range funcs {
		title := "func " + f.Name
		if f.Recv != "" {
			title = fmt.Sprintf("func (%s) %s", f.Recv, f.Name)
		}
		p.declared(title, method(f.Recv, f.Name), method(f.Orig, f.Name), f.Decl, f.Doc)
	}
}

// method returns Type.Name for a method with this receiver, and Name for a func.
func method(receiver, name string) string {
	receiver, _, _ = strings.Cut(strings.TrimLeft(receiver, "*"), "[")
	return strings.TrimPrefix(receiver+"."+name, ".")
}

// anchor writes the anchor of a name that has no heading of its own.
func (p *packagePage) anchor(name string) {
	p.printf(`<span id="%s"></span>`, html.EscapeString(name))
}

// declared shows a declaration with its doc, and a link to the name in the source.
func (p *packagePage) declared(title, anchor, source string, decl ast.Node, text string) {
	p.printf(`<h3 id="%s">%s <a class="source" href="/%s#%s">source</a></h3>`+"\n",
		html.EscapeString(anchor), html.EscapeString(title),
		html.EscapeString(p.set.Position(decl.Pos()).Filename), html.EscapeString(source))
	var b bytes.Buffer
	if err := format.Node(&b, p.set, decl); err == nil {
		p.printf("<div class=\"code\"><pre><code>%s</code></pre></div>\n",
			strings.Join(highlight(b.String(), nil), "\n"))
	}
	p.comment(text)
}

// comment renders a doc comment. Names in brackets link to their doc.
func (p *packagePage) comment(text string) {
	printer := p.pkg.Printer()
	printer.HeadingLevel = 2
	printer.DocLinkURL = func(l *comment.DocLink) string {
		if dir, ours := strings.CutPrefix(l.ImportPath+"/", repo.Module+"/"); ours {
			l.ImportPath = folderTitle(cmp.Or(strings.Trim(dir, "/"), "."))
			return l.DefaultURL("/")
		}
		return l.DefaultURL("https://pkg.go.dev")
	}
	p.out.Write(printer.HTML(p.pkg.Parser().Parse(text)))
}

// sourcePage shows the lines of a file, each with its number as anchor. In Go, declarations are
// anchors as well, Name or Type.Method; names lead to their declarations, and below stands what
// shows each of those that the file has.
func (b *book) sourcePage(name, text string) string {
	text = strings.TrimRight(text, "\n")
	lines, anchors := strings.Split(html.EscapeString(text), "\n"), map[int][]string{}
	if path.Ext(name) == ".go" {
		lines, anchors = highlight(text, b.refs.Links(name)), b.refs.Declared(name)
	}
	var out, below strings.Builder
	fmt.Fprintf(&out, "<h1 class=\"file\">%s</h1>\n%s<pre class=\"lines\">",
		html.EscapeString(path.Base(name)), b.change(name))
	for i, line := range lines {
		out.WriteString("<span class=\"line\">")
		for _, anchor := range slices.Sorted(slices.Values(anchors[i+1])) {
			fmt.Fprintf(&out, `<span class="declared" id="%s"></span>`, html.EscapeString(anchor))
			below.WriteString(shown(anchor, b.refs.Shown(name+"#"+anchor)))
		}
		fmt.Fprintf(&out, "<span class=\"number\" id=\"L%d\">%[1]d</span>%s\n</span>", i+1, line)
	}
	out.WriteString("</pre>\n")
	if below.Len() > 0 {
		out.WriteString("<h2>Where these are shown</h2>\n" + below.String())
	}
	return out.String()
}

// shown lists the chapters, stories and laws that show a declaration, "" if there are none.
func shown(name string, by index.Shown) string {
	if len(by.Chapters)+len(by.Stories)+len(by.Laws) == 0 {
		return ""
	}
	list := func(title string, places []index.Place) string {
		const most = 6
		if len(places) == 0 {
			return ""
		}
		var links []string
		for _, p := range places[:min(len(places), most)] {
			links = append(links, fmt.Sprintf(`<a href="/%s">%s</a>`, html.EscapeString(p.At), html.EscapeString(p.Title)))
		}
		if n := len(places) - most; n > 0 {
			links = append(links, fmt.Sprintf("and %d more", n))
		}
		return fmt.Sprintf("<dd>%s: %s</dd>\n", title, strings.Join(links, " · "))
	}
	return fmt.Sprintf("<dl class=\"shown\"><dt><a href=\"#%s\"><code>%[1]s</code></a></dt>\n"+
		"%s%s%s%s</dl>\n", html.EscapeString(name),
		list("chapters", by.Chapters), list("stories", by.Stories), list("laws",
			by.Laws), list("used by", by.Uses))
}
