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
			c.add(Story, refs.InWords(path.Base(file)), plain(t.Read(file)), file)
		case path.Ext(file) == ".go" && !strings.Contains(file, "testdata/"):
			c.source(file)
		case path.Ext(file) != ".md":
		case exercise.MatchString(file):
			text := t.Read(file)
			c.add(Exercise, heading(text), plain(text), file)
		case dir == "." || dir == "docs" || dir == "docs/workshop":
			c.page(file)
		}
	}
	return c.entries
}

var exercise = regexp.MustCompile(`^docs/workshop/(\d_\d_\w+|finale)/README\.md$`)

func heading(text string) string {
	for _, s := range repo.Sections(text)[1:] {
		return s.Heading
	}
	return "untitled"
}

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
			c.add(Moment, e.Text, refs.InWords(path.Base(story)), story+"#"+strconv.FormatInt(e.Seq, 10))
		}
	}
}

var (
	link = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	// excerpt is a block that shows what is found where it comes from.
	excerpt = regexp.MustCompile("(?s)<!-- (?:source|story|diff|diagram):[^\n]*-->\n```.*?\n```")
	comment = regexp.MustCompile(`(?s)<!--.*?-->|</?\w+>|` + "(?m:^```\\w*|^#+ |^\\[?fakeapi\\]? ─▶.*)")
	rule    = regexp.MustCompile("[`*|]|-{3,}|\\s+")
	spaces  = regexp.MustCompile(`\s+`)
)

// plain returns text without the marks of Markdown and of stories.
func plain(text string) string {
	text = comment.ReplaceAllString(excerpt.ReplaceAllString(text, ""), " ")
	text = link.ReplaceAllString(text, "$1")
	return strings.TrimSpace(spaces.ReplaceAllString(rule.ReplaceAllString(text, " "), " "))
}

// page adds a page's sections, and the rows of its tables that explain a word or a name of client-go.
func (c *collector) page(file string) {
	title := ""
	for _, s := range repo.Sections(c.tree.Read(file))[1:] {
		at := file + "#" + s.Anchor
		if s.Level == 1 {
			title, at = s.Heading, file
		}
		c.add(Chapter, s.Heading, strings.TrimSpace(title+". "+plain(strings.Join(s.Lines, "\n"))), at)
		var head []string
		for _, line := range s.Lines {
			row := cells(line)
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

func cells(line string) (cells []string) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") {
		return nil
	}
	line = strings.ReplaceAll(line, `\|`, "\x00")
	for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
		cells = append(cells, strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|")))
	}
	return cells
}

var code = regexp.MustCompile("`([^`]+)`")

// row adds a row of the glossary as a word, and the names in each column about client-go.
func (c *collector) row(head, row []string, at string) {
	all := plain(strings.Join(row, " · "))
	if head[0] == "term" {
		c.add(Word, plain(row[0]), plain(strings.Join(row[1:], " · ")), at)
	}
	for i, column := range head[:min(len(head), len(row))] {
		if strings.Contains(column, "client-go") {
			for _, name := range code.FindAllStringSubmatch(row[i], -1) {
				c.add(Name, name[1], "client-go: "+all, at)
			}
		}
	}
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

// names adds tests, and what others may look for: of the tools and exercises, what they export.
func (c *collector) names(file, pkg string, d ast.Decl, about *ast.CommentGroup) {
	isAside := strings.HasPrefix(file, "docs/tools/") || strings.HasPrefix(file, "docs/workshop/")
	for _, n := range repo.Names(d) {
		_, member, _ := strings.Cut(n.Text, ".")
		isHidden := !ast.IsExported(cmp.Or(member, n.Text)) && (n.Member || isAside)
		switch text := cmp.Or(synopsis(about), file); {
		case isTest(file) && strings.HasPrefix(n.Text, "Test"):
			c.add(Name, n.Text, refs.InWords(n.Text), file+"#"+n.Text)
		case isTest(file) || isHidden:
		case pkg == "main":
			c.add(Name, n.Text, text, file+"#"+n.Text)
		default:
			c.add(Name, pkg+"."+n.Text, text, file+"#"+n.Text)
		}
	}
}

// synopsis returns the first sentence of a comment.
func synopsis(about *ast.CommentGroup) string { return new(doc.Package).Synopsis(about.Text()) }

// messages adds the texts of three words and more that a declaration gives to funcs: errors, mostly.
func (c *collector) messages(d ast.Decl, at string) {
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			for _, arg := range call.Args {
				if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
					if s, err := strconv.Unquote(text.Value); err == nil && strings.Count(s, " ") > 1 {
						c.add(Source, s, "a message of "+at, at)
					}
				}
			}
		}
		return true
	})
}
