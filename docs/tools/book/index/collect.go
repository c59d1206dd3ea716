package index

import (
	"cmp"
	"go/ast"
	"go/doc"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// Entries lists what can be found in the repository. The place of a moment is the story's file with
// the number of the event. Of the names, those come first that chapters and stories show most:
// several stages have a Replace.
func (x *Index) Entries(tapes map[string]*tape.Tape) []Entry {
	t, c := x.tree, &collector{tree: x.tree}
	for _, story := range slices.Sorted(maps.Keys(tapes)) {
		c.moments(story, tapes[story])
	}
	for _, l := range tape.Lessons {
		if tapes[l.Story] != nil {
			c.lesson(l)
		}
	}
	for _, file := range t.Files(".") {
		switch dir := path.Dir(file); {
		case path.Ext(file) == ".story":
			step, inGrow := strings.CutPrefix(dir, "docs/grow/")
			title := inWords(path.Base(file))
			if inGrow {
				title += ", step " + step[:1]
			}
			c.add(Story, title, plainStory(t.Read(file)), file)
		case path.Ext(file) == ".go" && !strings.Contains(file, "testdata/"):
			c.source(file)
		case path.Ext(file) != ".md":
		case exercise.MatchString(file):
			p := t.Page(file)
			c.add(Exercise, p.Title(), plainBlocks(p.Blocks), file)
		case dir == "." || dir == "docs" || dir == "docs/workshop":
			c.page(file)
		}
	}
	slices.SortStableFunc(c.entries, func(a, b Entry) int { return x.seen(b) - x.seen(a) })
	return c.entries
}

// seen is how many chapters and stories show an exported name. It is 0 for all else.
func (x *Index) seen(e Entry) int {
	shown := x.shown[e.At]
	if e.Kind != Name || shown == nil || !ast.IsExported(e.Title[strings.LastIndex(e.Title, ".")+1:]) {
		return 0
	}
	return len(shown.Chapters) + len(shown.Stories)
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

// lesson adds a lesson, with all that it says.
func (c *collector) lesson(l tape.Lesson) {
	var says []string
	for _, b := range l.Beats {
		says = append(says, b.Says)
	}
	c.add(Lesson, l.Title, strings.Join(append(says, l.Question), " "), l.Story)
}

// storyMarks are those of a story.
var storyMarks = regexp.MustCompile("(?m)^#+ |-{3,}|[`*]")

func plainStory(text string) string { return oneLine(storyMarks.ReplaceAllString(text, "")) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// plain is the text of a block without marks. Code is a part of it, unless it is found where it
// comes from.
func plain(b page.Block) string {
	var texts []string
	for _, t := range b.Texts() {
		texts = append(texts, page.Plain(t.Text))
	}
	isExcerpt := slices.Contains([]string{"source", "story", "diff", "diagram"}, b.From.Kind)
	if b.Kind == page.Code && !isExcerpt && !isStrip(b.Text) {
		texts = append(texts, b.Text)
	}
	return oneLine(strings.Join(texts, " "))
}

// isStrip finds the pipe that heads a chapter.
func isStrip(text string) bool {
	return strings.HasPrefix(strings.TrimPrefix(text, "["), "fakeapi") && strings.Contains(text, "─▶")
}

func plainBlocks(blocks []page.Block) string {
	var texts []string
	for _, b := range blocks {
		texts = append(texts, plain(b))
	}
	return oneLine(strings.Join(texts, " "))
}

// page adds a page's sections, and the rows of its tables that explain a word or a name of
// client-go.
func (c *collector) page(file string) {
	for _, s := range c.tree.Page(file).Sections()[1:] {
		at := file + "#" + s.Anchor
		if s.Level == 1 {
			at = file
		}
		c.add(Chapter, s.Heading, plainBlocks(s.Blocks), at)
		for _, b := range s.Blocks {
			if b.Kind == page.Table {
				for _, row := range b.Rows[1:] {
					c.row(b.Rows[0].Cells, row, at)
				}
			}
		}
	}
}

// row adds a row of the glossary as a word, and the names in each column about client-go.
func (c *collector) row(head []string, row page.Row, at string) {
	var cells []string
	for _, cell := range row.Cells {
		cells = append(cells, oneLine(page.Plain(cell)))
	}
	if head[0] == "term" && cells[0] != "" {
		c.word(cells[0], strings.Join(cells[1:], " · "), at)
	}
	for i, column := range head[:min(len(head), len(cells))] {
		if !strings.Contains(column, "client-go") || cells[0] == "" {
			continue
		}
		page.Each(page.Text{Text: row.Cells[i]}, func(s page.Span) {
			if s.Kind == page.CodeFont {
				c.add(Name, s.Text, "client-go: "+strings.Join(cells, " · "), at)
			}
		})
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
	parsed := c.tree.Go(file)
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

// names adds tests, funcs and types, and those of their members that are exported. It leaves out
// the names in tools and exercises, which a reader finds by their file.
func (c *collector) names(file, pkg string, d ast.Decl, about *ast.CommentGroup) {
	for _, n := range repo.Names(d) {
		_, member, _ := strings.Cut(n.Text, ".")
		title, text := pkg+"."+n.Text, synopsis(about)
		switch {
		case strings.HasPrefix(file, "docs/tools/") || strings.HasPrefix(file, "docs/workshop/"):
			continue
		case isTest(file) && strings.HasPrefix(n.Text, "Test"):
			title, text = n.Text, inWords(n.Text)
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
