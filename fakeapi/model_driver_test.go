package fakeapi

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// A driver carries out a story's commands on a Server and shows the answers in the
// notation that the model uses. All requests go through ServeHTTP. It runs in a
// synctest bubble.
type driver struct {
	server   *Server
	notation notation
	pages    map[string]driverPage
	streams  map[string]*driverStream
}

// A driverPage is a continue token and the list that it continues.
type driverPage struct {
	resource, token string
	choice          choice
}

// newDriver starts a server with the model's limits.
func newDriver() *driver {
	return &driver{server: New(Options{HistoryCount: modelHistory, HistoryAge: modelAge,
		BookmarkInterval: modelNotices}),
		pages: map[string]driverPage{}, streams: map[string]*driverStream{}}
}

func (p *driver) close() {
	for _, s := range p.streams {
		s.cancel()
	}
	p.server.Close()
}

// do carries out a command and returns the answer's lines.
func (p *driver) do(c story.Command) []string {
	t := traitsOf(c.Arg(0))
	switch c.Name {
	case "create":
		return p.send(t, "POST", t.in(c.Arg(1), false), queryText("dryRun", dry(c)), t.body(c))
	case "update":
		return p.send(t, "PUT", t.in(c.Arg(1), true), queryText("dryRun", dry(c)), t.body(c))
	case "status":
		return p.send(t, "PUT", t.in(c.Arg(1), true)+"/status", nil, t.body(c))
	case "patch":
		kind, body := t.patch(c)
		return p.send(t, "PATCH", t.in(c.Arg(1), true), queryText("dryRun", dry(c)), body,
			"Content-Type", kind)
	case "delete":
		return p.send(t, "DELETE", t.in(c.Arg(1), true), nil, deletion(c))
	case "deletecollection":
		q := choiceOf(c).query()
		maps.Copy(q, queryText("dryRun", dry(c)))
		return p.send(t, "DELETE", t.collection(c.Opt("ns", "")), q, "")
	case "get":
		return p.send(t, "GET", t.in(c.Arg(1), true), queryText("resourceVersion", c.Opt("rv", "")), "")
	case "list":
		return p.list(t, c)
	case "continue":
		return p.goOn(c)
	case "watch":
		p.watch(traitsOf(c.Arg(1)), c)
	case "close":
		if s := p.streams[c.Arg(0)]; s != nil {
			s.cancel()
			delete(p.streams, c.Arg(0))
		}
	case "compact":
		p.server.Compact()
	case "wait":
		d, _ := time.ParseDuration(c.Arg(0))
		time.Sleep(d)
	}
	return nil
}

// state is what the streams have received since the last call.
func (p *driver) state() []string {
	synctest.Wait()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p.streams)) {
		s := p.streams[name]
		frames, ended := s.take()
		for line := range bytes.Lines(frames) {
			all = append(all, name+" "+p.notation.frame(s.traits, line))
		}
		if ended != "" {
			all = append(all, name+" "+ended)
			delete(p.streams, name)
		}
	}
	return all
}

func traitsOf(name string) traits {
	i := slices.IndexFunc(modelTraits, func(t traits) bool { return t.name == name })
	if i < 0 {
		return traits{}
	}
	return modelTraits[i]
}

// collection is the path of a collection.
func (t traits) collection(namespace string) string {
	if namespace == "" {
		return t.path + "/" + t.name
	}
	return t.path + "/namespaces/" + namespace + "/" + t.name
}

// in is the path of an object, or of the collection it is created in.
func (t traits) in(key string, object bool) string {
	namespace, name, _ := strings.Cut(key, "/")
	if !object {
		return t.collection(namespace)
	}
	return t.collection(namespace) + "/" + name
}

// send makes a request and shows the answer.
func (p *driver) send(t traits, method, path string, q url.Values, body string,
	header ...string) []string {
	lines, _ := p.exchange(t, method, path, q, body, header...)
	return lines
}

func (p *driver) exchange(t traits, method, path string, q url.Values, body string,
	header ...string) (lines []string, next string) {
	r := httptest.NewRequest(method, path+"?"+q.Encode(), strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.server.ServeHTTP(w, r)
	return p.notation.answer(t, w.Code, w.Body.Bytes())
}

func (p *driver) list(t traits, c story.Command) []string {
	s := choiceOf(c)
	q := s.query()
	for param, option := range map[string]string{"limit": "limit", "resourceVersion": "rv",
		"resourceVersionMatch": "match"} {
		if v := c.Opt(option, ""); v != "" {
			q.Set(param, v)
		}
	}
	lines, next := p.exchange(t, "GET", t.collection(s.namespace), q, "")
	p.keep(c.Opt("as", ""), driverPage{t.name, next, s})
	return lines
}

func (p *driver) keep(name string, page driverPage) {
	delete(p.pages, name)
	if name != "" && page.token != "" {
		p.pages[name] = page
	}
}

func (p *driver) goOn(c story.Command) []string {
	page, ok := p.pages[c.Arg(0)]
	if !ok {
		return []string{"no token"}
	}
	t := traitsOf(page.resource)
	q := page.choice.query()
	q.Set("continue", page.token)
	q.Set("limit", strconv.Itoa(int(versionOf(c.Opt("limit", "")))))
	lines, next := p.exchange(t, "GET", t.collection(page.choice.namespace), q, "")
	page.token = next
	p.keep(c.Arg(0), page)
	return lines
}

// watch starts a stream. It ends when the server ends it or it is cancelled.
func (p *driver) watch(t traits, c story.Command) {
	if old := p.streams[c.Arg(0)]; old != nil {
		old.cancel()
	}
	s := choiceOf(c)
	q := s.query()
	q.Set("watch", "1")
	for param, option := range map[string]string{"resourceVersion": "from",
		"timeoutSeconds": "timeout"} {
		if v := c.Opt(option, ""); v != "" {
			q.Set(param, v)
		}
	}
	if c.Opt("bookmarks", "") != "" {
		q.Set("allowWatchBookmarks", "true")
	}
	if v := c.Opt("initial", ""); v != "" {
		q.Set("sendInitialEvents", fmt.Sprint(v == "yes"))
		q.Set("resourceVersionMatch", "NotOlderThan")
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := httptest.NewRequestWithContext(ctx, "GET", t.collection(s.namespace)+"?"+q.Encode(), nil)
	w := &driverStream{traits: t, cancel: cancel}
	p.streams[c.Arg(0)] = w
	go w.run(p.server, r) // ends with the request; the bubble waits for it
}

// A driverStream is the client's end of a watch.
type driverStream struct {
	traits traits
	cancel context.CancelFunc

	mu    sync.Mutex // guards what is below
	body  []byte
	ended string
}

func (s *driverStream) run(server *Server, r *http.Request) {
	server.ServeHTTP(newSink(func(p []byte) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.body = append(s.body, p...)
	}), r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = "end"
}

// take is what was received since the last call, and how the stream ended, if it has.
func (s *driverStream) take() (frames []byte, ended string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	frames, s.body = s.body, nil
	return frames, s.ended
}
