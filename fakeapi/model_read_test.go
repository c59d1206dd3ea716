package fakeapi

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/stream"
)

// A choice is which objects a command selects. The model has no selector parser: it
// compares the text with the few selectors that the stories use.
type choice struct{ namespace, labels, fields string }

func choiceOf(c story.Command) choice {
	return choice{c.Opt("ns", ""), c.Opt("labels", ""), c.Opt("fields", "")}
}

func (s choice) takes(o *modelObject) bool {
	if o == nil || s.namespace != "" && s.namespace != o.namespace {
		return false
	}
	return s.takesLabels(o) && s.takesFields(o)
}

func (s choice) takesLabels(o *modelObject) bool {
	switch s.labels {
	case "":
		return true
	case "app":
		return o.app != ""
	case "!app":
		return o.app == ""
	case "app in (front,back)":
		return o.app == "front" || o.app == "back"
	}
	if not, ok := strings.CutPrefix(s.labels, "app!="); ok {
		return o.app != not
	}
	return o.app == strings.TrimPrefix(s.labels, "app=")
}

func (s choice) takesFields(o *modelObject) bool {
	path, value, _ := strings.Cut(s.fields, "=")
	path, not := strings.CutSuffix(path, "!")
	switch path {
	case "":
		return true
	case "metadata.name":
		return (o.name == value) != not
	}
	return (o.color == value) != not
}

// reach reports whether a version has been reached. If not, it first waits as long as
// the server does.
func (m *model) reach(version uint64) bool {
	if version <= m.version {
		return true
	}
	m.advance(stream.Patience)
	return false
}

func (m *model) get(r *modelResource, c story.Command) (int, *modelObject) {
	if !m.reach(versionOf(c.Opt("rv", ""))) {
		return 504, nil
	}
	if o := r.objects[c.Arg(1)]; o != nil {
		return 200, o
	}
	return 404, nil
}

func versionOf(s string) uint64 { n, _ := strconv.ParseUint(s, 10, 64); return n }

// list shows a collection.
func (m *model) list(r *modelResource, c story.Command) []string {
	text, match, limit := c.Opt("rv", ""), c.Opt("match", ""), int(versionOf(c.Opt("limit", "")))
	at, name := versionOf(text), c.Opt("as", "")
	delete(m.pages, name)
	if match != "" && (text == "" || match == "Exact" && at == 0) {
		return []string{"422"}
	}
	if !m.reach(at) {
		return []string{"504"}
	}
	if text == "0" {
		limit = 0
	}
	if at > 0 && (match == "Exact" || match == "" && limit > 0) {
		if r.forget(m.clock); at < r.forgotten {
			return []string{"410"}
		}
		return m.show(r, choiceOf(c), at, "", limit, m.keep(c.Arg(0), choiceOf(c), at, name))
	}
	return m.show(r, choiceOf(c), m.version, "", limit,
		m.keep(c.Arg(0), choiceOf(c), m.version, name))
}

// keep returns the function by which show stores where the next page begins.
func (m *model) keep(resource string, s choice, at uint64, name string) func(last string) {
	return func(last string) {
		if name != "" {
			m.pages[name] = modelPage{resource, s, at, last}
		}
	}
}

// goOn shows the next page of a list.
func (m *model) goOn(c story.Command) []string {
	name := c.Arg(0)
	p, ok := m.pages[name]
	if !ok {
		return []string{"no token"}
	}
	delete(m.pages, name)
	r := m.resources[p.resource]
	if r.forget(m.clock); p.version > 0 && p.version < r.forgotten {
		p.version = 0 // the rest can still be read, at the present version
		m.pages[name] = p
		return []string{"410"}
	}
	at := p.version
	if at == 0 {
		at = m.version
	}
	limit := int(versionOf(c.Opt("limit", "")))
	return m.show(r, p.choice, at, p.after, limit, m.keep(p.resource, p.choice, at, name))
}

// show is a page of the chosen objects as they were at a version, those after a key.
func (m *model) show(r *modelResource, s choice, at uint64, after string, limit int,
	keep func(last string)) []string {
	var page []*modelObject
	rest := 0
	past := r.at(at)
	for _, key := range slices.Sorted(maps.Keys(past)) {
		switch o := past[key]; {
		case key <= after || !s.takes(o):
		case limit > 0 && len(page) == limit:
			rest++
		default:
			page = append(page, o)
		}
	}
	head := fmt.Sprintf("200 list @%d", at)
	if rest > 0 {
		head += " more"
		if s.labels+s.fields == "" {
			head += fmt.Sprint(" ", rest)
		}
		keep(page[len(page)-1].key())
	}
	out := []string{head}
	for _, o := range page {
		out = append(out, "  "+m.notation.object(*o))
	}
	return out
}

// at is the collection at a version: it replays the log up to that version.
func (r *modelResource) at(version uint64) map[string]*modelObject {
	objects := map[string]*modelObject{}
	for _, e := range r.log {
		switch {
		case e.version > version:
			return objects
		case e.removal:
			delete(objects, e.after.key())
		default:
			objects[e.after.key()] = e.after
		}
	}
	return objects
}

// watch opens a watch.
func (m *model) watch(r *modelResource, c story.Command) *modelWatch {
	from := versionOf(c.Opt("from", "0"))
	seconds := versionOf(c.Opt("timeout", ""))
	if seconds == 0 {
		seconds = 1800
	}
	w := &modelWatch{resource: r, choice: choiceOf(c), sent: from,
		bookmarks: c.Opt("bookmarks", "") != "",
		end:       m.clock + time.Duration(seconds)*time.Second}
	w.plan(m.clock)
	// A watch does not look at the age of the history: from is too old only if a write
	// or a list of the past has dropped it before.
	initial := c.Opt("initial", "")
	switch {
	case initial == "yes", initial == "" && from == 0:
		w.start(m)
	case from == 0:
		w.next, w.sent = len(r.log), m.version
	case from < r.forgotten:
		w.lines, w.end = []string{"ERROR 410", "end"}, -1
	default:
		w.next = r.after(from)
	}
	return w
}

// after is the position of the first event above a version.
func (r *modelResource) after(version uint64) int {
	for i, e := range r.log {
		if e.version > version {
			return i
		}
	}
	return len(r.log)
}

// start sends a watch the objects that exist.
func (w *modelWatch) start(m *model) {
	for _, key := range slices.Sorted(maps.Keys(w.resource.objects)) {
		if o := w.resource.objects[key]; w.choice.takes(o) {
			w.lines = append(w.lines, "ADDED "+m.notation.object(*o))
		}
	}
	w.next, w.sent = len(w.resource.log), m.version
	if w.bookmarks {
		w.lines = append(w.lines, fmt.Sprint("BOOKMARK end @", m.version))
	}
}

// catchUp sends a watch the events that it has not received yet.
func (w *modelWatch) catchUp(m *model) {
	for ; w.end >= 0 && w.next < len(w.resource.log); w.next++ {
		e := w.resource.log[w.next]
		line := w.sees(m, e)
		if e.version <= w.sent || line == "" {
			continue
		}
		w.lines, w.sent = append(w.lines, line), e.version
	}
}

// sees is the line that the watch receives for an event, empty if its selection hides it.
func (w *modelWatch) sees(m *model, e modelEvent) string {
	was := w.choice.takes(e.before)
	is := !e.removal && w.choice.takes(e.after)
	switch {
	case was && is:
		return "MODIFIED " + m.notation.object(*e.after)
	case is:
		return "ADDED " + m.notation.object(*e.after)
	case was && e.removal:
		return "DELETED " + m.notation.object(*e.after)
	case was:
		last := *e.before
		last.version = e.version
		return "DELETED " + m.notation.object(last)
	}
	return ""
}

// plan sets when the watch next acts by itself: a bookmark is due after an interval
// and two seconds before the end.
func (w *modelWatch) plan(now time.Duration) {
	w.tick = w.end
	if last := w.end - 2*time.Second; w.bookmarks && now < last {
		w.tick = min(now+modelNotices, last)
	}
}

// advance lets time pass. Nothing is written during that time.
func (m *model) advance(d time.Duration) {
	until := m.clock + d
	for _, w := range m.watches {
		for w.catchUp(m); w.end >= 0 && w.tick <= until; {
			w.ticks(m)
		}
	}
	m.clock = until
}

func (w *modelWatch) ticks(m *model) {
	if w.tick >= w.end {
		w.lines, w.end = append(w.lines, "end"), -1
		return
	}
	if m.version > w.sent {
		w.lines, w.sent = append(w.lines, fmt.Sprint("BOOKMARK @", m.version)), m.version
	}
	w.plan(w.tick)
}
