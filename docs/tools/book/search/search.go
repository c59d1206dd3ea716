// Package search makes the index that the book is searched with, and has the script that searches.
//
//	entries := search.Collect(tree, tapes)
//	index := search.Index(entries) // search.js reads it
//
// An entry is a place in the book. It is found by the words of its title and of its text; the
// script shows the title, and of the text what is around the words that were found. Entries are
// grouped by their kinds. The script is vanilla, asks no other host, and loads the index when a
// reader first opens the search (search.js).
package search

import (
	_ "embed" // for the script and the style
	"encoding/json"
	"slices"
	"strings"
)

// Script is search.js, and Style its style, which takes its colours from the page.
var (
	//go:embed search.js
	Script string
	//go:embed search.css
	Style string
)

// An Entry is one place that can be found.
type Entry struct {
	Kind  Kind
	Title string
	Text  string // "": the title says it all
	At    string // a place in the repository or, for Index, an address
}

// A Kind is what an entry is. Groups that fit equally well are shown in this order.
type Kind int

// The kinds.
const (
	Word Kind = iota
	Name
	Chapter
	Moment
	Story
	Exercise
	Source
)

var kinds = []string{Word: "Words", Name: "Names", Chapter: "Chapters and sections",
	Moment: "Moments",
	Story:  "Stories", Exercise: "Exercises", Source: "Source"}

// Index returns the entries as JSON, for search.js. Entries that lead nowhere are left out. Many of
// them have one page or one text, so both are written once: an entry is its kind, title, page,
// anchor, text.
func Index(entries []Entry) []byte {
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
