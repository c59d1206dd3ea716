package fakeapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/watchglass/fakeapi/stream"
)

// takes says whether a step selects an object. The model has no selector parser: it compares the
// text with the few selectors that the steps use.
func (s step) takes(o *modelObject) bool {
	if o == nil || s.ns != "" && s.ns != o.Namespace {
		return false
	}
	path, value, _ := strings.Cut(s.query["fieldSelector"], "=")
	path, not := strings.CutSuffix(path, "!")
	switch {
	case path == "metadata.name" && (o.Name == value) == not:
		return false
	case strings.HasPrefix(path, "spec.") && (o.Color == value) == not:
		return false
	}
	switch s.query["labelSelector"] {
	case "!app":
		return o.App == ""
	case "app in (front,back)":
		return o.App == "front" || o.App == "back"
	case "app=front":
		return o.App == "front"
	}
	return true
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

func (m *model) get(r *modelResource, s step) (int, *modelObject) {
	if !m.reach(versionOf(s.query["resourceVersion"])) {
		return 504, nil
	}
	if o := r.objects[s.key()]; o != nil {
		return 200, o
	}
	return 404, nil
}

// A modelPage is what a continue token stands for.
type modelPage struct {
	list    step
	version uint64 // 0: the present one
	after   string // key
}

// list shows a collection, or the next page of a list.
func (m *model) list(r *modelResource, s step) []string {
	if s.query["continue"] != "" {
		return m.nextPage(r, s)
	}
	delete(m.pages, s.slot)
	version, match := s.query["resourceVersion"], s.query["resourceVersionMatch"]
	at, limit := versionOf(version), versionOf(s.query["limit"])
	if match != "" && (version == "" || match == "Exact" && at == 0) {
		return []string{"422"}
	}
	if !m.reach(at) {
		return []string{"504"}
	}
	if version == "0" {
		limit = 0
	}
	if at == 0 || match != "Exact" && (match != "" || limit == 0) {
		at = m.version
	} else if r.forget(m.clock); at < r.forgotten {
		return []string{"410"}
	}
	return m.show(r, s, at, "", limit)
}

func (m *model) nextPage(r *modelResource, s step) []string {
	p := m.pages[s.slot]
	if r.forget(m.clock); p.version > 0 && p.version < r.forgotten {
		p.version = 0 // the rest can still be read, at the present version
		m.pages[s.slot] = p
		return []string{"410 more"}
	}
	delete(m.pages, s.slot)
	if p.version == 0 {
		p.version = m.version
	}
	return m.show(r, s, p.version, p.after, versionOf(s.query["limit"]))
}

// show returns a page of the selected objects as they were at a version, those after a key. If there
// are more, it keeps where the next page begins.
func (m *model) show(r *modelResource, s step, at uint64, after string, limit uint64) []string {
	head, items := fmt.Sprintf("200 list @%d", at), []string{}
	rest, last := 0, ""
	past := r.at(at)
	for _, key := range slices.Sorted(maps.Keys(past)) {
		switch o := past[key]; {
		case key <= after || !s.takes(o):
		case limit > 0 && uint64(len(items)) == limit:
			rest++
		default:
			last, items = key, append(items, fmt.Sprintf("%+v", *o))
		}
	}
	if rest > 0 {
		m.pages[s.slot] = modelPage{s, at, last}
		head += " more"
		if s.query["labelSelector"]+s.query["fieldSelector"] == "" {
			head += fmt.Sprint(" ", rest)
		}
	}
	return append([]string{head}, items...)
}

// at returns the collection at a version: it replays the log up to that version.
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

// A modelWatch is an open watch.
type modelWatch struct {
	resource  *modelResource
	request   step
	next      int    // the first event in the log that it has not read
	sent      uint64 // the version up to which it has received all events
	tick, end time.Duration
	lines     []string // received since the last call of received
}

// watch opens a watch. It does not look at the age of the history: a version is too old only if
// a write or a list of the past has dropped it before.
func (m *model) watch(r *modelResource, s step) *modelWatch {
	from := versionOf(s.query["resourceVersion"])
	seconds := versionOf(s.query["timeoutSeconds"])
	if seconds == 0 {
		seconds = 1800
	}
	w := &modelWatch{resource: r, request: s, sent: from,
		end: m.clock + time.Duration(seconds)*time.Second}
	w.plan(m.clock)
	initial := s.query["sendInitialEvents"]
	switch {
	case initial == "true", initial == "" && from == 0:
		w.start(m)
	case from == 0:
		w.next, w.sent = len(r.log), m.version
	case from < r.forgotten:
		w.lines, w.end = []string{"ERROR 410", "end"}, -1
	default:
		for w.next < len(r.log) && r.log[w.next].version <= from {
			w.next++
		}
	}
	return w
}

func (w *modelWatch) bookmarks() bool { return w.request.query["allowWatchBookmarks"] != "" }

// start sends a watch the objects that exist.
func (w *modelWatch) start(m *model) {
	for _, key := range slices.Sorted(maps.Keys(w.resource.objects)) {
		if o := w.resource.objects[key]; w.request.takes(o) {
			w.lines = append(w.lines, fmt.Sprintf("ADDED %+v", *o))
		}
	}
	w.next, w.sent = len(w.resource.log), m.version
	if w.bookmarks() {
		w.lines = append(w.lines, fmt.Sprint("BOOKMARK end @", m.version))
	}
}

// received returns what the watches have received since the last call.
func (m *model) received() (all []string) {
	for _, slot := range slices.Sorted(maps.Keys(m.watches)) {
		w := m.watches[slot]
		w.catchUp()
		for _, line := range w.lines {
			all = append(all, slot+" "+line)
		}
		if w.lines = nil; w.end < 0 {
			delete(m.watches, slot)
		}
	}
	return all
}

// catchUp sends a watch the events that it has not received yet.
func (w *modelWatch) catchUp() {
	for ; w.end >= 0 && w.next < len(w.resource.log); w.next++ {
		e := w.resource.log[w.next]
		if line := w.sees(e); e.version > w.sent && line != "" {
			w.lines, w.sent = append(w.lines, line), e.version
		}
	}
}

// sees returns the line that the watch receives for an event, empty if its selection hides it.
func (w *modelWatch) sees(e modelEvent) string {
	was, is := w.request.takes(e.before), !e.removal && w.request.takes(e.after)
	switch {
	case was && is:
		return fmt.Sprintf("MODIFIED %+v", *e.after)
	case is:
		return fmt.Sprintf("ADDED %+v", *e.after)
	case was && e.removal:
		return fmt.Sprintf("DELETED %+v", *e.after)
	case was: // it has left the selection: its last state there, with the version of the event
		last := *e.before
		last.Version = e.version
		return fmt.Sprintf("DELETED %+v", last)
	}
	return ""
}

// plan sets when the watch next acts by itself: a bookmark is due after an interval
// and two seconds before the end.
func (w *modelWatch) plan(now time.Duration) {
	w.tick = w.end
	if last := w.end - 2*time.Second; w.bookmarks() && now < last {
		w.tick = min(now+modelNotices, last)
	}
}

// advance lets time pass. Nothing is written during that time.
func (m *model) advance(d time.Duration) {
	m.clock += d
	for _, w := range m.watches {
		for w.catchUp(); w.end >= 0 && w.tick <= m.clock; w.plan(w.tick) {
			switch {
			case w.tick >= w.end:
				w.lines, w.end = append(w.lines, "end"), -1
			case m.version > w.sent:
				w.lines, w.sent = append(w.lines, fmt.Sprint("BOOKMARK @", m.version)), m.version
			}
		}
	}
}
