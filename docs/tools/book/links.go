package main

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/tape"
)

// pageOf returns the path of the page about a file or folder of the repository. Folders end with a
// slash. Pictures are files of the book as they are.
func pageOf(name string) string {
	switch {
	case name == "README.md":
		return aboutPage
	case strings.HasSuffix(name, "/"):
		return name + "index.html"
	case path.Ext(name) == ".md":
		return strings.TrimSuffix(name, ".md") + ".html"
	case path.Ext(name) == ".svg":
		return name
	}
	return name + ".html"
}

// A page links to the repository: to /dir/file.go#Name, or from a chapter to ../dir/file.go. These
// attributes link.
var linking = []string{"href", "src", "srcset", "data-tape", "data-story", "data-index",
	"data-break", "data-build", "content"}

// replaceLinks replaces the attributes of a page that link: f is given the name of one and where it
// leads, unescaped, and returns the attribute with a space before it. Text cannot look like an
// attribute, because its quotation marks are escaped.
func replaceLinks(text string, f func(name, target string) string) string {
	var b strings.Builder
	b.Grow(len(text))
	done := 0
	for at := 0; ; {
		i := strings.Index(text[at:], `="`)
		if i < 0 {
			break
		}
		at += i
		space := strings.LastIndexByte(text[done:at], ' ') + done
		start, length := at+2, strings.IndexByte(text[at+2:], '"')
		if length < 0 {
			break
		}
		if space >= done && slices.Contains(linking, text[space+1:at]) {
			b.WriteString(text[done:space])
			b.WriteString(f(text[space+1:at], html.UnescapeString(text[start:start+length])))
			done = start + length + 1
		}
		at = start + length + 1
	}
	b.WriteString(text[done:])
	return b.String()
}

func attribute(name, target string) string {
	return " " + name + `="` + html.EscapeString(target) + `"`
}

var outside = regexp.MustCompile(`^([a-z]+:|#|$)`)

// linked turns the links of a page into relative ones to pages, and remembers them for check. A
// link to what is not in the repository is to a file of the book.
func (b *book) linked(from, text string) string {
	page := b.pageAt(from)
	return replaceLinks(text, func(name, whole string) string {
		target, anchor, _ := strings.Cut(whole, "#")
		isText := name == "content" && !strings.HasPrefix(whole, "/")
		if isText || target != "" && outside.MatchString(target) {
			return attribute(name, whole)
		}
		to := page
		if target != "" {
			to = b.target(from, target)
		}
		b.links = append(b.links, link{from, to, anchor})
		at := relative(path.Dir(page), to)
		if target == "" {
			at = ""
		}
		if anchor != "" {
			at += "#" + anchor
		}
		return attribute(name, at)
	})
}

// target returns the path of the page that a link leads to.
func (b *book) target(from, target string) string {
	name := strings.TrimPrefix(target, "/")
	if name == target {
		name = path.Join(path.Dir(from+"x"), target) // a folder ends with a slash
	}
	switch name = cmp.Or(path.Clean(name), "."); {
	case target == "/":
		return "index.html"
	case name == rootFolder:
		return pageOf(rootFolder + "/")
	case b.tree.IsDir(name):
		return pageOf(name + "/")
	case b.tree.Has(name):
		return pageOf(name)
	}
	return name
}

// relative returns the way from a folder to a file.
func relative(dir, to string) string {
	from, way := strings.Split(dir, "/"), strings.Split(to, "/")
	if dir == "." {
		from = nil
	}
	for len(from) > 0 && len(way) > 1 && from[0] == way[0] {
		from, way = from[1:], way[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(way, "/")
}

// link is one of a page of the book.
type link struct{ from, to, anchor string }

// moment begins an anchor that names an event of a tape; the page's script finds it.
const moment = "moment,"

// question is the name of the event at which a lesson asks.
const question = "question"

// happens reports whether a link leads to an event that the tape of its story has.
func (b *book) happens(l link) bool {
	s := b.story(strings.TrimSuffix(l.to, ".html"))
	text, isMoment := strings.CutPrefix(l.anchor, moment)
	text, _ = url.PathUnescape(text)
	if isMoment && text == question && s != nil && s.scene != nil {
		return s.scene.Question != ""
	}
	return isMoment && s != nil && s.scene != nil &&
		slices.ContainsFunc(s.scene.Tape.Events,
			func(e *tape.Event) bool { return strings.Contains(e.Text, text) })
}

// anchors returns what a page of HTML has as id.
func anchors(text string) map[string]bool {
	ids := map[string]bool{}
	for {
		_, rest, found := strings.Cut(text, ` id="`)
		id, rest, isClosed := strings.Cut(rest, `"`)
		if !found || !isClosed {
			return ids
		}
		ids[html.UnescapeString(id)] = true
		text = rest
	}
}

// check returns an error that names the links that lead to no page, or to no anchor of it.
func (b *book) check() error {
	var wrong []string
	known := map[string]map[string]bool{}
	has := func(page, anchor string) bool {
		if known[page] == nil {
			known[page] = anchors(b.files[page])
		}
		return known[page][anchor]
	}
	for _, l := range b.links {
		_, exists := b.files[l.to]
		switch {
		case !exists:
			wrong = append(wrong, fmt.Sprintf("%s links to %s, which does not exist", l.from, l.to))
		case l.anchor != "" && !has(l.to, l.anchor) && !b.happens(l):
			wrong = append(wrong,
				fmt.Sprintf("%s links to %s, which has no anchor %q", l.from, l.to, l.anchor))
		}
	}
	slices.Sort(wrong)
	if wrong = slices.Compact(wrong); len(wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(wrong, "\n"))
}
