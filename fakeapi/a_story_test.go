package fakeapi

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/object"
)

// TestStories plays testdata/*.story: a server, and clients that watch it over HTTP, in virtual
// time. Read them with go test -v -run Stories ./fakeapi.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", newStage)
}

// stage is a server of widgets as its clients see it. The commands are listed in
// testdata/story.template.
type stage struct {
	t        testing.TB
	lanes    *story.Lanes
	options  Options
	server   *Server // made by the first command that needs it
	watchers []*client
	answer   string // of the last list
	token    string // to continue it with
	limit    string
}

func newStage(t testing.TB) story.Machine {
	m := &stage{t: t, lanes: story.NewLanes("server")}
	m.options.Trace = &Trace{
		Committed: func(c Change) {
			m.lanes.Report("server", "%s %s, version %d", c.Type, c.Name, c.Version)
		},
		Fault: func(_ Request, f Fault) { m.lanes.Report("server", "fault: %s", f.Kind) },
	}
	t.Cleanup(func() { m.open().Close() }) // ends all streams, which their readers notice
	return m
}

func (m *stage) open() *Server {
	if m.server == nil {
		m.server = New(m.options)
	}
	return m.server
}

// Do implements story.Machine.
func (m *stage) Do(c story.Command) (err error) {
	m.answer = ""
	if err := c.NeedsWord("create", "update", "delete", "watch", "resume"); err != nil {
		return err
	}
	name := c.Arg(0)
	at := slices.IndexFunc(m.watchers, func(w *client) bool { return w.name == name })
	switch c.Name {
	case "remember":
		if m.server != nil {
			return errors.New("the server runs already")
		}
		m.options.HistoryBytes, err = strconv.Atoi(name)
	case "create":
		for _, name := range c.Args() {
			if _, err := m.open().Create("widgets", widget(name, c.Opt("color", "red"))); err != nil {
				return err
			}
		}
	case "update":
		field, value := "color", c.Opt("color", "")
		if size := c.Opt("size", ""); size != "" {
			field, value = "size", size
		}
		patch := fmt.Sprintf(`{"spec":{%q:%q}}`, field, value)
		_, err = m.open().Patch("widgets", "default", name, patch)
	case "delete":
		err = m.open().Delete("widgets", "default", name)
	case "elsewhere":
		_, err = m.open().Create("configmaps", `{"metadata":{"generateName":"settings-"}}`)
	case "compact":
		m.open().Compact()
	case "drop":
		m.open().DropWatches()
	case "fault":
		return m.fault(c)
	case "list":
		m.limit = c.Opt("limit", "")
		return m.list(url.Values{"limit": {m.limit}, "resourceVersion": {c.Opt("at", "")},
			"resourceVersionMatch": {c.Opt("match", "")}})
	case "next":
		return m.list(url.Values{"limit": {m.limit}, "continue": {m.token}})
	case "watch":
		if at >= 0 {
			return fmt.Errorf("there is a client %s already", name)
		}
		w := &client{name: name, query: watchQuery(c), knows: c.Opt("from", "nothing")}
		m.watchers = append(m.watchers, w)
		go m.read(w)
	case "resume":
		if at < 0 {
			return fmt.Errorf("there is no client %s", name)
		}
		settled() // its last stream may be ending at this moment
		w := m.watchers[at]
		w.query.Set("resourceVersion", w.knows)
		go m.read(w)
	default:
		return c.Unknown()
	}
	return err
}

func (m *stage) fault(c story.Command) error {
	f := Fault{Kind: FaultKind(c.Arg(0)), Verb: "watch"}
	for name, field := range map[string]*int{"after": &f.After, "count": &f.Count, "code": &f.Code} {
		var err error
		if *field, err = strconv.Atoi(c.Opt(name, "0")); err != nil {
			return err
		}
	}
	return m.open().arm(f)
}

// list reads a page and sets m.answer to what it shows.
func (m *stage) list(query url.Values) error {
	maps.DeleteFunc(query, func(_ string, values []string) bool { return values[0] == "" })
	asked := time.Now()
	resp, err := m.open().Client().Get(URL + widgetsPath + "?" + query.Encode())
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var l wireObject
	if err := json.NewDecoder(resp.Body).Decode(&l); err != nil {
		return err
	}
	m.token = l.Metadata.Continue
	if resp.StatusCode != http.StatusOK {
		m.answer = fmt.Sprintf("list: HTTP %d after %v: %.60s...\n", resp.StatusCode,
			time.Since(asked).Round(time.Second), l.Message)
		return nil
	}
	m.answer = fmt.Sprintf("list: version %s: %s", l.Metadata.ResourceVersion, l.Items)
	if n := l.Metadata.RemainingItemCount; m.token != "" && n != nil {
		m.answer += fmt.Sprintf(", and a token for %d more", *n)
	}
	m.answer += "\n"
	return nil
}

func watchQuery(c story.Command) url.Values {
	q := url.Values{"watch": {"1"}, "timeoutSeconds": {c.Opt("timeout", "300")}}
	for option, param := range map[string]string{"from": "resourceVersion", "where": "fieldSelector"} {
		if v := c.Opt(option, ""); v != "" {
			q.Set(param, v)
		}
	}
	if c.Opt("bookmarks", "") != "" || c.Opt("streaming", "") != "" {
		q.Set("allowWatchBookmarks", "true")
	}
	if c.Opt("streaming", "") != "" {
		q.Set("sendInitialEvents", "true")
		q.Set("resourceVersionMatch", "NotOlderThan")
	}
	return q
}

// State implements story.Machine: the reports since the last command, lane by lane, then the
// server's objects, the versions of the events in its history, and what each client knows.
func (m *stage) State() string {
	var b strings.Builder
	io.WriteString(&b, m.answer+m.lanes.String())
	c := m.open().registry.Catalog().Named("widgets")
	now := c.Objects.Snapshot()
	held := []string{}
	for o := range now.All("", "") {
		held = append(held, fmt.Sprintf("%s@%d", o.(*object.Document).Name, o.Version()))
	}
	oldest, events := c.Objects.History()
	past := []string{}
	for _, e := range events {
		past = append(past, strconv.FormatUint(e.Version(), 10))
	}
	fmt.Fprintf(&b, "objects %v, version %d\n", held, now.Version)
	fmt.Fprintf(&b, "history since %d: %v\n", oldest, past)
	for _, w := range m.watchers {
		w.mu.Lock()
		fmt.Fprintf(&b, "%s knows %s, %s\n", w.name, w.knows, w.state)
		w.mu.Unlock()
	}
	return b.String()
}

// A client is an open watch.
type client struct {
	name  string
	query url.Values

	mu    sync.Mutex // guards what is below
	knows string     // the version up to which it has received all events
	state string
}

// set sets knows or state.
func (w *client) set(field *string, value string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*field = value
}

// read opens a stream and reports its frames until it ends.
func (m *stage) read(w *client) {
	w.set(&w.state, "watching")
	resp, err := m.open().Client().Get(URL + widgetsPath + "?" + w.query.Encode())
	if err != nil {
		w.set(&w.state, "cannot connect")
		return
	}
	defer resp.Body.Close()
	defer w.set(&w.state, "not watching")
	if resp.StatusCode != http.StatusOK {
		m.lanes.Report(w.name, "HTTP %d instead of a stream", resp.StatusCode)
		return
	}
	m.lanes.Report(w.name, "the stream ends: %v", m.frames(w, resp.Body))
}

// frames reports frames until there are no more.
func (m *stage) frames(w *client, stream io.Reader) error {
	for from := bufio.NewReader(stream); ; {
		line, err := from.ReadBytes('\n')
		if err != nil {
			if len(line) > 0 {
				m.lanes.Report(w.name, "%s...", line[:25])
			}
			return err
		}
		var f wireFrame
		if err := json.Unmarshal(line, &f); err != nil {
			m.lanes.Report(w.name, "a line that is not JSON")
			continue
		}
		m.lanes.Report(w.name, "%s %s", f.Type, f.Object)
		if f.Type != "ERROR" {
			w.set(&w.knows, f.Object.Metadata.ResourceVersion)
		}
	}
}

// String returns an object as stories show it.
func (o wireObject) String() string {
	m := o.Metadata
	switch {
	case o.Code != 0:
		return fmt.Sprint(o.Code, ": ", o.Message)
	case m.Annotations[initialEventsEnd] != "":
		return "@" + m.ResourceVersion + ", the initial events end here"
	case o.Spec["color"] == nil: // a bookmark
		return fmt.Sprintf("%s@%s ", m.Name, m.ResourceVersion)
	}
	return fmt.Sprintf("%s@%s %s", m.Name, m.ResourceVersion, o.Spec["color"])
}
