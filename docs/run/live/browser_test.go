package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/tape"
)

// The tests of the page run in a real browser. They cost seconds, and not every machine has one, so
// they run when BROWSER is set: make browser.

// browser is a headless Chromium, driven by the DevTools protocol over a pair of pipes: messages are
// JSON and end with a zero byte. So there is no port that another program could open first.
type browser struct {
	t    *testing.T
	in   io.Writer
	out  *os.File
	read *bufio.Reader // of out
	last int           // the number of the last call
	said map[string][]string
}

// tab is one page in the browser.
type tab struct {
	*browser
	session string
}

// newBrowser starts a browser for the time of the test, or skips the test with a sentence.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if os.Getenv("BROWSER") == "" {
		t.Skip("This test needs a browser and some seconds: make browser runs it.")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("This test needs Chromium, and there is none on the PATH.")
	}
	t.Parallel()
	toBrowser, in, err := os.Pipe()
	require.NoError(t, err)
	out, fromBrowser, err := os.Pipe()
	require.NoError(t, err)
	profile := t.TempDir()
	cmd := exec.Command(path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox",
		"--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
		// What it would do besides showing pages needs a network, and slows pages behind others.
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-extensions", "--disable-breakpad", "--disable-renderer-backgrounding",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
		"--user-data-dir="+profile, "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile)
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // 3 and 4, as the protocol wants them
	require.NoError(t, cmd.Start())
	toBrowser.Close()
	fromBrowser.Close()
	t.Cleanup(func() {
		in.Close() // the browser ends with its pipe
		kill := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		out.Close()
	})
	return &browser{t: t, in: in, out: out, read: bufio.NewReader(out), said: map[string][]string{}}
}

// call runs a method of the protocol, in a page or, without a session, in the browser. What pages
// complain about meanwhile is kept.
func (b *browser) call(session, method string, params map[string]any, result any) {
	b.t.Helper()
	b.last++
	order := map[string]any{"id": b.last, "method": method, "params": params}
	if session != "" {
		order["sessionId"] = session
	}
	data, err := json.Marshal(order)
	require.NoError(b.t, err)
	_, err = b.in.Write(append(data, 0))
	require.NoError(b.t, err, "the browser has ended")
	require.NoError(b.t, b.out.SetReadDeadline(time.Now().Add(2*time.Minute)))
	for {
		data, err := b.read.ReadBytes(0)
		require.NoError(b.t, err, "the browser does not answer %s", method)
		var m struct {
			ID                int
			SessionID, Method string
			Params, Result    json.RawMessage
			Error             *struct{ Message string }
		}
		require.NoError(b.t, json.Unmarshal(data[:len(data)-1], &m))
		isBehind := strings.Contains(string(m.Params), "410 (Gone)") // on a slow machine: it lists again
		if m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded" && !isBehind {
			b.said[m.SessionID] = append(b.said[m.SessionID], string(m.Params))
		}
		if m.ID == b.last {
			require.Nil(b.t, m.Error, "%s: %+v", method, m.Error)
			if result != nil {
				require.NoError(b.t, json.Unmarshal(m.Result, result))
			}
			return
		}
	}
}

// open opens a page. In it, stage is the stage of the live page.
func (b *browser) open(url string) *tab {
	b.t.Helper()
	var made struct{ TargetID, SessionID string }
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	b.call("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	p := &tab{b, made.SessionID}
	for _, domain := range []string{"Runtime", "Log", "Page"} {
		p.do(domain+".enable", nil)
	}
	p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source": "Object.defineProperty(globalThis, 'stage', { get: () => page.stage, configurable: true })"})
	p.size(1280, 800)
	p.visit(url)
	return p
}

// quiet fails the test if the page has logged or thrown an error.
func (p *tab) quiet() {
	p.t.Helper()
	p.eval("0", nil) // what it has said before has come then
	require.Empty(p.t, p.said[p.session], "the page has complained")
}

func (p *tab) do(method string, params map[string]any) {
	p.t.Helper()
	p.call(p.session, method, params, nil)
}

func (p *tab) visit(url string) { p.do("Page.navigate", map[string]any{"url": url}) }

func (p *tab) size(width, height int) {
	p.do("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
}

// eval runs an expression in the page, waits for its promise, and decodes its value into result.
func (p *tab) eval(expression string, result any) {
	p.t.Helper()
	var out struct {
		Result           struct{ Value json.RawMessage }
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

// none fails the test if the page finds something: a list of sentences.
func (p *tab) none(finds, what string) {
	p.t.Helper()
	var found []string
	p.eval(finds, &found)
	if len(found) > 0 {
		p.shot("found")
	}
	require.Empty(p.t, found, what)
}

// until waits until an expression is true. It polls: what the page waits for comes over sockets.
func (p *tab) until(expression string) {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var ok bool
		p.eval(fmt.Sprintf("document.readyState === 'complete' && !!(%s)", expression), &ok)
		if ok {
			return
		}
		if time.Now().After(deadline) {
			p.shot("until-failed")
			var body string
			p.eval(`document.body.innerText.slice(0, 500)`, &body)
			require.FailNow(p.t, "the page never came to this", "%s\nit shows: %s", expression, body)
		}
	}
}

// key presses a key as a hand does: "Shift 4" is the fourth digit with Shift. Then it waits until
// something is true of the page.
func (p *tab) key(key, code string, shift bool, then string) {
	p.t.Helper()
	modifiers := 0
	if shift {
		modifiers = 8
	}
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.do("Input.dispatchKeyEvent", map[string]any{
			"type": kind, "key": key, "code": code, "modifiers": modifiers})
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
	mouse := map[string]any{}
	p.eval("middle", &mouse)
	mouse["button"], mouse["clickCount"] = "left", 1
	mouse["type"] = "mousePressed"
	p.do("Input.dispatchMouseEvent", mouse)
	for _, f := range meanwhile {
		f()
	}
	mouse["type"] = "mouseReleased"
	p.do("Input.dispatchMouseEvent", mouse)
	p.until(then)
}

// press clicks the button of the machine with this label, and waits until something is true.
func (p *tab) press(label, then string) {
	p.t.Helper()
	var n int
	p.eval(fmt.Sprintf("stage.buttons.findIndex(b => b.label === %q)", label), &n)
	p.click(fmt.Sprintf("[data-press='%d']", n), then)
}

// shot writes a screenshot to the folder SHOTS, if that is set.
func (p *tab) shot(name string) {
	p.t.Helper()
	folder := os.Getenv("SHOTS")
	if folder == "" {
		return
	}
	var image struct{ Data []byte }
	p.call(p.session, "Page.captureScreenshot", map[string]any{"format": "png"}, &image)
	require.NoError(p.t, os.WriteFile(filepath.Join(folder, name+".png"), image.Data, 0o600))
}

// A liveServer is the program without its flags: the real machine behind the real page.
type liveServer struct {
	machine *tape.Machine
	page    *page
	addr    string
	stop    func()
}

// newLive is the program without flags, with or without its lessons.
func newLive(t *testing.T, lessons bool) *liveServer {
	t.Helper()
	s := &liveServer{addr: "127.0.0.1:0"}
	s.begin(t, lessons)
	t.Cleanup(func() { s.stop() })
	return s
}

// begin starts the program, at the address of the last time if there was one.
func (s *liveServer) begin(t *testing.T, lessons bool) {
	t.Helper()
	listener, err := net.Listen("tcp", s.addr)
	require.NoError(t, err)
	s.addr = listener.Addr().String()
	s.machine, err = tape.New(tape.Options{Source: source})
	require.NoError(t, err)
	s.page = &page{run: rand.Text(), machine: s.machine, module: source}
	require.NoError(t, s.machine.Open())
	if lessons {
		s.page.scenes, err = options{}.scenes(source)
		require.NoError(t, err)
	}
	server := &http.Server{Handler: s.page.handler()}
	served := make(chan struct{})
	go func() { defer close(served); _ = server.Serve(listener) }() // stop waits for it
	s.stop = func() {
		s.stop = func() {}
		_ = server.Close()
		<-served
		s.machine.Close()
	}
}

func (s *liveServer) url() string { return "http://" + s.addr + "/" }

// newPage opens the page on a machine of its own, at rest behind its first list. The page follows it.
func newPage(b *browser) (*liveServer, *tab) {
	b.t.Helper()
	s := newLive(b.t, false)
	p := b.open(s.url())
	p.until("page.machine?.link === 'watching' && stage.tape.log.has(page.machine.listed - 1) && " + rest(3))
	p.key("l", "KeyL", false, "stage.follow")
	return s, p
}

// rest holds when every handler has returned from so many calls, and every other goroutine has made
// its last report, too: the reflector makes its own after it has given a frame to the queue.
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
