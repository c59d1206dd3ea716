// Package page parses the Markdown of this repository's pages. One walk gives the blocks of a page,
// and of each text its spans; the book, its search and the verifier read no line themselves.
//
//	p := page.Parse(text)
//	for _, b := range p.Blocks { … } // a heading, a paragraph, code, a table, …
//	for _, s := range page.Spans(b.Text, b.First) { … } // words, code font, links, …
//
// # What is promised
//
// Every line that is not blank belongs to one block, and to one only; blocks stand in the order of
// their lines. A text of any kind can be parsed: what is none of the forms is a paragraph, or plain
// words.
//
// # What is not promised
//
// It knows what the pages use, as a code host shows it, and no more: no nested lists, no code by
// indentation, no HTML but <details> and <summary>, which have lines of their own.
package page

import "strings"

// A Page is a page of Markdown.
type Page struct {
	Lines  []string // all of them
	Blocks []Block
}

// A Kind is what a block is.
type Kind int

// The kinds.
const (
	Paragraph Kind = iota
	Heading
	Code    // between two fences
	Table   // its first row has the names of the columns
	List    // each row has one cell
	Quote   // with blocks of its own
	Comment // of HTML
	Tag     // a line that begins with <details> or <summary>, or ends one
)

// A Block is what stands between blank lines, or where another block begins.
type Block struct {
	Kind        Kind
	First, Last int    // its lines, from 1; those of code have the fences
	Text        string // with its marks; of code, the lines between the fences

	Level   int     // of a heading
	Anchor  string  // of a heading
	Lang    string  // of code
	From    Origin  // of a comment; of code, that of the comment above it
	Ordered bool    // of a list: whether it has numbers
	Rows    []Row   // of a table or a list
	Blocks  []Block // of a quotation
}

// A Row is one of a table, or an item of a list.
type Row struct {
	Line  int
	Cells []string
}

// An Origin is a comment that says what a block is, mostly where it comes from, such as
//
//	<!-- source: deltafifo/replace.go#DeltaFIFO.Replace -->
type Origin struct{ Kind, Arg string }

// Parse parses a page. Lines end as on Unix or as on Windows.
func Parse(text string) *Page {
	p := &Page{Lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	w := &walk{anchors: map[string]bool{}}
	p.Blocks = w.blocks(p.Lines, 1)
	return p
}

// A Section is a heading with the blocks below it, up to the next heading. Level 0 is what stands
// before the first one.
type Section struct {
	Level           int
	Anchor, Heading string // Heading is without marks
	Blocks          []Block
}

// Sections cuts a page into its sections.
func (p *Page) Sections() []Section {
	all := []Section{{}}
	for _, b := range p.Blocks {
		if b.Kind == Heading {
			all = append(all, Section{Level: b.Level, Anchor: b.Anchor, Heading: Plain(b.Text)})
			continue
		}
		last := &all[len(all)-1]
		last.Blocks = append(last.Blocks, b)
	}
	return all
}

// Title is the first heading of a page, "Untitled" if it has none.
func (p *Page) Title() string {
	for _, s := range p.Sections()[1:] {
		return s.Heading
	}
	return "Untitled"
}

// A Text is a piece of prose with its marks: a heading, a paragraph, a tag, a cell or an item.
type Text struct {
	Line int
	Text string
}

// Texts returns the prose of a block, in its order. Code and comments have none.
func (b *Block) Texts() (all []Text) {
	switch b.Kind {
	case Paragraph, Heading, Tag:
		return []Text{{b.First, b.Text}}
	case Table, List:
		for _, row := range b.Rows {
			for _, cell := range row.Cells {
				all = append(all, Text{row.Line, cell})
			}
		}
	case Quote:
		for i := range b.Blocks {
			all = append(all, b.Blocks[i].Texts()...)
		}
	}
	return all
}

// Texts returns the prose of a page.
func (p *Page) Texts() (all []Text) {
	for i := range p.Blocks {
		all = append(all, p.Blocks[i].Texts()...)
	}
	return all
}

// Code returns the blocks of code of a page, also those in quotations.
func (p *Page) Code() []Block { return codeOf(p.Blocks) }

func codeOf(blocks []Block) (all []Block) {
	for _, b := range blocks {
		if b.Kind == Code {
			all = append(all, b)
		}
		all = append(all, codeOf(b.Blocks)...)
	}
	return all
}
