package main

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A liveServer is the program without its flags: the real machine behind the real page.
type liveServer struct {
	machine *machine
	addr    string
	stop    func()
	lessons bool // the page begins with them
}

func newLive(t *testing.T, o options) *liveServer {
	t.Helper()
	s := &liveServer{}
	s.begin(t, o)
	t.Cleanup(func() { s.stop() })
	return s
}

// newLessons is the program as it begins without flags.
func newLessons(t *testing.T) *liveServer {
	t.Helper()
	s := &liveServer{lessons: true}
	s.begin(t, options{})
	t.Cleanup(func() { s.stop() })
	return s
}

// begin starts the program, at the address of the last time if there was one.
func (s *liveServer) begin(t *testing.T, o options) {
	t.Helper()
	if o.queue == "" {
		o.queue = deltaFIFO
	}
	addr := s.addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	s.addr = listener.Addr().String()
	source := newLines()
	seen := newCollector(source, maxHeld)
	s.machine, err = newFakeMachine(seen, o.queue, o.stream)
	require.NoError(t, err)

	p := &page{run: newRun(), seen: seen, machine: s.machine}
	if o.story == "" {
		require.NoError(t, s.machine.furnish())
	} else {
		p.player, err = readStory(s.machine, o.story, seen.quiet)
		require.NoError(t, err)
	}
	if s.lessons {
		p.class = newClassroom(source, recordedByTheTest)
	}
	server := &http.Server{Handler: p.handler()}
	served := make(chan struct{})
	go func() { defer close(served); _ = server.Serve(listener) }() // stop waits for it
	s.stop = func() {
		s.stop = func() {}

		_ = server.Close()
		<-served
		s.machine.close()
		source.close()
	}
}

func (s *liveServer) url() string { return "http://" + s.addr + "/" }

// at opens the page and waits until the machine is at rest behind its first list, and the page has
// all events.
func (s *liveServer) at(b *browser) *tab {
	b.t.Helper()
	p := b.open(s.url())
	p.until(loaded)
	p.until(rest(3))
	return p
}

// loaded holds when the page has the events of the last 60 numbers.
const loaded = "document.body.dataset.link === 'watching' && low <= Math.max(head - 60, 1)"

// rest holds when every handler has returned from so many calls, and every other goroutine has made
// its last report, too: the reflector makes its own after it has given a frame to the queue.
func rest(told int) string {
	return fmt.Sprintf(`(s => s.cache.synced && s.reflector.state === 'watching'
		&& s.reflector.version === String(s.server.rv) && s.listeners.every(l => l.synced)
		&& s.handlers.every(h => h.told === %d && !h.busy))(state())`, told)
}

// do sends an order as the page would, for what a test needs and does not test.
func (s *liveServer) do(t *testing.T, what string, args ...string) {
	t.Helper()
	o := order{Do: what, Args: map[string]string{}}
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == "key" {
			o.Key = args[i+1]
			continue
		}
		o.Args[args[i]] = args[i+1]
	}
	require.NoError(t, s.machine.do(o), what)
}

// click moves the mouse onto an element and presses: an element that is covered is not hit.
func (p *tab) click(selector string) {
	p.t.Helper()
	at := p.middle(selector)
	p.mouse("mousePressed", at)
	p.mouse("mouseReleased", at)
}

// point is a place in the window.
type point struct{ X, Y float64 }

// middle is where a hand would hit an element, once that can be hit.
func (p *tab) middle(selector string) (at point) {
	p.t.Helper()
	p.until(fmt.Sprintf(`(() => { const el = document.querySelector(%q), r = el?.getBoundingClientRect()
		globalThis.middle = r && { X: r.x + r.width / 2, Y: r.y + r.height / 2 }
		return r && !el.disabled && el.contains(document.elementFromPoint(middle.X, middle.Y)) })()`, selector))
	p.eval("middle", &at)
	return at
}

func (p *tab) mouse(kind string, at point) {
	p.t.Helper()
	p.call(p.session, "Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y,
		"button": "left", "clickCount": 1}, nil)
}

// press clicks the button of the machine with this label.
func (p *tab) press(label string) {
	p.t.Helper()
	var n int
	p.eval(fmt.Sprintf("buttons.findIndex(b => b.label === %q)", label), &n)
	require.GreaterOrEqual(p.t, n, 0, "there is no button %s", label)
	p.click(fmt.Sprintf("[data-press='%d']", n))
}

// live lets the page follow the machine.
func (p *tab) live() {
	p.t.Helper()
	p.key("l", "KeyL", false)
	p.until("follow")
}

// back shows the last event for which a condition holds: of e, and its state s.
func (p *tab) back(condition string) {
	p.t.Helper()
	var seq int
	p.eval(fmt.Sprintf(`(() => { for (let n = head; n >= low; n--) { const e = log.get(n), s = e.state
		if (%s) return n } return 0 })()`, condition), &seq)
	require.NotZero(p.t, seq, "no event such that %s", condition)
	p.eval(fmt.Sprintf("go(%d)", seq), nil)
	p.until(fmt.Sprintf("document.body.dataset.at === '%d'", seq))
	p.until("tape || !log.get(cur).file || sources.get(log.get(cur).file + ':' + log.get(cur).line)")
}

// frames waits until the page has drawn what it knows.
func (p *tab) frames(n int) {
	p.t.Helper()
	for range n {
		p.eval("new Promise(done => requestAnimationFrame(() => setTimeout(done)))", nil)
	}
}

// last is the number of the newest event.
func (c *collector) last() (seq int64) {
	c.look(func(*model) { seq = c.log.last() })
	return seq
}

// turnTo begins a subtest: what a failed one has left open is closed.
func (b *browser) turnTo(t *testing.T) {
	b.t = t
	for _, p := range slices.Clone(b.tabs) {
		p.close()
	}
}

// pressUntil presses a button and waits until something is true of the page.
func (p *tab) pressUntil(label, condition string) {
	p.t.Helper()
	p.press(label)
	p.until(condition)
}

// keyUntil presses a key and waits until something is true of the page.
func (p *tab) keyUntil(key, code, condition string) {
	p.t.Helper()
	p.key(key, code, false)
	p.until(condition)
}

// says waits until the caption has these words, a regular expression.
func (p *tab) says(words string) {
	p.t.Helper()
	p.until(fmt.Sprintf("RegExp(%q).test($('#says').textContent)", words))
}
