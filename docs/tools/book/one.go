package main

import (
	"encoding/base64"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/book/index"
)

// oneFile is the book as one file that works when it is opened from disk, where no page may load
// another: chapters and stories one after another, and everything that their scripts load inside.
// Source and packages are not in it, so what would lead there is no link, and it has no workbench.
const oneFile = "watchglass.html"

var (
	mainForm   = regexp.MustCompile(`(?s)<main[^>]*>(.*)</main>`)
	idForm     = regexp.MustCompile(` id="([^"]*)"`)
	styleForm  = regexp.MustCompile(`<link rel="stylesheet" href="(assets/[a-z]+\.css)">\n?`)
	scriptForm = regexp.MustCompile(`<script src="(assets/[a-z]+\.js)"[^>]*></script>\n?`)
	imageForms = regexp.MustCompile(` (src|srcset|href)="([^"]*\.svg)"`)
	policyForm = regexp.MustCompile(`content="default-src[^"]*"`)
)

// inOne makes the file of the pages that have been made.
func (b *book) inOne(entries []index.Entry) string {
	var pages []string
	for _, c := range b.chapters {
		pages = append(pages, pageOf(strings.TrimPrefix(c.Path, "/")))
	}
	pages = append(pages, "stories.html")
	for _, s := range b.stories {
		pages = append(pages, pageOf(s.File))
	}
	var body strings.Builder
	for _, page := range pages {
		text := mainForm.FindStringSubmatch(b.files[page])[1]
		text = idForm.ReplaceAllString(text, ` id="`+page+`:$1"`)
		fmt.Fprintf(&body, "<article id=\"%s\">%s</article>\n", page, b.inside(page, pages, text))
	}
	first := b.files["stories.html"] // a page at the top with all scripts
	around := strings.SplitN(mainForm.ReplaceAllLiteralString(first, "<main>\x00</main>"), "\x00", 2)
	head, tail := b.inside("stories.html", pages, around[0]), b.inside("stories.html", pages,
		around[1])
	head = policyForm.ReplaceAllLiteralString(head, `content="default-src 'none'; style-src 'unsafe-inline'; `+
		`script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'"`)
	scripts := ""
	head = scriptForm.ReplaceAllStringFunc(head, func(tag string) string {
		scripts += "<script>\n" + b.files[scriptForm.FindStringSubmatch(tag)[1]] + "</script>\n"
		return "" // they stand at the end, because a script in a page does not wait for the rest of it
	})
	head = styleForm.ReplaceAllStringFunc(head, func(tag string) string {
		return "<style>\n" + b.files[styleForm.FindStringSubmatch(tag)[1]] + "</style>\n"
	})
	found := packed(entries, func(page, anchor string) string {
		switch {
		case !slices.Contains(pages, page):
			return ""
		case anchor != "":
			anchor = ":" + anchor
		}
		return "#" + page + anchor
	})
	before, after, _ := strings.Cut(tail, "</body>")
	return strings.Join([]string{
		head, body.String(), before, b.data(),
		"<script type=\"application/json\" id=\"search-index\">", string(found), "</script>\n",
		scripts, "</body>", after,
	}, "")
}

// inside turns the links of a page into those of the one file, and its pictures into data.
func (b *book) inside(page string, pages []string, text string) string {
	text = imageForms.ReplaceAllStringFunc(text, func(found string) string {
		m := imageForms.FindStringSubmatch(found)
		data := base64.StdEncoding.EncodeToString([]byte(b.files[path.Join(path.Dir(page), m[2])]))
		return fmt.Sprintf(` %s="data:image/svg+xml;base64,%s"`, m[1], data)
	})
	return replaceLinks(text, func(name, whole string) string {
		target, anchor, _ := strings.Cut(whole, "#")
		to := path.Join(path.Dir(page), target)
		if target == "" {
			to = page
		}
		if anchor != "" {
			anchor = ":" + anchor
		}
		switch {
		case strings.HasPrefix(whole, "data:"), outside.MatchString(target) && target != "":
			return attribute(name, whole)
		case name == "content":
			return attribute(name, whole)
		case name == "data-tape", strings.HasPrefix(to, "assets/"):
			return attribute(name, to)
		case !slices.Contains(pages, to):
			return ""
		}
		return attribute(name, "#"+to+anchor)
	})
}

// data is what scripts load in the folder, as elements with the names of the files.
func (b *book) data() string {
	var names []string
	for name := range b.files {
		if path.Ext(name) == ".gz" && !strings.HasPrefix(name, "assets/search") &&
			!strings.HasPrefix(name, "machine/scene/") && !strings.HasPrefix(name, "bench/") ||
			name == "machine/wasm_exec.js" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out strings.Builder
	for _, name := range names {
		fmt.Fprintf(&out, "<script type=\"text/plain\" id=\"%s\">%s</script>\n", name,
			base64.StdEncoding.EncodeToString([]byte(b.files[name])))
	}
	return out.String()
}
