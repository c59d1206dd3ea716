// Package browser drives pages in a headless Chromium, for tests.
package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Tab is a page in a headless Chromium of its own, driven by the DevTools protocol over a pair of
// pipes: messages are JSON and end with a zero byte. So there is no port that another program could
// open.
type Tab struct {
	t       *testing.T
	in      io.Writer
	out     *os.File
	read    *bufio.Reader // of out
	session string
	last    int      // the number of the last call
	said    []string // what the page has complained of
}

// Open opens a page in a new browser, in which a script runs before those of the page. It skips the
// test where there is no browser, or BROWSER is not set. The test runs beside others of its kind.
func Open(t *testing.T, url, script string) *Tab {
	t.Helper()
	Wanted(t)
	toBrowser, in, err := os.Pipe()
	out, fromBrowser, err2 := os.Pipe()
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	profile := t.TempDir()
	cmd := exec.Command("chromium",
		strings.Fields("--headless=new --remote-debugging-pipe --no-sandbox "+
			"--disable-gpu --hide-scrollbars --no-first-run --disable-dev-shm-usage --disable-extensions "+
			"--disable-background-networking --disable-component-update --user-data-dir="+profile+
			" about:blank")...)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // 3 and 4, as the protocol wants them
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	t.Cleanup(func() {
		in.Close() // the browser ends with its pipe, or else after a while
		defer time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
		_ = cmd.Wait()
	})
	p := &Tab{t: t, in: in, out: out, read: bufio.NewReader(out)}
	var made struct{ TargetID, SessionID string }
	p.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	p.Call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	p.session = made.SessionID
	p.Call("Runtime.enable", nil, nil)
	p.Call("Log.enable", nil, nil)
	p.Call("Page.enable", nil, nil)
	p.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": script}, nil)
	p.Size(1280, 800)
	p.Call("Page.navigate", map[string]any{"url": url}, nil)
	return p
}

// Call runs a method of the protocol, in the page once there is one. What the page says meanwhile
// is kept.
func (p *Tab) Call(method string, params map[string]any, result any) {
	p.t.Helper()
	p.last++
	message := map[string]any{"id": p.last, "method": method, "params": params}
	if p.session != "" {
		message["sessionId"] = p.session
	}
	order, _ := json.Marshal(message)   // texts and numbers
	_, _ = p.in.Write(append(order, 0)) // a browser that has ended does not answer
	p.must(p.out.SetReadDeadline(time.Now().Add(2*time.Minute)), method)
	var m struct {
		ID             int
		Method         string
		Params, Result json.RawMessage
		Error          *struct{ Message string }
	}
	for m.ID != p.last {
		data, err := p.read.ReadBytes(0)
		p.must(err, "the browser does not answer "+method)
		m.Method = ""
		p.must(json.Unmarshal(data[:len(data)-1], &m), method)
		// By the page.
		isTold := strings.Contains(string(m.Params), "410 (Gone)") ||
			strings.Contains(string(m.Params), "400 (Bad")
		if m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" && !isTold {
			p.said = append(p.said, string(m.Params))
		}
	}
	if m.Error != nil {
		p.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if result != nil {
		p.must(json.Unmarshal(m.Result, result), method)
	}
}

func (p *Tab) must(err error, what string) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
}

// In makes the next steps those of a subtest.
func (p *Tab) In(t *testing.T) { p.t = t }

// Size sets the size of the window, in pixels of the page.
func (p *Tab) Size(width, height int) {
	p.Call("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Eval runs an expression in the page, waits for its promise, and decodes its value into result.
func (p *Tab) Eval(expression string, result any) {
	p.t.Helper()
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	p.Call("Runtime.evaluate", map[string]any{"expression": expression,
		"awaitPromise": true, "returnByValue": true}, &out)
	if len(p.said) > 0 || out.ExceptionDetails != nil {
		p.t.Fatalf("the page complained: %q, %+v\n%s", p.said, out.ExceptionDetails, expression)
	}
	if result != nil && len(out.Result.Value) > 0 {
		p.must(json.Unmarshal(out.Result.Value, result), expression)
	}
}

// None fails the test if the page finds something: a list of sentences.
func (p *Tab) None(finds, what string) {
	p.t.Helper()
	var found []string
	p.Eval(finds, &found)
	if len(found) > 0 {
		p.t.Fatalf("%s: %s", what, strings.Join(found, "\n"))
	}
}

// Until waits until an expression is true. It polls: what the page waits for comes over sockets.
func (p *Tab) Until(expression string) {
	p.t.Helper()
	ok, shows := false, ""
	for deadline := time.Now().Add(30 * time.Second); !ok &&
		time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		p.Eval(fmt.Sprintf("document.readyState === 'complete' && !!(%s)", expression), &ok)
	}
	if !ok {
		p.Shot("until-failed")
		p.Eval(`document.body.innerText.slice(0, 500)`, &shows)
		p.t.Fatalf("the page never came to this: %s\nit shows: %s", expression, shows)
	}
}

// Key presses a key as a hand does, and waits until something is true of the page.
func (p *Tab) Key(key, code string, shift bool, then string) {
	p.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.Call("Input.dispatchKeyEvent",
			map[string]any{"type": kind, "key": key, "code": code,
				"modifiers": map[bool]int{true: 8}[shift]}, nil)
	}
	p.Until(then)
}

// Click moves the mouse onto an element that has stayed where it is while the page drew two frames,
// and presses: one that is covered is not hit. What is above it may still be drawn, and another
// button come to where the mouse presses. Frames are counted and not milliseconds: on a busy
// machine a browser may draw none for a long time. While the mouse is down, meanwhile is done. Then
// click waits until something is true of the page.
func (p *Tab) Click(selector, then string, meanwhile ...func()) {
	p.t.Helper()
	p.Until(fmt.Sprintf(`(() => {
		const el = document.querySelector(%q), r = el?.getBoundingClientRect()
		const was = globalThis.middle
		const at = { x: r?.x + r?.width / 2, y: r?.y + r?.height / 2, drawn: false }
		if (was?.x === at.x && was.y === at.y)
			return was.drawn && !el.disabled && el.contains(document.elementFromPoint(at.x, at.y))
		globalThis.middle = at
		requestAnimationFrame(() => requestAnimationFrame(() => { at.drawn = true }))
	})()`, selector))
	mouse := map[string]any{"button": "left", "clickCount": 1, "type": "mousePressed"}
	p.Eval("middle", &mouse)
	p.Call("Input.dispatchMouseEvent", mouse, nil)
	for _, f := range meanwhile {
		f()
	}
	mouse["type"] = "mouseReleased"
	p.Call("Input.dispatchMouseEvent", mouse, nil)
	p.Until(then)
}

// Shot writes a screenshot to the folder SHOTS, if that is set.
func (p *Tab) Shot(name string) {
	if folder := os.Getenv("SHOTS"); folder != "" {
		var image struct{ Data []byte }
		p.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &image)
		p.must(os.MkdirAll(folder, 0o755), name)
		p.must(os.WriteFile(filepath.Join(folder, name+".png"), image.Data, 0o600), name)
	}
}

// Wanted skips a test unless there is a browser and BROWSER is set.
func Wanted(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil || os.Getenv("BROWSER") == "" {
		t.Skip("This test needs Chromium and some seconds: make browser runs it.")
	}
}

// Contrast declares funcs of scripts: contrast is the ratio of two colours, as WCAG defines it, rgb
// reads a colour of a style, and ground is what an element stands on.
const Contrast = `
	const rgb = c => { const n = c.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0]; return c.startsWith('color(') ? [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1] : [n[0], n[1], n[2], n[3] ?? 1] }
	const light = ([r, g, b]) => [r, g, b].map(x => (x /= 255) <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4).reduce((s, x, i) => s + x * [.2126, .7152, .0722][i], 0)
	const ground = el => { for (; el; el = el.parentElement) { const c = rgb(getComputedStyle(el).backgroundColor); if (c[3] > .99) return c } return [255, 255, 255] }
	const contrast = (one, other) => { const [a, b] = [light(one), light(other)].sort((x, y) => y - x); return (a + .05) / (b + .05) }`
