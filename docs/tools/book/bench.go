package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/watchglass/docs/tools/bench"
	"example.com/watchglass/docs/tools/page"
)

// benches adds the scripts and the plans of the workbench, if this Go can make one.
func (b *book) benches() {
	if b.noBench = bench.Possible(); b.noBench != nil {
		return
	}
	css, _ := bench.Files.ReadFile("bench.css")
	b.files["assets/bench.css"], b.files["assets/bench.js"] = string(css), bench.Script(bench.Pages)
	for name, data := range bench.Plans(b.tree) {
		b.files["bench/"+name] = string(data)
	}
	for name, text := range bench.FrameFiles() {
		b.files["bench/"+name] = text
	}
}

// A benchOf says what a bench is for, and how its reader does without it.
type benchOf struct{ dir, file, judge, how string }

// bench is a file of a package in an editor. Without scripts, or without a workbench, it says what
// would be there, and how that is done with Go.
func (b *book) bench(of benchOf) string {
	how := "This file can be changed here, and Go's own compiler, in the page, runs the tests with " +
		"the change. That needs scripts. "
	area := fmt.Sprintf("<textarea rows=\"12\" aria-label=\"%s\">\n%s</textarea>", of.file,
		html.EscapeString(b.tree.Read(of.file)))
	if b.noBench != nil {
		how = "This book has no workbench: it was made by a Go without the source of its compiler. "
		area = ""
	}
	return fmt.Sprintf("<div class=\"bench\" data-bench=\"%s\" data-file=\"%s\" data-judge=\"%s\">"+
		"<p class=\"how\">%sWith Go: %s</p>%s</div>\n", of.dir, of.file, of.judge, how, of.how, area)
}

var exercisePage = regexp.MustCompile(`^docs/workshop/(\d)_(\d)_(\w+)/README\.md$`)

// before renders what stands before a heading of a page: on that of an exercise its bench, before
// the hints.
func (r *renderer) before(heading page.Block) {
	m := exercisePage.FindStringSubmatch(r.page)
	if r.book == nil || m == nil || heading.Text != "Hints" {
		return
	}
	dir, id, name := path.Dir(r.page), m[1]+"."+m[2], m[3]
	r.out.WriteString(r.book.bench(benchOf{
		dir, dir + "/" + name + ".go", fmt.Sprintf("exercise %s %s %s", id, name, dir),
		fmt.Sprintf("write the bodies in <code>%s.go</code>, then <code>make try E=%s</code>.", name, id),
	}))
}

// change is the editor of a stage's source file, folded, "" if the file has none.
func (b *book) change(file string) string {
	dir := path.Dir(file)
	if !slices.Contains(bench.Stages, dir) || !isSource(file) {
		return ""
	}
	return "<details class=\"change-it\"><summary>Change it</summary>\n" + b.bench(benchOf{
		dir, file, "stage " + dir,
		fmt.Sprintf("change the file, then <code>go test ./%s</code>.", dir),
	}) + "</details>\n"
}

// A workbench hands out the files of a book. Those that take minutes to build are built when a page
// first asks for one.
type workbench struct {
	dir   string
	build func() error
}

func newWorkbench(top, dir string) workbench {
	return workbench{dir, sync.OnceValue(func() error { return writeBench(top, dir) })}
}

// writeBench builds what benches fetch, and writes it into the folder of the book.
func writeBench(top, dir string) error {
	files, err := bench.Build(top)
	for name, data := range files {
		at := filepath.Join(dir, "bench", name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(at), 0o777), writeFile(at, string(data)))
	}
	return err
}

// ServeHTTP implements http.Handler.
func (s workbench) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	_, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name)))
	if path.Dir(name) == "bench" && errors.Is(err, fs.ErrNotExist) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour)) // or else a minute
		if err := s.build(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
	}
	http.FileServerFS(os.DirFS(s.dir)).ServeHTTP(w, r)
}
