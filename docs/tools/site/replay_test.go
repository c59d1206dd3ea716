package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
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
	made := []string{}
	fsys, site := stories(func(story string) ([]byte, error) {
		made = append(made, story)
		return fmt.Appendf(nil, "<script>draw(%d)</script>", len(made)), nil
	})
	page := get(site, "/informer/testdata/1_first.story").Body.String()
	assert.Contains(t, page, `<a href="/replay/1_first.html">Replay it`, "a story links to its replay")
	w := get(site, "/replay/1_first.html")
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	assert.Equal(t, "<script>draw(1)</script>", w.Body.String())
	assert.Equal(t, replayPolicy, w.Header().Get("Content-Security-Policy"))
	assert.Contains(t, replayPolicy, "sandbox allow-scripts;", "it is cut off from the site")
	assert.Equal(t, "<script>draw(1)</script>", get(site, "/replay/1_first.html").Body.String(),
		"it is kept")
	fsys["informer/testdata/1_first.story"] = &fstest.MapFile{Data: []byte("stop\n")}
	assert.Equal(t, "<script>draw(2)</script>", get(site, "/replay/1_first.html").Body.String(),
		"it is made again after an edit")
	assert.Equal(t, []string{"informer/testdata/1_first.story", "informer/testdata/1_first.story"}, made)
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

func TestAReplayLeadsBackToItsStoryAndOnToTheNext(t *testing.T) {
	_, site := stories(func(string) ([]byte, error) {
		return []byte(`<header><span id="story"></span></header>`), nil
	})
	page := get(site, "/replay/1_first.html").Body.String()
	assert.Contains(t, page, `href="/informer/testdata/1_first.story"`)
	assert.Contains(t, page, `href="/replay/2_second.html"`)
	assert.NotContains(t, get(site, "/replay/2_second.html").Body.String(), "next")
}

func TestAReplayThatFailsSaysWhy(t *testing.T) {
	fails := true
	_, site := stories(func(string) ([]byte, error) {
		if fails {
			return nil, errors.New("no such command: <jump>")
		}
		return []byte("made"), nil
	})
	w := get(site, "/replay/1_first.html")
	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.Contains(t, w.Body.String(), "no such command: &lt;jump&gt;")
	assert.Equal(t, policy, w.Header().Get("Content-Security-Policy"))
	fails = false
	assert.Equal(t, "made", get(site, "/replay/1_first.html").Body.String(), "a failure is not kept")
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
		ask := func(ctx context.Context, name string, code int) {
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/replay/"+name, nil)
			w := httptest.NewRecorder()
			site.ServeHTTP(w, r)
			assert.Equal(t, code, w.Code, name)
		}
		start := time.Now()
		var readers sync.WaitGroup
		for range 10 {
			readers.Go(func() { ask(t.Context(), "1_first.html", http.StatusOK) })
			readers.Go(func() { ask(t.Context(), "2_second.html", http.StatusOK) })
		}
		synctest.Wait()
		left, leave := context.WithCancel(t.Context())
		leave()
		ask(left, "2_second.html", http.StatusInternalServerError)
		assert.Zero(t, time.Since(start), "a reader that has left does not wait")
		readers.Wait()
		assert.Equal(t, 2, made, "each replay is made once, whoever asks for it")
	})
}
