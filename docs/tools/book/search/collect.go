package search

import (
	"cmp"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/docs/tools/book/refs"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// Collect lists what can be found in a repository. Places are written as package refs writes them;
// that of a moment is the story's file with the number of the event.
func Collect(t *repo.Tree, tapes map[string]*tape.Tape) []Entry {
	c := &collector{tree: t}
	for _, story := range slices.Sorted(maps.Keys(tapes)) {
		c.moments(story, tapes[story])
	}
	for _, file := range t.Files(".") {
		switch dir := path.Dir(file); {
		case path.Ext(file) == ".story":
			step, inGrow := strings.CutPrefix(dir, "docs/grow/")
			title := refs.InWords(path.Base(file))
			if inGrow {
				title += ", step " + step[:1]
			}
			c.add(Story, title, plain(t.Read(file)), file)
		case path.Ext(file) == ".go" && !strings.Contains(file, "testdata/"):
			c.source(file)
		case path.Ext(file) != ".md":
		case exercise.MatchString(file):
			text := t.Read(file)
			c.add(Exercise, repo.Title(text), plain(text), file)
		case dir == "." || dir == "docs" || dir == "docs/workshop":
			c.page(file)
		}
	}
	return c.entries
}

var exercise = regexp.MustCompile(`^docs/workshop/(\d_\d_\w+|finale)/README\.md$`)

type collector struct {
	tree    *repo.Tree
	entries []Entry
}

func (c *collector) add(kind Kind, title, text, at string) {
	c.entries = append(c.entries, Entry{kind, title, text, at})
}

// moments adds the events of a tape, each text once. What a story says is found in its text.
func (c *collector) moments(story string, t *tape.Tape) {
	seen := map[string]bool{}
	for _, e := range t.Events[1:] {
		if e.Kind != "say" && !seen[e.Text] {
			seen[e.Text] = true
			c.add(Moment, e.Text, "", story+"#"+strconv.FormatInt(e.Seq, 10))
		}
	}
}

var (
	link = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	// excerpt is a block that shows what is found where it comes from.
	excerpt = regexp.MustCompile("(?s)<!-- (?:source|story|diff|diagram):[^\n]*-->\n```.*?\n```")
	comment = regexp.MustCompile(`(?s)<!--.*?-->|</?\w+>|` + "(?m:^```\\w*|^#+ |^> ?|^\\[?fakeapi\\]? ─▶.*)")
	marks   = regexp.MustCompile("[`*]")
	gaps    = regexp.MustCompile(`(?:\||-{3,}|\s)+`)
)

// plain returns text without the marks of Markdown and of stories.
func plain(text string) string {
	text = comment.ReplaceAllString(excerpt.ReplaceAllString(text, ""), " ")
	text = marks.ReplaceAllString(link.ReplaceAllString(text, "$1"), "")
	return strings.TrimSpace(gaps.ReplaceAllString(text, " "))
}

// page adds a page's sections, and the rows of its tables that explain a word or a name of
// client-go.
func (c *collector) page(file string) {
	for _, s := range repo.Sections(c.tree.Read(file))[1:] {
		at := file + "#" + s.Anchor
		if s.Level == 1 {
			at = file
		}
		c.add(Chapter, s.Heading, plain(strings.Join(s.Lines, "\n")), at)
		var head []string
		for _, line := range s.Lines {
			row := repo.Cells(line)
			switch {
			case len(row) < 2:
				head = nil
			case head == nil:
				head = row
			case row[0] != "" && !strings.HasPrefix(row[0], "-"):
				c.row(head, row, at)
			}
		}
	}
}

var code = regexp.MustCompile("`([^`]+)`")

// row adds a row of the glossary as a word, and the names in each column about client-go.
func (c *collector) row(head, row []string, at string) {
	if head[0] == "term" {
		c.word(plain(row[0]), plain(strings.Join(row[1:], " · ")), at)
	}
	for i, column := range head[:min(len(head), len(row))] {
		if strings.Contains(column, "client-go") {
			for _, name := range code.FindAllStringSubmatch(row[i], -1) {
				c.add(Name, name[1], "client-go: "+plain(strings.Join(row, " · ")), at)
			}
		}
	}
}

// word adds a word. The second table about it has what others call it.
func (c *collector) word(title, text, at string) {
	for i, e := range c.entries {
		if e.Kind == Word && e.Title == title {
			c.entries[i].Text += " · " + text
			return
		}
	}
	c.add(Word, title, text, at)
}

// source adds a Go file, the names that it declares for others or as tests, and its messages.
func (c *collector) source(file string) {
	parsed, _ := parser.ParseFile(token.NewFileSet(), "", c.tree.Read(file),
		parser.ParseComments|parser.SkipObjectResolution)
	c.add(Source, file, synopsis(parsed.Doc), file)
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			c.names(file, parsed.Name.Name, d, d.Doc)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				about := d.Doc
				switch s := spec.(type) {
				case *ast.TypeSpec:
					about = cmp.Or(s.Doc, about)
				case *ast.ValueSpec:
					about = cmp.Or(s.Doc, s.Comment, about)
				}
				c.names(file, parsed.Name.Name, &ast.GenDecl{Specs: []ast.Spec{spec}}, about)
			}
		}
		if names := repo.Names(d); len(names) > 0 && !strings.HasPrefix(file, "docs/") && !isTest(file) {
			c.messages(d, file+"#"+names[0].Text)
		}
	}
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// names adds tests, and what is declared for others or is a func or type. Nobody looks for a name
// of the tools and exercises without their file.
func (c *collector) names(file, pkg string, d ast.Decl, about *ast.CommentGroup) {
	for _, n := range repo.Names(d) {
		_, member, _ := strings.Cut(n.Text, ".")
		title, text := pkg+"."+n.Text, synopsis(about)
		switch {
		case strings.HasPrefix(file, "docs/tools/") || strings.HasPrefix(file, "docs/workshop/"):
			continue
		case isTest(file) && strings.HasPrefix(n.Text, "Test"):
			title, text = n.Text, refs.InWords(n.Text)
		case isTest(file) || n.Member && !ast.IsExported(member):
			continue
		case n.Member:
			text = "" // the comment is about the whole type
		case pkg == "main":
			title = n.Text
		}
		c.add(Name, title, text, file+"#"+n.Text)
	}
}

// synopsis returns the first sentence of a comment.
func synopsis(about *ast.CommentGroup) string { return new(doc.Package).Synopsis(about.Text()) }

// messages adds the texts of three words and more that a declaration gives to funcs: errors,
// mostly.
func (c *collector) messages(d ast.Decl, at string) {
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			for _, arg := range call.Args {
				if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
					if s, err := strconv.Unquote(text.Value); err == nil && strings.Count(s, " ") > 1 {
						c.add(Source, s, "a message", at)
					}
				}
			}
		}
		return true
	})
}
