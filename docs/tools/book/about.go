package main

import (
	"archive/zip"
	"html"
	"regexp"
	"strings"
)

// sourceFile is the repository, for those who have only the book.
const sourceFile = "assets/watchglass.zip"

// zipped is the repository as an archive, the same bytes each time.
func (b *book) zipped() string {
	var out strings.Builder
	archive := zip.NewWriter(&out)
	for _, name := range b.tree.Files(".") {
		f, _ := archive.Create("watchglass/" + name) // into memory
		_, _ = f.Write([]byte(b.tree.Read(name)))
	}
	_ = archive.Close()
	return out.String()
}

// use says how to get the source: below the heading of the README that says how to use it.
func (b *book) use() string {
	if b.repo != "" {
		at := html.EscapeString(b.repo)
		return "<p>Get the source: <code>git clone <a href=\"" + at + "\">" + at + "</a></code></p>\n"
	}
	return "<p>The source comes with this book, wherever you found it: " +
		"<a href=\"/" + sourceFile + "\">watchglass.zip</a>.</p>\n"
}

var (
	paragraph = regexp.MustCompile(`(?s)<p>(.*?)</p>`)
	anyTag    = regexp.MustCompile(`<[^>]*>`)
	firstFile = regexp.MustCompile(`<img src="(/assets/[^"]*)"`)
)

// about is what a page says first: its first paragraph of more than a few words, cut to the length
// that search engines show.
func about(body string) string {
	const short, long = 40, 200
	for _, p := range paragraph.FindAllStringSubmatch(body, 20) {
		text := html.UnescapeString(anyTag.ReplaceAllString(p[1], ""))
		text = strings.Join(strings.Fields(text), " ")
		if len(text) < short {
			continue
		}
		if len(text) > long {
			text = text[:max(0, strings.LastIndexByte(text[:long], ' '))] + " …"
		}
		return text
	}
	return "The Kubernetes informer machinery, rebuilt from scratch, to be read and watched."
}

// image is the picture that stands for a page: its first, or the lost deletion.
func (b *book) image(body string) string {
	if m := firstFile.FindStringSubmatch(body); m != nil {
		return m[1]
	}
	for _, s := range b.stories {
		if s.scene != nil && s.scene.Name == "lost-deletion" {
			return "/" + s.scene.picture(false)
		}
	}
	return ""
}
