package main

import (
	"html"
	"net/http"
	"net/url"
	"os"
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

// A crawler follows every link of the site to its end.
type crawler struct {
	site    http.Handler
	ids     map[string]map[string]bool // path → the anchors of the page; nil while it is unread
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
	if _, known := c.ids[target.Path]; !known {
		c.ids[target.Path] = nil
		c.waiting = append(c.waiting, target.Path)
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
	c := &crawler{site: theSite(t), ids: map[string]map[string]bool{}, links: map[string]string{}}
	c.waiting = []string{"/"}
	for len(c.waiting) > 0 {
		page := c.waiting[0]
		c.waiting = c.waiting[1:]
		w := get(c.site, page)
		if w.Code != http.StatusMovedPermanently {
			c.visit(t, page)
			continue
		}
		c.ids[page] = map[string]bool{}
		c.follow(&url.URL{Path: w.Header().Get("Location")}, page)
	}
	for link, from := range c.links {
		page, anchor, _ := strings.Cut(link, "#")
		assert.True(t, anchor == "" || c.ids[page][anchor], "%s links to %s, which has no such anchor",
			from, link)
	}
	top, err := moduleRoot()
	require.NoError(t, err)
	tree := readTree(os.DirFS(top))
	for _, name := range tree.chapters() {
		assert.Contains(t, c.ids, "/"+name, "every chapter is linked")
	}
	for _, dir := range tree.packages(".") {
		assert.Contains(t, c.ids, folderPath(dir), "every package is linked")
	}
	t.Logf("%d pages, %d links", len(c.ids), len(c.links))
}
