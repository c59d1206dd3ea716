package main

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/repo"
)

// A crawler follows every link of the site to its end. Of the files that are no Markdown, it reads
// only those in which a link has an anchor: there are hundreds, all made in the same way.
type crawler struct {
	site    http.Handler
	tree    *repo.Tree
	bodies  map[string]string // by path, "" while it waits
	links   map[string]string // link → the page that has it
	waiting []string          // paths to read
}

var linkForms = regexp.MustCompile(` (?:href|src)="([^"]*)"`)

func (c *crawler) visit(t *testing.T, page string) {
	w := get(c.site, page)
	if w.Code == http.StatusMovedPermanently {
		c.follow(&url.URL{Path: w.Header().Get("Location")}, page)
		return
	}
	require.Equal(t, http.StatusOK, w.Code, page)
	body := w.Body.String()
	c.bodies[page] = body
	assert.NotContains(t, body, "<script", page)
	if strings.HasSuffix(page, ".md") {
		assert.Empty(t, unrendered(body), "%s shows Markdown instead of what it means", page)
	}
	here, err := url.Parse(page)
	require.NoError(t, err)
	for _, link := range linkForms.FindAllStringSubmatch(body, -1) {
		target, err := here.Parse(html.UnescapeString(link[1]))
		if assert.NoError(t, err, page) && target.Host == "" && target.Scheme != "mailto" {
			c.follow(target, page)
		}
	}
}

func (c *crawler) follow(target *url.URL, from string) {
	c.links[target.Path+"#"+target.Fragment] = from
	if storyOf(c.tree, target.Path) != "" {
		return // each replay is a page of its own, with a script
	}
	name := strings.Trim(target.Path, "/")
	isFile := c.tree.Has(name) && !c.tree.IsDir(name) && path.Ext(name) != ".md"
	if _, seen := c.bodies[target.Path]; !seen && (!isFile || target.Fragment != "") {
		c.bodies[target.Path] = ""
		c.waiting = append(c.waiting, target.Path)
	}
}

var inCode = regexp.MustCompile(`(?s)<pre.*?</pre>|<code>.*?</code>`)

// unrendered finds marks of Markdown outside code, "" where there are none.
func unrendered(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	return regexp.MustCompile("\\]\\([^)]*\\)|\\*\\*|`|&lt;/?(details|summary|picture|img|source)|<p>\\||(?m)^\\s+- |^(---|~~~)").
		FindString(inCode.ReplaceAllString(body, ""))
}

func TestEveryLinkOfTheRepositoryLeadsSomewhere(t *testing.T) {
	top, err := repo.Root()
	require.NoError(t, err)
	site := newSite(os.DirFS(top), goRun(context.Background(), top))
	c := &crawler{guard(site), repo.Open(os.DirFS(top)), map[string]string{}, map[string]string{}, []string{"/"}}
	for ; len(c.waiting) > 0; c.waiting = c.waiting[1:] {
		c.visit(t, c.waiting[0])
	}
	for link, from := range c.links {
		page, anchor, _ := strings.Cut(link, "#")
		assert.True(t, anchor == "" || strings.Contains(c.bodies[page], ` id="`+html.EscapeString(anchor)+`"`),
			"%s links to %s, which has no such anchor", from, link)
	}
	for _, name := range chapters(c.tree) {
		assert.Contains(t, c.bodies, "/"+name, "every chapter is linked")
	}
	for _, dir := range packages(c.tree, ".") {
		assert.Contains(t, c.bodies, folderPath(dir), "every package is linked")
	}
	for _, machine := range []string{`<svg class="machine"`, ">opening watch</text>", ">ended, busy*</text>"} {
		assert.Contains(t, c.bodies["/docs/2-reflector.md"], machine, "the reflector's machine is a picture")
	}
}
