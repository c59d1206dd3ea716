package main

import (
	"html"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// The stories that a tape can be made of have a replay, on the page of docs/run/live: one HTML file
// with a script of its own. It is made when it is asked for, which takes some milliseconds.

// storyFolders are where these stories are. No two of them have one name.
var storyFolders = []string{"informer/testdata", "docs/tools/tape/scenes"}

// replayPath returns the path of the replay of a story, "" if the file is no such story.
func replayPath(file string) string {
	name, isStory := strings.CutSuffix(path.Base(file), ".story")
	if !isStory || !slices.Contains(storyFolders, path.Dir(file)) {
		return ""
	}
	return "/replay/" + name + ".html"
}

// storyOf returns the file of the story whose replay is served at a path, "" if there is none.
func storyOf(t *repo.Tree, at string) string {
	name := strings.TrimSuffix(path.Base(at), ".html")
	for _, folder := range storyFolders {
		if file := folder + "/" + name + ".story"; replayPath(file) == at && t.Has(file) {
			return file
		}
	}
	return ""
}

// replayPolicy allows a replay the script and style that are in it. It is cut off from everything
// else, this site included.
const replayPolicy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; " +
	"style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// replay answers with the replay of a story, which links back to the story.
func (s *site) replay(w http.ResponseWriter, t *repo.Tree, file string) {
	story := tape.Story{Name: path.Base(file), Text: t.Read(file)}
	played, err := tape.Record(story, tape.NewSource(s.fsys))
	var page []byte
	if err == nil {
		page, err = static.Page(played)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	const header = `<span id="story"></span>`
	w.Header().Set("Content-Security-Policy", replayPolicy)
	send(w, "text/html; charset=utf-8", strings.Replace(string(page), header,
		header+`<a class="chip" href="/`+html.EscapeString(file)+`">the story</a>`, 1))
}

// replayLink leads from the page of a story to its replay. It is "" for other files.
func replayLink(file string) string {
	at := replayPath(file)
	if at == "" {
		return ""
	}
	return `<p class="replay"><a href="` + html.EscapeString(at) + `">Replay it on the live ` +
		"page</a>: one HTML file, which works without a server.</p>\n"
}

// moment returns where a link of a chapter to a story leads, if its title has words of an event: to that
// event of the replay.
func moment(target, words string) string {
	at := replayPath(strings.TrimPrefix(path.Join("/docs", target), "/"))
	if at == "" || words == "" {
		return target
	}
	return at + "#replay," + url.PathEscape(words)
}
