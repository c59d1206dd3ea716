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

	"example.com/watchglass/docs/tools/book/wasm"
	"example.com/watchglass/docs/tools/browser"
	"example.com/watchglass/docs/tools/repo"
)

// live is the machine's page with its program, as any web server hands it out. At /tape it has the tape of
// a story, too.
var live = sync.OnceValues(func() (http.Handler, error) {
	top, err := repo.Root()
	if err != nil {
		return nil, err
	}
	files, err := wasm.Machine(top, nil)
	if err != nil {
		return nil, err
	}
	folder := fstest.MapFS{}
	for name, data := range files {
		folder[name] = &fstest.MapFile{Data: data}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(folder))
	mux.HandleFunc("GET /tape", func(w http.ResponseWriter, r *http.Request) {
		t, err := source.Play("informer/testdata/" + r.FormValue("story"))
		if err != nil {
			panic(err)
		}
		_ = json.NewEncoder(w).Encode(t)
	})
	return mux, nil
})

// tab is a browser with the page.
type tab struct{ *browser.Tab }

// open opens the page, at what an address says. In it, stage is the page's.
func open(t *testing.T, address string) tab {
	t.Helper()
	browser.Wanted(t)
	t.Parallel()
	handler, err := live()
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return tab{browser.Open(t, server.URL+"/"+address, "Object.defineProperty(globalThis, 'stage', { get: () => page.stage, configurable: true })")}
}

// newPage opens the page on a machine of its own, at rest behind its first list. The page follows it.
func newPage(t *testing.T) tab {
	t.Helper()
	p := open(t, "#own")
	p.Until("page.machine?.link === 'watching' && stage.tape.log.has(page.machine.listed - 1) && " + rest(3))
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
	p.Eval(fmt.Sprintf(`(async () => { for (let n = %d; n--;) await page.program.ask('do', { method: 'POST', body: '{"do": "update", "key": "default/web-1"}' }) })()`, times), nil)
}
