package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/book/index"
	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/picture"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// ours are the templates, styles and scripts of the pages.
//
//go:embed *.html *.css *.js icon.svg
var ours embed.FS

// asset returns files of ours as one.
func asset(names ...string) string {
	var all strings.Builder
	for _, name := range names {
		text, err := ours.ReadFile(name)
		if err != nil {
			panic(err) // it would be missing in every book
		}
		all.Write(text)
	}
	return all.String()
}

var layout = template.Must(template.New("page").Parse(asset("page.html")))

// A book is made of the files of a repository, once.
type book struct {
	recorder *tape.Recorder
	tree     *repo.Tree
	refs     *index.Index
	repo     string // the address of the repository; "": unknown
	chapters []chapter
	stories  []*story
	files    map[string]string // by path; no page is added after check
	noBench  error             // why there is no workbench, nil: there is one
	links    []link
}

// A chapter is a page of prose, in the order in which they are read.
type chapter struct{ Path, Title string }

// newBook makes all pages. r plays stories of the same files, and machine returns the files of the
// machine's page; address is that of the repository, if it has one. An error says what is wrong in
// the repository.
func newBook(
	fsys fs.FS, r *tape.Recorder, machine func() (map[string][]byte, error), address string,
) (*book, error) {
	b := &book{recorder: r, tree: repo.Open(fsys), repo: address, files: map[string]string{}}
	b.refs = index.Load(b.tree)
	for _, name := range chapters(b.tree) {
		title := b.tree.Page(name).Title()
		if name == "README.md" {
			title = aboutTitle
		}
		b.chapters = append(b.chapters, chapter{"/" + name, title})
	}
	if err := b.readStories(); err != nil {
		return nil, err
	}
	b.assets()
	b.benches()
	for _, name := range b.tree.Files(".") {
		if err := b.file(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, dir := range append(folders(b.tree, "."), rootFolder+"/") {
		b.add(dir, b.folder(strings.TrimSuffix(dir, "/")))
	}
	b.add("stories.html", b.allStories())
	if err := b.front(); err != nil {
		return nil, err
	}
	files, err := machine()
	if err != nil {
		return nil, err
	}
	for name, data := range files {
		b.files["machine/"+name] = string(data)
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	entries := b.entries()
	b.files["assets/search.json.gz"] = string(static.Packed(packed(entries, fromAssets)))
	b.files[oneFile] = b.inOne(entries)
	return b, nil
}

// assets adds what pages load.
func (b *book) assets() {
	for _, name := range []string{
		"book.js", "play.js", "search.js", "front.css", "front.js", "icon.svg",
	} {
		b.files["assets/"+name] = asset(name)
	}
	b.files["assets/book.css"] = asset("book.css", "bar.css", "pin.css", "search.css") + picture.CSS
	b.files["assets/scene.js"] = asset("scene.js", "pin.js")
	b.files["assets/search.json.gz"] = "" // pages link to it
	b.files[sourceFile] = b.zipped()
	b.stage()
}

// file makes the page of a file: a chapter, a story, a picture, or lines of code or text.
func (b *book) file(name string) error {
	text := b.tree.Read(name)
	switch path.Ext(name) {
	case ".md":
		r := &renderer{book: b, page: name}
		p := b.tree.Page(name)
		v := view{Title: p.Title(), Body: template.HTML(r.render(p) + b.trials(name)),
			Scenes: r.scenes > 0}
		v.Pinned = v.Scenes
		if !slices.ContainsFunc(b.chapters, func(c chapter) bool { return c.Path == "/"+name }) {
			v.Trail = trail(name) // a page beside the chapters, such as the workshop's
		}
		v.Slides = path.Base(name) == "slides.md"
		b.add(name, v)
		return r.err
	case ".svg":
		b.files[name] = text
		return nil
	case ".story":
		if s := b.story(name); s != nil {
			b.add(name, b.storyPage(s))
			return nil
		}
	}
	body := template.HTML(b.sourcePage(name, text))
	b.add(name, view{Title: name, Body: body, Wide: true, Trail: trail(name)})
	return nil
}

// entries are what the search finds in the book.
func (b *book) entries() []index.Entry {
	tapes := map[string]*tape.Tape{}
	for _, s := range b.stories {
		if s.scene != nil {
			tapes[s.File] = s.scene.Tape
		}
	}
	entries := b.refs.Entries(tapes)
	for i, e := range entries {
		if file, seq, isMoment := strings.Cut(e.At, "#"); isMoment && tapes[file] != nil {
			entries[i].At = file + "#" + moment + seq
		}
	}
	return entries
}

// packed is the index of the search, with the addresses of what it finds, or "" where an entry
// leads to nothing.
func packed(entries []index.Entry, address func(page, anchor string) string) []byte {
	entries = slices.Clone(entries)
	for i, e := range entries {
		file, anchor, _ := strings.Cut(e.At, "#")
		entries[i].At = address(pageOf(file), anchor)
	}
	return index.JSON(entries)
}

// fromAssets is the address of a page in the index that lies among the assets.
func fromAssets(page, anchor string) string {
	at := relative("assets", page)
	if anchor != "" {
		at += "#" + anchor
	}
	return at
}

// A view is what the layout shows.
type view struct {
	Title  string
	Body   template.HTML
	Wide   bool // for code
	Slides bool // one section at a time
	Scenes bool // whether the page needs the scripts of scenes
	Pinned bool // whether its scenes are shown on one stage beside the text
	Bench  bool // and those of the workbench
	Trail  []trailLink

	// What is around every page. About is its first sentence, and Image its first picture.
	About, Image, Repo string

	Chapters       []entry
	Pipe           template.HTML
	Previous, Next *chapter
}

// An entry is a chapter in the list of a page; the open one has its sections.
type entry struct {
	chapter
	Here     bool
	Sections []page.Section
}

type trailLink struct{ Path, Title string }

// add makes a page of a view, for a file, for a folder, whose path ends with a slash, or for a page
// of the book's own.
func (b *book) add(name string, v view) {
	for i, c := range b.chapters {
		here := c.Path == "/"+name
		e := entry{chapter: c, Here: here}
		if here {
			for _, s := range b.tree.Page(name).Sections() {
				if s.Level == 2 {
					e.Sections = append(e.Sections, s)
				}
			}
			if i > 0 {
				v.Previous = &b.chapters[i-1]
			}
			if i+1 < len(b.chapters) {
				v.Next = &b.chapters[i+1]
			}
		}
		v.Chapters = append(v.Chapters, e)
	}
	v.Pipe = template.HTML(b.pipe(name))
	v.About, v.Image, v.Repo = about(string(v.Body)), b.image(string(v.Body)), b.repo
	v.Bench = b.noBench == nil && hasBench.MatchString(string(v.Body))
	var page bytes.Buffer
	if err := layout.Execute(&page, v); err != nil {
		panic(err) // the layout does not fit its view
	}
	b.files[b.pageAt(name)] = b.linked(name, page.String())
}

// pageAt is pageOf for the book's own pages, too.
func (b *book) pageAt(name string) string {
	if path.Ext(name) == ".html" && !b.tree.Has(name) {
		return name
	}
	return pageOf(name)
}

// The README says what the project is, and how to get it. What a reader sees first is the front
// page.
const (
	aboutPage  = "about.html"
	aboutTitle = "About and install"
)

// rootFolder is where the top folder is shown: at / is the front page.
const rootFolder = "watchglass"

func folderTitle(dir string) string {
	if dir == "." {
		return rootFolder
	}
	return dir
}

// trail leads from the top of the repository to the folder that a file or folder is in.
func trail(name string) []trailLink {
	links := []trailLink{{"/" + rootFolder + "/", rootFolder}}
	for i, c := range name {
		if c == '/' {
			links = append(links, trailLink{"/" + name[:i+1], path.Base(name[:i])})
		}
	}
	return links
}

// folders lists all folders below one, each with a slash at its end.
func folders(t *repo.Tree, dir string) (all []string) {
	for _, name := range t.List(dir) {
		if strings.HasSuffix(name, "/") {
			at := path.Join(dir, name)
			all = append(append(all, at+"/"), folders(t, at)...)
		}
	}
	return all
}

func isSource(name string) bool {
	return path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go")
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

// write writes the book into a folder. Other files in it stay.
func (b *book) write(dir string) error {
	for name, text := range b.files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return err
		}
		if err := writeFile(at, text); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes beside the file and renames: the workbench hands out each file as soon as it is
// there.
func writeFile(at, text string) error {
	f, err := os.Create(at + ".part")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), at)
}
