package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/browser"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// live is the machine's page with its program, which is built once, as files of a folder.
var live struct {
	sync.Once
	folder fstest.MapFS
}

// pages hands the page out as any web server does. At /tape it has the tape of a story, too.
func pages(t *testing.T) http.Handler {
	live.Do(func() {
		top, err := repo.Root()
		require.NoError(t, err)
		files, err := static.Machine(top, nil, tape.NewRecorder(t, source))
		require.NoError(t, err)
		live.folder = fstest.MapFS{}
		for name, data := range files {
			live.folder[name] = &fstest.MapFile{Data: data}
		}
	})
	require.NotNil(t, live.folder, "the program could not be built for the first test")
	recorder := tape.NewRecorder(t, source)
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(live.folder))
	mux.HandleFunc("GET /tape", func(w http.ResponseWriter, r *http.Request) {
		played, err := recorder.Play("informer/testdata/" + r.FormValue("story"))
		if err != nil {
			panic(err)
		}
		_ = json.NewEncoder(w).Encode(played)
	})
	return mux
}

// tab is a browser with the page.
type tab struct{ *browser.Tab }

// open opens the page, at what an address says. In it, stage is the page's.
func open(t *testing.T, address string) tab {
	t.Helper()
	browser.Wanted(t)
	t.Parallel()
	server := httptest.NewServer(pages(t))
	t.Cleanup(server.Close)
	const stage = "Object.defineProperty(globalThis, 'stage', " +
		"{ get: () => page.stage, configurable: true })"
	return tab{browser.Open(t, server.URL+"/"+address, stage)}
}

// newPage opens the page on a machine of its own, at rest behind its first list. The page follows
// it.
func newPage(t *testing.T) tab {
	t.Helper()
	p := open(t, "#own")
	p.Until(
		"page.machine?.link === 'watching' && stage.tape.log.has(page.machine.listed - 1) && " + rest(3),
	)
	p.Key("l", "KeyL", false, "stage.follow")
	return p
}

// press clicks the button of the machine with this label, and waits until something is true.
func (p tab) press(label, then string) {
	p.Click(fmt.Sprintf("[data-label=%q]", label), then)
}

// rest holds when every handler has returned from so many calls, and all goroutines are at rest.
func rest(told int) string {
	return fmt.Sprintf(`(s => s?.cache.synced && s.reflector.state === 'watching'
		&& s.reflector.version === String(s.server.rv) && s.listeners.every(l => l.synced)
		&& s.handlers.every(h => h.told === %d && !h.busy))(stage?.state)`, told)
}

// update changes web-1 as another page would, so many times.
func (p tab) update(times int) {
	p.Eval(
		fmt.Sprintf(
			`(async () => { for (let n = %d; n--;) await page.program.ask('do', { method: 'POST', body: '{"do": "update", "key": "default/web-1"}' }) })()`,
			times,
		),
		nil,
	)
}
