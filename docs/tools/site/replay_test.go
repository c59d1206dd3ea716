package main

import (
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

func TestAStoryOfTheInformerHasAReplay(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{"informer/testdata/1_first.story": "create web-1\nrun\n",
		"docs/tools/tape/scenes/scene.story": "run\n", "informer/testdata/wrong.story": "<jump>\n",
		"informer/testdata/secret.story": "run\n", "informer/testdata/chaos/3_third.story": "run\n",
		"processor/testdata/4_fourth.story": "run\n", ".gitignore": "secret.story\n"} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	site := newSite(fsys)
	for file, at := range map[string]string{"informer/testdata/1_first.story": "/replay/1_first.html",
		"docs/tools/tape/scenes/scene.story": "/replay/scene.html"} {
		assert.Contains(t, get(site, "/"+file).Body.String(), `<a href="`+at+`">Replay it`)
		w := get(site, at)
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, replayPolicy, w.Header().Get("Content-Security-Policy"), "it is cut off from the site")
		assert.Contains(t, w.Body.String(), `<script id="tape" type="application/gzip">`)
		assert.Contains(t, w.Body.String(), `<a class="chip" href="/`+file+`">the story</a>`)
	}
	w := get(site, "/replay/wrong.html")
	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.Contains(t, w.Body.String(), "wrong.story:1: <jump>: no such command", "a failure says why")

	assert.Equal(t, "/replay/1_first.html#replay,a%20b", moment("../informer/testdata/1_first.story", "a b"))
	assert.Equal(t, "../informer/testdata/1_first.story", moment("../informer/testdata/1_first.story", ""))
	for _, path := range []string{"/replay/", "/replay/1_first.story", "/replay/none.html", "/replay/secret.html",
		"/replay/chaos/3_third.html", "/replay/4_fourth.html", "/replay/../1_first.html",
		"/replay/..%2f..%2finformer%2ftestdata%2f1_first.html", "/replay/1_first.html/"} {
		assert.Equal(t, http.StatusNotFound, get(site, path).Code, path)
	}
}
