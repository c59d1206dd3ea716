package main

import (
	_ "embed" // for the template and the style
	"go/parser"
	"go/token"
	"html"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

//go:embed page.html
var pageHTML string

//go:embed site.css
var siteCSS string

var layout = template.Must(template.New("page").Parse(pageHTML))

// A site answers with the pages of a repository. It knows from the start which chapters and
// packages there are, and which names they declare; pages are read when they are asked for.
type site struct {
	fsys               fs.FS
	names              nameIndex
	chapters, packages []link
}

func newSite(fsys fs.FS) *site {
	t := repo.Open(fsys)
	s := &site{fsys: fsys, names: indexNames(t)}
	for _, name := range chapters(t) {
		s.chapters = append(s.chapters, link{Path: "/" + name, Title: title(t.Read(name))})
	}
	for _, dir := range packages(t) {
		if !strings.HasPrefix(dir, "docs/workshop/") { // exercises: the workshop's page leads to them
			s.packages = append(s.packages, link{Path: folderPath(dir), Title: folderTitle(dir)})
		}
	}
	return s
}

// A view is what the layout shows.
type view struct {
	Title              string
	Body               template.HTML
	Wide               bool // for code
	Trail              []link
	Chapters, Packages []link
	Previous, Next     *link
}

// A link leads to a page of the site.
type link struct {
	Path, Title string
	Here        bool
}

// ServeHTTP implements http.Handler.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", policy)
	t := repo.Open(s.fsys)
	name, isFolder := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch story := storyOf(t, r.URL.Path); {
	case name == "":
		s.show(w, s.file(t, "README.md"), "/README.md", http.StatusOK)
	case name == "site.css":
		send(w, "text/css; charset=utf-8", siteCSS)
	case name == rootFolder:
		s.show(w, s.folder(t, "."), folderPath("."), http.StatusOK)
	case story != "":
		s.replay(w, t, story)
	case !t.Has(name) || isFolder && !t.IsDir(name):
		missing := "<h1>There is no such page</h1>\n<p>The repository has no " + html.EscapeString(name) + ".</p>\n"
		s.show(w, view{Title: "No such page", Body: template.HTML(missing)}, "", http.StatusNotFound)
	case t.IsDir(name) && !isFolder:
		http.Redirect(w, r, folderPath(name), http.StatusMovedPermanently)
	case isFolder:
		s.show(w, s.folder(t, name), folderPath(name), http.StatusOK)
	case path.Ext(name) == ".svg":
		// A picture may have a style of its own; nothing else of it is ever carried out.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		send(w, "image/svg+xml", t.Read(name))
	default:
		s.show(w, s.file(t, name), "/"+name, http.StatusOK)
	}
}

func send(w http.ResponseWriter, contentType, text string) {
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write([]byte(text)) // fails only when the client has closed the connection
}

// file makes the page of a file: a chapter, or lines of code or text.
func (s *site) file(t *repo.Tree, name string) view {
	text := t.Read(name)
	if path.Ext(name) != ".md" {
		body := template.HTML(sourcePage(name, replayLink(name), text))
		return view{Title: name, Body: body, Wide: true, Trail: trail(name)}
	}
	r := &renderer{names: s.names, chapters: s.chapters}
	v := view{Title: title(text), Body: template.HTML(r.render(text))}
	if _, at := marked(s.chapters, "/"+name); at < 0 {
		v.Trail = trail(name) // a page beside the chapters, such as the workshop's
	}
	return v
}

// show adds what is around every page.
func (s *site) show(w http.ResponseWriter, v view, path string, code int) {
	i := -1
	v.Packages, _ = marked(s.packages, path)
	v.Chapters, i = marked(s.chapters, path)
	if i > 0 {
		v.Previous = &v.Chapters[i-1]
	}
	if i >= 0 && i+1 < len(v.Chapters) {
		v.Next = &v.Chapters[i+1]
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = layout.Execute(w, v) // fails only when the client is gone: a test renders every page
}

// marked copies links, marks the one to path, and returns its index, -1 if there is none.
func marked(links []link, path string) (all []link, at int) {
	all = slices.Clone(links)
	at = slices.IndexFunc(all, func(l link) bool { return l.Path == path })
	if at >= 0 {
		all[at].Here = true
	}
	return all, at
}

// rootFolder is where the top folder is shown: at / a reader finds the README.
const rootFolder = "watchglass"

func folderPath(dir string) string { return "/" + folderTitle(dir) + "/" }

func folderTitle(dir string) string {
	if dir == "." {
		return rootFolder
	}
	return dir
}

// trail leads from the top of the repository to the folder that a file or folder is in.
func trail(name string) []link {
	links := []link{{Path: folderPath("."), Title: rootFolder}}
	for i, c := range name {
		if c == '/' {
			links = append(links, link{Path: folderPath(name[:i]), Title: path.Base(name[:i])})
		}
	}
	return links
}

// packages lists the folders that hold Go code beside tests.
func packages(t *repo.Tree) (dirs []string) {
	for _, file := range t.Files(".") {
		if isSource(file) && !strings.Contains(file, "testdata/") {
			dirs = append(dirs, path.Dir(file))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

var chapterName = regexp.MustCompile(`^[0-9a-z]-[a-z0-9-]+\.md$`)

// chapters lists the pages in the order in which they are read.
func chapters(t *repo.Tree) []string {
	names := []string{"README.md"}
	for _, name := range t.List("docs") { // sorted: chapters by number, then appendices by letter
		if chapterName.MatchString(name) {
			names = append(names, "docs/"+name)
		}
	}
	return names
}

// title returns the first heading of a page, without marks.
func title(text string) string {
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			return strings.ReplaceAll(strings.TrimSpace(heading), "`", "")
		}
	}
	return "Untitled"
}

// A nameIndex holds the place of each name that a package declares, exported or not, as
// /dir/file.go#Name: under pkg.Name and pkg.Type.Member, and for a test under its name. If several
// packages have a test of that name, its place is "".
type nameIndex map[string]string

var testForm = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`)

func indexNames(t *repo.Tree) nameIndex {
	x := nameIndex{}
	for _, file := range t.Files(".") {
		if path.Ext(file) != ".go" || strings.Contains(file, "testdata/") {
			continue
		}
		pkg, names := namesIn(t.Read(file))
		for name := range names {
			key, where := name, "/"+file+"#"+name
			_, known := x[name]
			switch {
			case !isSource(file) && !testForm.MatchString(name), isSource(file) && pkg == "main":
				continue // a program has no names for others
			case isSource(file):
				key = pkg + "." + name
			case known:
				where = ""
			}
			x[key] = where
		}
	}
	return x
}

// nameForm is a name in code font: with a package, and with or without arguments in parentheses.
var nameForm = regexp.MustCompile(`^\*?([a-z]\w*\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)(?:\(.*\))?$`)

// find returns the place of what text in code font names, or "".
func (x nameIndex) find(code string) string {
	if m := nameForm.FindStringSubmatch(code); m != nil {
		code = m[1]
	}
	return x[code]
}

// namesIn returns the package of a Go file, and the names that it declares with their lines. Of
// code that does not parse, it returns what it can read.
func namesIn(text string) (pkg string, lines map[string]int) {
	set, lines := token.NewFileSet(), map[string]int{}
	file, _ := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	for _, d := range file.Decls {
		for _, name := range repo.Names(d) {
			lines[name.Text] = set.Position(name.At.Pos()).Line
		}
	}
	return file.Name.Name, lines
}
