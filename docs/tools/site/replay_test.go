package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/repo"
)

// stories makes a repository with stories in several places, and a site that makes replays by export.
func stories(export exporter) (fstest.MapFS, http.Handler) {
	fsys := fstest.MapFS{}
	for _, name := range []string{"informer/testdata/1_first.story", "informer/testdata/2_second.story",
		"informer/testdata/story.template", "informer/testdata/secret.story",
		"informer/testdata/chaos/3_third.story", "processor/testdata/4_fourth.story"} {
		fsys[name] = &fstest.MapFile{Data: []byte("run\n")}
	}
	fsys[".gitignore"] = &fstest.MapFile{Data: []byte("secret.story\n")}
	return fsys, guard(newSite(fsys, export))
}

func TestAReplayIsMadeOfEveryStoryOfTheInformer(t *testing.T) {
	made, fails := 0, true
	fsys, site := stories(func(story string) ([]byte, error) {
		if fails {
			return nil, errors.New("no such command: <jump>")
		}
		made++
		return fmt.Appendf(nil, `%s %d <span id="story"></span>`, story, made), nil
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
	const first = `<span id="story"></span><a class="chip" href="/informer/testdata/1_first.story">the story</a> ` +
		`<a class="chip" href="/replay/2_second.html">next ▶</a>`
	code, itsPolicy, text = replay("1_first")
	assert.Equal(t, http.StatusOK, code, "a failure is not kept")
	assert.Equal(t, replayPolicy, itsPolicy)
	assert.Contains(t, replayPolicy, "sandbox allow-scripts;", "it is cut off from the site")
	assert.Equal(t, "informer/testdata/1_first.story 1 "+first, text, "it leads back, and on to the next")
	_, _, text = replay("1_first")
	assert.Contains(t, text, "1_first.story 1 ", "it is kept")
	fsys["informer/testdata/1_first.story"] = &fstest.MapFile{Data: []byte("stop\n")}
	_, _, text = replay("1_first")
	assert.Contains(t, text, "1_first.story 2 ", "it is made again after an edit")
	_, _, text = replay("2_second")
	assert.NotContains(t, text, "next", "the last one")
}

func TestNothingElseIsReplayed(t *testing.T) {
	_, site := stories(func(story string) ([]byte, error) {
		assert.Fail(t, "a replay is made of "+story)
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

func TestReplaysAreMadeOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		making, made := 0, 0
		_, site := stories(func(story string) ([]byte, error) {
			making++
			assert.Equal(t, 1, making, "two compilers run at the same time")
			time.Sleep(time.Second)
			making--
			made++
			return []byte(story), nil
		})
		var readers sync.WaitGroup
		for range 10 {
			for _, name := range []string{"1_first.html", "2_second.html"} {
				readers.Go(func() { assert.Equal(t, http.StatusOK, get(site, "/replay/"+name).Code) })
			}
		}
		readers.Wait()
		assert.Equal(t, 2, made, "each replay is made once, however many readers ask for it")
	})
}

// One replay is really made, by the program of docs/run/live. The compiler makes that program
// without the race detector, so under it everything would be compiled a second time; make check
// makes one.
func TestAReplayHoldsTheRecording(t *testing.T) {
	if info, _ := debug.ReadBuildInfo(); strings.Contains(fmt.Sprint(info.Settings), "-race") {
		t.Skip("make check makes a replay")
	}
	top, err := repo.Root()
	require.NoError(t, err)
	page, err := goRun(t.Context(), top)("informer/testdata/07_compaction_relists_and_finds_the_deletion.story")
	require.NoError(t, err)
	assert.Contains(t, string(page), `<script id="tape" type="application/gzip">`)
}
