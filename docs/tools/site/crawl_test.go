package main

import (
	"html"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// attributes returns the values of an attribute in a page of HTML.
func attributes(body, name string) (values []string) {
	for {
		_, rest, found := strings.Cut(body, " "+name+`="`)
		if !found {
			return values
		}
		value, after, _ := strings.Cut(rest, `"`)
		values, body = append(values, html.UnescapeString(value)), after
	}
}

// A crawler follows every link of the site to its end. Of the files that are no Markdown, it reads
// only those in which a link has an anchor: there are hundreds, all made in the same way.
type crawler struct {
	site    http.Handler
	tree    *tree
	seen    map[string]bool            // paths that were linked
	ids     map[string]map[string]bool // path → the anchors of a page that was read
	links   map[string]string          // link → the page that has it
	waiting []string                   // pages to read
}

func (c *crawler) visit(t *testing.T, page string) {
	w := get(c.site, page)
	require.Equal(t, http.StatusOK, w.Code, page)
	body := w.Body.String()
	assert.NotContains(t, body, "<script", page)
	c.ids[page] = map[string]bool{}
	for _, id := range attributes(body, "id") {
		c.ids[page][id] = true
	}
	if strings.HasSuffix(page, ".md") {
		assert.Empty(t, unrendered(body), "%s shows Markdown instead of what it means", page)
	}
	here, err := url.Parse(page)
	require.NoError(t, err)
	for _, link := range slices.Concat(attributes(body, "href"), attributes(body, "src")) {
		target, err := here.Parse(link)
		if !assert.NoError(t, err, page) || target.Host != "" || target.Scheme == "mailto" {
			continue
		}
		c.follow(target, page)
	}
}

func (c *crawler) follow(target *url.URL, from string) {
	c.links[target.Path+"#"+target.Fragment] = from
	name := strings.Trim(target.Path, "/")
	isFile := c.tree.has(name) && !c.tree.isDir(name) && path.Ext(name) != ".md"
	if c.tree.storyOf(target.Path) != "" {
		return // replay_test.go makes one of them: each is a page of its own, with a script
	}
	if page := target.Path; !c.seen[page] && (!isFile || target.Fragment != "") {
		c.seen[page] = true
		c.waiting = append(c.waiting, page)
	}
}

var inCode = regexp.MustCompile(`(?s)<pre.*?</pre>|<code>.*?</code>`)

// unrendered finds marks of Markdown outside code, "" where there are none.
func unrendered(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	return regexp.MustCompile("\\]\\([^)]*\\)|\\*\\*|`|&lt;/?(details|summary|picture|img|source)|<p>\\|").
		FindString(inCode.ReplaceAllString(body, ""))
}

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	site, tree := theSite(t)
	c := &crawler{site: site, tree: tree, seen: map[string]bool{"/": true},
		ids: map[string]map[string]bool{}, links: map[string]string{}, waiting: []string{"/"}}
	for len(c.waiting) > 0 {
		page := c.waiting[0]
		c.waiting = c.waiting[1:]
		if w := get(site, page); w.Code == http.StatusMovedPermanently {
			c.follow(&url.URL{Path: w.Header().Get("Location")}, page)
			continue
		}
		c.visit(t, page)
	}
	for link, from := range c.links {
		page, anchor, _ := strings.Cut(link, "#")
		assert.True(t, anchor == "" || c.ids[page][anchor], "%s links to %s, which has no such anchor",
			from, link)
	}
	for _, name := range tree.chapters() {
		assert.Contains(t, c.ids, "/"+name, "every chapter is linked")
	}
	for _, dir := range tree.packages(".") {
		assert.Contains(t, c.ids, folderPath(dir), "every package is linked")
	}
	t.Logf("%d links, %d pages read", len(c.links), len(c.ids))
}

func TestEveryKindOfFileIsShown(t *testing.T) {
	site, _ := theSite(t)
	for path, want := range map[string]string{
		"/Makefile":                          ".DEFAULT_GOAL",
		"/LICENSE":                           "Apache License",
		"/informer/example_test.go":          `<span class="keyword">package</span> informer_test`,
		"/docs/tools/site/site.css":          "color-scheme: light dark",
		"/docs/tools/site/page.html":         "&lt;!DOCTYPE html&gt;",
		"/docs/tools/story/testdata/bubble/": "time_moves_only_when_the_story_waits.story",
	} {
		w := get(site, path)
		assert.Equal(t, http.StatusOK, w.Code, path)
		assert.Contains(t, w.Body.String(), want, path)
	}
}
