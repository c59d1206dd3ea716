package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/tape"
)

// stories makes a repository with stories in several places, and a site that makes replays by play.
func stories(play player) (fstest.MapFS, http.Handler) {
	fsys := fstest.MapFS{}
	for _, name := range []string{"informer/testdata/1_first.story", "informer/testdata/2_second.story",
		"informer/testdata/story.template", "informer/testdata/secret.story",
		"informer/testdata/chaos/3_third.story", "processor/testdata/4_fourth.story"} {
		fsys[name] = &fstest.MapFile{Data: []byte("run\n")}
	}
	fsys[".gitignore"] = &fstest.MapFile{Data: []byte("secret.story\n")}
	return fsys, guard(newSite(fsys, play))
}

func TestAReplayIsMadeOfEveryStoryOfTheInformer(t *testing.T) {
	made, fails := 0, true
	fsys, site := stories(func(s tape.Story) ([]byte, error) {
		if fails {
			return nil, errors.New("no such command: <jump>")
		}
		made++
		return fmt.Appendf(nil, `%s %d <span id="story"></span>`, s.Text[:3], made), nil
	})
	replay := func(name string) (code int, policy, text string) {
		w := get(site, "/replay/"+name+".html")
		return w.Code, w.Header().Get("Content-Security-Policy"), w.Body.String()
	}
	assert.Contains(t, get(site, "/informer/testdata/1_first.story").Body.String(),
		`<a href="/replay/1_first.html">Replay it`, "a story links to its replay")

	code, itsPolicy, text := replay("1_first")
	assert.Equal(t, http.StatusInternalServerError, code)
	assert.Equal(t, policy, itsPolicy)
	assert.Contains(t, text, "no such command: &lt;jump&gt;", "a failure says why")

	fails = false
	const first = `<span id="story"></span><a class="chip" href="/informer/testdata/1_first.story">the story</a>`
	code, itsPolicy, text = replay("1_first")
	assert.Equal(t, http.StatusOK, code, "a failure is not kept")
	assert.Equal(t, replayPolicy, itsPolicy)
	assert.Contains(t, replayPolicy, "sandbox allow-scripts;", "it is cut off from the site")
	assert.Equal(t, "run 1 "+first, text, "it leads back")
	fsys["informer/testdata/1_first.story"] = &fstest.MapFile{Data: []byte("stop\n")}
	_, _, text = replay("1_first")
	assert.Contains(t, text, "sto 2 ", "it is made again after an edit")
}

func TestNothingElseIsReplayed(t *testing.T) {
	_, site := stories(func(s tape.Story) ([]byte, error) {
		assert.Fail(t, "a replay is made of "+s.Name)
		return nil, nil
	})
	for _, path := range []string{"/replay/", "/replay/1_first.story", "/replay/none.html", "/replay/secret.html",
		"/replay/chaos/3_third.html", "/replay/4_fourth.html", "/replay/story.template.html",
		"/replay/../1_first.html", "/replay/..%2f..%2finformer%2ftestdata%2f1_first.html",
		"/replay/-export.html", "/replay/1_first.html/"} {
		w := get(site, path)
		assert.Equal(t, http.StatusNotFound, w.Code, path)
		assert.Equal(t, policy, w.Header().Get("Content-Security-Policy"), path)
	}
	for _, file := range []string{"/processor/testdata/4_fourth.story", "/informer/testdata/story.template"} {
		assert.NotContains(t, get(site, file).Body.String(), `href="/replay/`, file)
	}
	r := httptest.NewRequest(http.MethodGet, "http://localhost/replay/1_first.html", nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	assert.Equal(t, http.StatusForbidden, w.Code, "another site has replays made")
}

// One replay is really made.
func TestAReplayHoldsTheTape(t *testing.T) {
	page, err := with(nil)(tape.Story{Name: "x.story", Text: "create web-1\nrun\n"})
	require.NoError(t, err)
	assert.Contains(t, string(page), `<script id="tape" type="application/gzip">`)
}
