package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/tape"
)

// tab is a page in a headless Chromium of its own, driven by the DevTools protocol over a pair of pipes:
// messages are JSON and end with a zero byte. So there is no port that another program could open.
type tab struct {
	t       *testing.T
	in      io.Writer
	out     *os.File
	read    *bufio.Reader // of out
	session string
	last    int      // the number of the last call
	said    []string // what the page has complained of
}

// open opens a page in a new browser. In it, stage is the page's.
func open(t *testing.T, url string) *tab {
	t.Helper()
	toBrowser, in, err := os.Pipe()
	require.NoError(t, err)
	out, fromBrowser, err := os.Pipe()
	require.NoError(t, err)
	profile := t.TempDir()
	cmd := exec.Command("chromium", strings.Fields("--headless=new --remote-debugging-pipe --no-sandbox "+
		"--disable-gpu --hide-scrollbars --no-first-run --disable-dev-shm-usage --disable-extensions "+
		"--disable-background-networking --disable-component-update --user-data-dir="+profile+" about:blank")...)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // 3 and 4, as the protocol wants them
	require.NoError(t, cmd.Start())
	toBrowser.Close()
	fromBrowser.Close()
	t.Cleanup(func() {
		in.Close() // the browser ends with its pipe, or else after a while
		defer time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
		_ = cmd.Wait()
	})
	p := &tab{t: t, in: in, out: out, read: bufio.NewReader(out)}
	var made struct{ TargetID, SessionID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	p.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	p.session = made.SessionID
	p.call("Runtime.enable", nil, nil)
	p.call("Log.enable", nil, nil)
	p.call("Page.enable", nil, nil)
	p.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "Object.defineProperty(globalThis, 'stage', { get: () => page.stage, configurable: true })"}, nil)
	p.size(1280, 800)
	p.call("Page.navigate", map[string]any{"url": url}, nil)
	return p
}

// call runs a method of the protocol, in the page once there is one. What the page says meanwhile is kept.
func (p *tab) call(method string, params map[string]any, result any) {
	p.t.Helper()
	p.last++
	message := map[string]any{"id": p.last, "method": method, "params": params}
	if p.session != "" {
		message["sessionId"] = p.session
	}
	order, _ := json.Marshal(message)   // texts and numbers
	_, _ = p.in.Write(append(order, 0)) // a browser that has ended does not answer
	require.NoError(p.t, p.out.SetReadDeadline(time.Now().Add(2*time.Minute)))
	var m struct {
		ID             int
		Method         string
		Params, Result json.RawMessage
		Error          *struct{ Message string }
	}
	for m.ID != p.last {
		data, err := p.read.ReadBytes(0)
		require.NoError(p.t, err, "the browser does not answer %s", method)
		m.Method = ""
		require.NoError(p.t, json.Unmarshal(data[:len(data)-1], &m))
		isTold := strings.Contains(string(m.Params), "410 (Gone)") || strings.Contains(string(m.Params), "400 (Bad") // by the page
		if m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" && !isTold {
			p.said = append(p.said, string(m.Params))
		}
	}
	require.Nil(p.t, m.Error, "%s: %+v", method, m.Error)
	if result != nil {
		require.NoError(p.t, json.Unmarshal(m.Result, result))
	}
}

func (p *tab) size(width, height int) {
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// eval runs an expression in the page, waits for its promise, and decodes its value into result.
func (p *tab) eval(expression string, result any) {
	p.t.Helper()
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	p.call("Runtime.evaluate", map[string]any{"expression": expression,
		"awaitPromise": true, "returnByValue": true}, &out)
	require.Empty(p.t, p.said, "the page has complained")
	require.Nil(p.t, out.ExceptionDetails, "the page threw: %+v\n%s", out.ExceptionDetails, expression)
	if result != nil && len(out.Result.Value) > 0 {
		require.NoError(p.t, json.Unmarshal(out.Result.Value, result), expression)
	}
}

// none fails the test if the page finds something: a list of sentences.
func (p *tab) none(finds, what string) {
	p.t.Helper()
	var found []string
	p.eval(finds, &found)
	require.Empty(p.t, found, what)
}

// until waits until an expression is true. It polls: what the page waits for comes over sockets.
func (p *tab) until(expression string) {
	p.t.Helper()
	ok, shows := false, ""
	for deadline := time.Now().Add(30 * time.Second); !ok && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		p.eval(fmt.Sprintf("document.readyState === 'complete' && !!(%s)", expression), &ok)
	}
	if !ok {
		p.shot("until-failed")
		p.eval(`document.body.innerText.slice(0, 500)`, &shows)
		require.FailNow(p.t, "the page never came to this", "%s\nit shows: %s", expression, shows)
	}
}

// key presses a key as a hand does, and waits until something is true of the page.
func (p *tab) key(key, code string, shift bool, then string) {
	p.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": code, "modifiers": map[bool]int{true: 8}[shift]}, nil)
	}
	p.until(then)
}

// click moves the mouse onto an element and presses: an element that is covered is not hit. While it
// is down, meanwhile is done. Then click waits until something is true of the page.
func (p *tab) click(selector, then string, meanwhile ...func()) {
	p.t.Helper()
	p.until(fmt.Sprintf(`(() => { const el = document.querySelector(%q), r = el?.getBoundingClientRect()
		globalThis.middle = r && { x: r.x + r.width / 2, y: r.y + r.height / 2 }
		return r && !el.disabled && el.contains(document.elementFromPoint(middle.x, middle.y)) })()`, selector))
	mouse := map[string]any{"button": "left", "clickCount": 1, "type": "mousePressed"}
	p.eval("middle", &mouse)
	p.call("Input.dispatchMouseEvent", mouse, nil)
	for _, f := range meanwhile {
		f()
	}
	mouse["type"] = "mouseReleased"
	p.call("Input.dispatchMouseEvent", mouse, nil)
	p.until(then)
}

// press clicks the button of the machine with this label, and waits until something is true.
func (p *tab) press(label, then string) {
	p.t.Helper()
	p.click(fmt.Sprintf("[data-label=%q]", label), then)
}

// shot writes a screenshot to the folder SHOTS, if that is set.
func (p *tab) shot(name string) {
	if folder := os.Getenv("SHOTS"); folder != "" {
		var image struct{ Data []byte }
		p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &image)
		require.NoError(p.t, os.WriteFile(filepath.Join(folder, name+".png"), image.Data, 0o600))
	}
}

// A liveServer is the program without its flags: the real machine behind the real page.
type liveServer struct {
	machine *tape.Machine
	page    *page
	url     string
}

// newLive starts the program, with or without lessons, or skips a test where there is no browser.
func newLive(t *testing.T, lessons bool) *liveServer {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil || os.Getenv("BROWSER") == "" {
		t.Skip("This test needs Chromium and some seconds: make browser runs it.")
	}
	t.Parallel()
	m, err := tape.New(tape.Options{Source: source})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	require.NoError(t, m.Open())
	p := &page{run: "first", machine: m, module: source}
	if lessons {
		p.scenes, err = options{}.scenes(source)
		require.NoError(t, err)
	}
	server := httptest.NewServer(p.handler())
	t.Cleanup(server.Close)
	return &liveServer{m, p, server.URL + "/"}
}

// newPage opens the page on a machine of its own, at rest behind its first list. The page follows it.
func newPage(t *testing.T) (*liveServer, *tab) {
	t.Helper()
	s := newLive(t, false)
	p := open(t, s.url)
	p.until("page.machine?.link === 'watching' && stage.tape.log.has(page.machine.listed - 1) && " + rest(3))
	p.key("l", "KeyL", false, "stage.follow")
	return s, p
}

// rest holds when every handler has returned from so many calls, and all goroutines are at rest.
func rest(told int) string {
	return fmt.Sprintf(`(s => s?.cache.synced && s.reflector.state === 'watching'
		&& s.reflector.version === String(s.server.rv) && s.listeners.every(l => l.synced)
		&& s.handlers.every(h => h.told === %d && !h.busy))(stage?.state)`, told)
}

// update changes web-1 as another page would, so many times.
func (s *liveServer) update(times int) {
	for range times {
		_ = s.machine.Do(tape.Order{Do: "update", Key: "default/web-1"}) // the page shows whether it worked
	}
}
