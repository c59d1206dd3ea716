package main

import (
	"encoding/json"
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
	"example.com/watchglass/docs/tools/repo"
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

// hasBench matches what the scripts of the workbench are for.
var hasBench = regexp.MustCompile(` data-(bench|board)\b`)

// A benchOf says what a bench is for, and how its reader does without it. More is HTML that belongs
// to it: what is hidden there appears with the editor.
type benchOf struct{ dir, file, judge, how, more string }

const noBench = "This book has no workbench: it was made by a Go without the source of its " +
	"compiler."

// bench is a file of a package in an editor. Without scripts, or without a workbench, it says what
// would be there, and how that is done with Go.
func (b *book) bench(of benchOf) string {
	how := "With scripts, this file can be changed here, and Go's own compiler, in the page, runs " +
		"the tests with the change. "
	area := fmt.Sprintf("<textarea rows=\"12\" aria-label=\"%s\">\n%s</textarea>", of.file,
		html.EscapeString(b.tree.Read(of.file)))
	if b.noBench != nil {
		how, area = noBench+" ", ""
	}
	return fmt.Sprintf("<div class=\"bench\" data-bench=\"%s\" data-file=\"%s\" data-judge=\"%s\">"+
		"<p class=\"how\">%sWith Go: %s</p>%s%s</div>\n",
		of.dir, of.file, of.judge, how, of.how, of.more, area)
}

// trials are the changes to try at the end of a chapter, "" if it has none.
func (b *book) trials(chapter string) string {
	all, _ := bench.Trials() // the tests of package bench read them
	how := "On a web server, and with scripts, this page makes the change and runs the tests with " +
		"Go's own compiler."
	if b.noBench != nil {
		how = noBench
	}
	var out strings.Builder
	for _, t := range all {
		if t.Chapter != chapter || !b.tree.Has(t.File) {
			continue
		}
		edits, _ := json.Marshal(t.Edits)
		fmt.Fprintf(&out, "<h3>%s</h3>\n<p>%s</p>\n<details class=\"trial\"><summary>Predict which "+
			"story or law breaks. Then open the change, and run them</summary>\n"+
			"<p>The change in <a href=\"/%s\"><code>%[3]s</code></a>:</p>\n%s",
			html.EscapeString(t.Title), html.EscapeString(t.Ask), t.File, editsOf(t.Edits))
		fmt.Fprintf(&out, "<div class=\"bench\" data-bench=\"%s\" data-file=\"%s\" "+
			"data-judge=\"%s\" data-edits=\"%s\"><p class=\"how\">%s With Go: make it in the "+
			"file, then <code>go test ./%[1]s</code>.</p></div></details>\n",
			t.Dir, t.File, bench.Judge(t.Dir), html.EscapeString(string(edits)), how)
	}
	if out.Len() == 0 {
		return ""
	}
	return "<section class=\"what-if\">\n<h2 id=\"what-if\">What if?</h2>\n<p>Three changes to the " +
		"code of this chapter. Before you run the tests with one of them, say what will break, and " +
		"how it will show.</p>\n" + out.String() + "</section>\n"
}

// editsOf shows which lines are taken out and which are put in.
func editsOf(edits []repo.Edit) string {
	var out strings.Builder
	for _, e := range edits {
		for line := range strings.Lines(e.Old) {
			out.WriteString("<del>- " + html.EscapeString(line) + "</del>")
		}
		for line := range strings.Lines(e.New) {
			out.WriteString("<ins>+ " + html.EscapeString(line) + "</ins>")
		}
	}
	return "<pre class=\"edits\">" + out.String() + "</pre>"
}

var exercisePage = regexp.MustCompile(`^docs/workshop/(\d)_(\d)_(\w+)/README\.md$`)

// reportTitle is a heading of the finale: a letter and a stage.
var reportTitle = regexp.MustCompile("^([A-Z]) · `(.*)`$")

// before renders what stands before a heading of a page: on that of an exercise its bench, before
// the hints; on that of the workshop the board; in the finale a bench behind each report.
func (r *renderer) before(heading page.Block) {
	if r.book == nil {
		return
	}
	if r.report != nil {
		r.out.WriteString(r.book.finale(r.report[1], r.report[2]))
	}
	r.report = nil
	switch m := exercisePage.FindStringSubmatch(r.page); {
	case m != nil && heading.Text == "Hints":
		r.out.WriteString(r.book.exercise(path.Dir(r.page), m[1]+"."+m[2], m[3]))
	case r.page == finalePage:
		r.report = reportTitle.FindStringSubmatch(heading.Text)
	case r.page == "docs/workshop/README.md" && heading.Level == 2 && !r.hasBoard:
		r.hasBoard = true
		r.out.WriteString(r.book.board())
	case r.page == "docs/workshop/README.md" && r.section == "The pipe":
		r.out.WriteString(r.book.runPipe())
	}
	r.section = heading.Text
}

const finalePage = "docs/workshop/finale/README.md"

// exercise is the bench of an exercise. When it is solved, the page says what comes next.
func (b *book) exercise(dir, id, name string) string {
	next := "<a href=\"/" + finalePage + "\">the finale</a>"
	all := bench.Exercises(b.tree)
	if i := slices.Index(all, dir) + 1; i < len(all) {
		next = b.titled(all[i])
	}
	how := fmt.Sprintf("write the bodies in <code>%s.go</code>, then <code>make try E=%s</code>.",
		name, id)
	more := fmt.Sprintf("<p class=\"laws\" hidden>Write here. <em>run</em> does what "+
		"<code>make try E=%s</code> does in a terminal: it compiles the file and runs "+
		"<a href=\"/%s/%s_test.go\">its laws</a>.</p>"+
		"<p class=\"next\" hidden>All laws hold. Compare it with the stage: see below. "+
		"Next: %s. <a href=\"/docs/workshop/README.md\">The board</a> shows all.</p>",
		id, dir, name, next)
	return b.bench(benchOf{dir, bench.StubOf(dir), bench.Judge(dir), how, more})
}

// titled is a link to an exercise.
func (b *book) titled(dir string) string {
	title := html.EscapeString(b.tree.Page(dir + "/README.md").Title())
	return fmt.Sprintf("<a href=\"/%s/README.md\">%s</a>", dir, title)
}

// board lists the exercises and the reports of the finale. In a browser it shows which are solved
// there.
func (b *book) board() string {
	var out strings.Builder
	out.WriteString("<div class=\"board\" data-board>\n")
	if b.noBench == nil {
		out.WriteString("<p>In this book you need neither Go nor a terminal: each exercise has an " +
			"editor, and a button that runs its laws. This browser keeps what you write, and which " +
			"exercises you have solved.</p>\n")
	}
	out.WriteString("<ul>\n")
	for _, dir := range bench.Exercises(b.tree) {
		fmt.Fprintf(&out, "<li data-exercise=\"%s\">%s</li>\n", dir, b.titled(dir))
	}
	out.WriteString("<li>All together: <a href=\"#the-pipe\">the pipe</a></li>\n")
	fmt.Fprintf(&out, "<li>In the end, <a href=\"/%s\">the finale</a>:", finalePage)
	for _, block := range b.tree.Page(finalePage).Blocks {
		if m := reportTitle.FindStringSubmatch(block.Text); m != nil {
			fmt.Fprintf(&out, " <span data-report=\"%s\">%[1]s</span>", m[1])
		}
	}
	return out.String() + "</li>\n</ul></div>\n"
}

// finale is the bench behind a report: a story, played on the correct stage and on the broken one.
func (b *book) finale(letter, stage string) string {
	file := "docs/workshop/finale/" + strings.ToLower(letter) + ".story"
	how := fmt.Sprintf("<code>make story STAGE=%s STORY=%s</code>, then "+
		"<code>make finale M=%s</code>.", stage, file, letter)
	html := b.bench(benchOf{stage, stage + "/testdata/story.template", "finale", how,
		"<p class=\"laws\" hidden><em>write the states</em> writes under each <code>----</code> what " +
			"the correct stage shows. <em>run</em> plays the story on both stages.</p>"})
	return folded("Write a story that exposes it", strings.Replace(html, "data-bench=",
		fmt.Sprintf("data-finale=\"%s\" data-bench=", letter), 1))
}

// folded is a bench below a line that opens it.
func folded(summary, html string) string {
	return "<details class=\"change-it\"><summary>" + summary + "</summary>\n" + html +
		"</details>\n"
}

// runPipe is the bench of the program that calls the exercises, folded.
func (b *book) runPipe() string {
	return folded("Run it here, with your exercises", b.bench(benchOf{
		bench.Pipe, bench.Pipe + "/informer.go", "pipe", "<code>make pipe</code>.",
		"<p class=\"laws\" hidden><em>run</em> compiles what you have written in this book, with " +
			"solutions in the place of open exercises, and this program, and runs it against the server " +
			"of this project. It has <code>net/http</code> in it, so it loads more than exercises do.</p>",
	}))
}

// change is the editor of a stage's source file, folded, "" if the file has none.
func (b *book) change(file string) string {
	dir := path.Dir(file)
	if !slices.Contains(bench.Stages, dir) || !isSource(file) {
		return ""
	}
	return folded("Change it", b.bench(benchOf{dir, file, "stage " + dir,
		fmt.Sprintf("change the file, then <code>go test ./%s</code>.", dir), ""}))
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
