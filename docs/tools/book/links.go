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
		return "index.html"
	case strings.HasSuffix(name, "/"):
		return name + "index.html"
	case path.Ext(name) == ".md":
		return strings.TrimSuffix(name, ".md") + ".html"
	case path.Ext(name) == ".svg":
		return name
	}
	return name + ".html"
}

// A page links to the repository: to /dir/file.go#Name, or from a chapter to ../dir/file.go.
// attribute finds the links of a page; text cannot look like one, because its quotation marks are
// escaped.
var attribute = regexp.MustCompile(`( (?:href|src|srcset|data-tape|data-story|data-index))="([^"]*)"`)

var outside = regexp.MustCompile(`^([a-z]+:|#|$)`)

// linked turns the links of a page into relative ones to pages, and remembers them for check. A
// link to what is not in the repository is to a file of the book.
func (b *book) linked(from, text string) string {
	return attribute.ReplaceAllStringFunc(text, func(found string) string {
		m := attribute.FindStringSubmatch(found)
		target, anchor, _ := strings.Cut(html.UnescapeString(m[2]), "#")
		if outside.MatchString(target) && target != "" {
			return found
		}
		to := b.pageAt(from)
		if target != "" {
			to = b.target(from, target)
		}
		b.links = append(b.links, link{from, to, anchor})
		at := relative(path.Dir(b.pageAt(from)), to)
		if target == "" {
			at = ""
		}
		if anchor != "" {
			at += "#" + anchor
		}
		return m[1] + `="` + html.EscapeString(at) + `"`
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

// happens reports whether a link leads to an event that the tape of its story has.
func (b *book) happens(l link) bool {
	s := b.story(strings.TrimSuffix(l.to, ".html"))
	text, isMoment := strings.CutPrefix(l.anchor, moment)
	text, _ = url.PathUnescape(text)
	return isMoment && s != nil && s.scene != nil &&
		slices.ContainsFunc(s.scene.Tape.Events,
			func(e *tape.Event) bool { return strings.Contains(e.Text, text) })
}

// check returns an error that names the links that lead to no page, or to no anchor of it.
func (b *book) check() error {
	var wrong []string
	for _, l := range b.links {
		to, ok := b.files[l.to]
		switch {
		case !ok:
			wrong = append(wrong, fmt.Sprintf("%s links to %s, which does not exist", l.from, l.to))
		case l.anchor != "" && !b.happens(l) && !strings.Contains(to, ` id="`+html.EscapeString(l.anchor)+`"`):
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
