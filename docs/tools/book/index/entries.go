package index

import (
	"encoding/json"
	"slices"
	"strings"
)

// An Entry is one place in the book that can be found, by the words of its title and of its text.
// search.js shows the title, and of the text what is around the words that were found.
type Entry struct {
	Kind  Kind
	Title string
	Text  string // "": the title says it all
	At    string // a place in the repository or, for JSON, an address
}

// A Kind is what an entry is. Groups that fit equally well are shown in this order.
type Kind int

// The kinds.
const (
	Word Kind = iota
	Lesson
	Name
	Chapter
	Moment
	Story
	Exercise
	Source
)

var kinds = []string{
	Word:     "Words",
	Lesson:   "Lessons",
	Name:     "Names",
	Chapter:  "Chapters and sections",
	Moment:   "Moments",
	Story:    "Stories",
	Exercise: "Exercises",
	Source:   "Source",
}

// JSON returns the entries for search.js. Entries that lead nowhere are left out. Many of
// them have one page or one text, so both are written once: an entry is its kind, title, page,
// anchor, text.
func JSON(entries []Entry) []byte {
	index := struct {
		Kinds   []string `json:"kinds"`
		Pages   []string `json:"pages"`
		Texts   []string `json:"texts"`
		Entries [][5]any `json:"entries"`
	}{Kinds: kinds}
	pages, texts := map[string]int{}, map[string]int{}
	number := func(s string, list *[]string, known map[string]int) int {
		if _, ok := known[s]; !ok {
			known[s], *list = len(*list), append(*list, s)
		}
		return known[s]
	}
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b Entry) int { return int(a.Kind - b.Kind) })
	for _, e := range entries {
		if e.At != "" {
			page, anchor, _ := strings.Cut(e.At, "#")
			index.Entries = append(index.Entries, [5]any{e.Kind, e.Title, number(page, &index.Pages, pages),
				anchor, number(e.Text, &index.Texts, texts)})
		}
	}
	data, _ := json.Marshal(index) // strings and numbers cannot fail
	return data
}
