package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// The stories of the informer can be replayed on the page of docs/run/live. Such a replay is one
// HTML file with a script of its own. It is made when it is first asked for.

// storyFolder is where the stories are that can be replayed.
const storyFolder = "informer/testdata"

// replayPath returns the path of the replay of a story, "" if the file is no such story.
func replayPath(file string) string {
	name, isStory := strings.CutSuffix(path.Base(file), ".story")
	if !isStory || path.Dir(file) != storyFolder {
		return ""
	}
	return "/replay/" + name + ".html"
}

// storyOf returns the file of the story whose replay is served at a path, "" if there is none.
func storyOf(t *repo.Tree, at string) string {
	name := strings.TrimSuffix(path.Base(at), ".html")
	if file := storyFolder + "/" + name + ".story"; replayPath(file) == at && t.Has(file) {
		return file
	}
	return ""
}

// An exporter makes the replay of a story, whose file it is given from the top of the module.
type exporter func(story string) ([]byte, error)

// goRun returns the exporter of the module in a folder. Its programs end with ctx.
func goRun(ctx context.Context, module string) exporter {
	return func(story string) ([]byte, error) {
		dir, err := os.MkdirTemp("", "replay")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		out := filepath.Join(dir, "replay.html")
		cmd := exec.CommandContext(ctx, "go", "run", "./docs/run/live", "-story", story, "-export", out)
		cmd.Dir = module
		if said, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go run ./docs/run/live -story %s -export …: %w: %.500s", story, err,
				bytes.TrimSpace(said))
		}
		return os.ReadFile(out)
	}
}

// replays makes replays one at a time, because each has the compiler run, and keeps them.
type replays struct {
	export exporter
	turn   chan struct{}     // has room for one: the request that reads and writes made
	made   map[string]replay // by file
}

// A replay is what was made of a text.
type replay struct{ text, html string }

// get returns the replay of a story, which is made if its text has changed or there is none yet. A
// failure is not kept.
func (r *replays) get(file, text string) (string, error) {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	if known, ok := r.made[file]; ok && known.text == text {
		return known.html, nil
	}
	made, err := r.export(file)
	if err == nil {
		r.made[file] = replay{text, string(made)}
	}
	return string(made), err
}

// replayPolicy allows a replay the script and style that are in it. It is cut off from everything
// else, this site included.
const replayPolicy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; " +
	"style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// replay answers with the replay of a story. A web page elsewhere could have one made over and
// over, without being able to read it, so requests from there are refused.
func (s *site) replay(w http.ResponseWriter, r *http.Request, t *repo.Tree, file string) {
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		http.Error(w, "a replay is not made for another site", http.StatusForbidden)
		return
	}
	page, err := s.replays.get(file, t.Read(file))
	if err != nil {
		v := failure("The replay could not be made", err.Error())
		v.Trail = trail(file)
		s.show(w, v, "", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", replayPolicy)
	send(w, "text/html; charset=utf-8", withWays(t, file, page))
}

// withWays adds links to the header of a replay: back to its story, and on to the next replay.
func withWays(t *repo.Tree, file, page string) string {
	const header = `<span id="story"></span>`
	ways := `<a class="chip" href="/` + html.EscapeString(file) + `">the story</a>`
	for _, name := range t.List(storyFolder) {
		if next := storyFolder + "/" + name; next > file && replayPath(next) != "" {
			ways += ` <a class="chip" href="` + html.EscapeString(replayPath(next)) + `">next ▶</a>`
			break
		}
	}
	return strings.Replace(page, header, header+ways, 1)
}

// replayLink leads from the page of a story to its replay. It is "" for other files.
func replayLink(file string) string {
	at := replayPath(file)
	if at == "" {
		return ""
	}
	return `<p class="replay"><a href="` + html.EscapeString(at) + `">Replay it on the live ` +
		"page</a>: one HTML file, which works without a server. (It takes some seconds to make, the " +
		"first time.)</p>\n"
}
