package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests of the page run in a real browser. They cost seconds, and not every machine has one, so
// they run when BROWSER is set: make browser.

// browser is a headless Chromium, driven by the DevTools protocol over a pair of pipes: messages are
// JSON and end with a zero byte. So there is no port that another program could open first.
type browser struct {
	t      *testing.T
	in     io.Writer
	stderr string // the file with what the browser has said
	end    func() // ends the browser

	mu    sync.Mutex
	last  int
	waits map[int]chan answer
	said  map[string][]string // errors that a page has logged or thrown, by session
	tabs  []*tab
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

type message struct {
	ID        int    `json:"id,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	Method    string `json:"method,omitempty"`
	Params    any    `json:"params,omitempty"`
}

// shared is the browser of all tests, once one has needed it. TestMain ends it.
var shared *browser

// newBrowser returns a browser without pages for the time of the test, or skips the test with a
// sentence.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if os.Getenv("BROWSER") == "" {
		t.Skip("This test needs a browser and some seconds: make browser runs it.")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("This test needs Chromium, and there is none on the PATH.")
	}
	if shared == nil {
		shared = startBrowser(t, path)
	}
	b := shared
	b.turnTo(t)
	t.Cleanup(func() {
		if t.Failed() { // the browser itself may be at fault, so the next test gets another one
			b.end()
		}
	})
	return b
}

func startBrowser(t *testing.T, path string) *browser {
	t.Helper()
	toBrowser, in, err := os.Pipe()
	require.NoError(t, err)
	out, fromBrowser, err := os.Pipe()
	require.NoError(t, err)
	profile, err := os.MkdirTemp("", "watchglass-browser")
	require.NoError(t, err)
	cmd := exec.Command(path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox",
		"--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
		// What it would do besides showing pages needs a network, and slows pages behind others.
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-extensions", "--disable-breakpad", "--disable-renderer-backgrounding",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
		"--user-data-dir="+profile, "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile)
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // 3 and 4, as the protocol wants them
	stderr, err := os.Create(filepath.Join(profile, "stderr"))
	require.NoError(t, err)
	cmd.Stderr = stderr
	require.NoError(t, cmd.Start())
	stderr.Close()
	toBrowser.Close()
	fromBrowser.Close()

	b := &browser{t: t, in: in, stderr: stderr.Name(), waits: map[int]chan answer{},
		said: map[string][]string{}}
	var reading sync.WaitGroup
	reading.Go(func() { b.read(out) })
	b.end = func() {
		shared = nil
		in.Close() // the browser ends with its pipe
		kill := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		out.Close()
		reading.Wait()
		_ = os.RemoveAll(profile)
	}
	return b
}

// read gives answers to those that wait for them, and keeps what pages complain about.
func (b *browser) read(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		data, err := r.ReadBytes(0)
		if err != nil {
			break
		}
		var m struct {
			ID        int
			SessionID string
			Method    string
			Params    json.RawMessage
			answer
		}
		if json.Unmarshal(data[:len(data)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if wait, ok := b.waits[m.ID]; ok {
			delete(b.waits, m.ID)
			wait <- m.answer
		} else if m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" {
			b.said[m.SessionID] = append(b.said[m.SessionID], string(m.Params))
		}
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, wait := range b.waits {
		delete(b.waits, id)
		close(wait)
	}
}

// call runs a method of the protocol, in a page or, without one, in the browser.
func (b *browser) call(session, method string, params, result any) {
	b.t.Helper()
	wait := make(chan answer, 1)
	b.mu.Lock()
	b.last++
	data, err := json.Marshal(message{ID: b.last, SessionID: session, Method: method, Params: params})
	b.waits[b.last] = wait
	b.mu.Unlock()
	require.NoError(b.t, err)
	_, err = b.in.Write(append(data, 0))
	require.NoError(b.t, err, "the browser has ended")
	select {
	case a, ok := <-wait:
		if !ok {
			said, _ := os.ReadFile(b.stderr)
			require.FailNow(b.t, "the browser has ended", "during %s; it said: %s", method, said)
		}
		require.Nil(b.t, a.Error, "%s: %+v", method, a.Error)
		if result != nil {
			require.NoError(b.t, json.Unmarshal(a.Result, result))
		}
	case <-time.After(2 * time.Minute):
		require.FailNow(b.t, "the browser does not answer", method)
	}
}

// tab is one page in the browser.
type tab struct {
	*browser
	session string
	target  string
}

func (b *browser) open(url string) *tab {
	b.t.Helper()
	var target struct{ TargetID string }
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("", "Target.attachToTarget",
		map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p := &tab{b, attached.SessionID, target.TargetID}
	b.tabs = append(b.tabs, p)
	for _, domain := range []string{"Runtime", "Log", "Page"} {
		p.call(p.session, domain+".enable", nil, nil)
	}
	p.size(1280, 720)
	p.visit(url)
	return p
}

func (p *tab) visit(url string) {
	p.t.Helper()
	p.call(p.session, "Page.navigate", map[string]any{"url": url}, nil)
}

func (p *tab) size(width, height int) {
	p.t.Helper()
	p.call(p.session, "Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// prefers emulates a setting of the reader's system, such as prefers-color-scheme.
func (p *tab) prefers(feature, value string) {
	p.t.Helper()
	p.call(p.session, "Emulation.setEmulatedMedia", map[string]any{
		"features": []any{map[string]string{"name": feature, "value": value}}}, nil)
}

// eval runs an expression in the page, waits for its promise, and decodes its value into result.
func (p *tab) eval(expression string, result any) {
	p.t.Helper()
	var out struct {
		Result struct {
			Value       json.RawMessage
			Description string
		}
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	p.call(p.session, "Runtime.evaluate", map[string]any{"expression": expression,
		"awaitPromise": true, "returnByValue": true}, &out)
	if e := out.ExceptionDetails; e != nil {
		require.FailNow(p.t, "the page threw", "%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if result != nil && len(out.Result.Value) > 0 {
		require.NoError(p.t, json.Unmarshal(out.Result.Value, result), expression)
	}
}

// until waits until an expression is true. It polls: what the page waits for comes over sockets.
func (p *tab) until(expression string) {
	p.t.Helper()
	deadline := time.Now().Add(40 * time.Second)
	for {
		var ok bool
		p.eval(fmt.Sprintf("document.readyState === 'complete' && !!(%s)", expression), &ok)
		if ok {
			return
		}
		if time.Now().After(deadline) {
			p.shot("until-failed")
			var body string
			p.eval(`JSON.stringify(document.body.dataset) + document.querySelector('#mode')?.innerText +
				document.querySelector('#caption')?.innerText.slice(0, 300)`, &body)
			require.FailNow(p.t, "the page never came to this", "%s\nit shows: %s", expression, body)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// key presses a key as a hand does.
func (p *tab) key(key, code string, shift bool) {
	p.t.Helper()
	modifiers := 0
	if shift {
		modifiers = 8
	}
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.call(p.session, "Input.dispatchKeyEvent", map[string]any{
			"type": kind, "key": key, "code": code, "modifiers": modifiers}, nil)
	}
}

// shot writes a screenshot to the folder SHOTS, if that is set.
func (p *tab) shot(name string) {
	p.t.Helper()
	folder := os.Getenv("SHOTS")
	if folder == "" {
		return
	}
	var image struct{ Data string }
	p.call(p.session, "Page.captureScreenshot", map[string]any{"format": "png"}, &image)
	data, err := base64.StdEncoding.DecodeString(image.Data)
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(filepath.Join(folder, name+".png"), data, 0o644))
}

// quiet fails the test if a page that is open has logged or thrown an error.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.tabs {
		require.Empty(b.t, b.said[p.session], "a page has complained")
	}
}

func (p *tab) close() {
	p.tabs = slices.DeleteFunc(p.tabs, func(other *tab) bool { return other == p })
	p.call("", "Target.closeTarget", map[string]any{"targetId": p.target}, nil)
}
