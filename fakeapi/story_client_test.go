package fakeapi

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// A client is an open watch.
type client struct {
	name  string
	query url.Values

	mu    sync.Mutex // guards what is below
	knows string     // the version up to which it has received all events
	state string
}

// watch opens a stream and reports its frames until it ends.
func (m *stage) watch(w *client) {
	w.state = "watching"
	m.watchers = append(m.watchers, w)
	m.read(w)
}

func (m *stage) resume(name string) error {
	w := m.client(name)
	if w == nil {
		return fmt.Errorf("there is no client %s", name)
	}
	w.is("watching")
	w.query.Set("resourceVersion", w.knows)
	m.read(w)
	return nil
}

func (m *stage) client(name string) *client {
	i := slices.IndexFunc(m.watchers, func(w *client) bool { return w.name == name })
	if i < 0 {
		return nil
	}
	return m.watchers[i]
}

func (m *stage) read(w *client) {
	query, server := w.query.Encode(), m.open()
	m.reading.Go(func() { // waited for in Cleanup
		resp, err := server.Client().Get(URL + widgetsPath + "?" + query)
		if err != nil {
			w.is("cannot connect")
			return
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			m.lanes.Report(w.name, "HTTP %d instead of a stream", resp.StatusCode)
			w.is("not watching")
			return
		}
		err = m.frames(w, bufio.NewReader(resp.Body))
		m.lanes.Report(w.name, "the stream ends: %v", err)
		w.is("not watching")
	})
}

// frames reports frames until there are no more.
func (m *stage) frames(w *client, from *bufio.Reader) error {
	for {
		line, err := from.ReadBytes('\n')
		if err != nil {
			if len(line) > 0 {
				m.lanes.Report(w.name, "%s...", line[:25])
			}
			return err
		}
		var f struct {
			Type   string
			Object receivedObject
		}
		if err := json.Unmarshal(line, &f); err != nil {
			m.lanes.Report(w.name, "a line that is not JSON")
			continue
		}
		m.lanes.Report(w.name, "%s %s", f.Type, f.Object)
		if f.Type != "ERROR" {
			w.received(f.Object.Metadata.ResourceVersion)
		}
	}
}

func (w *client) is(state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = state
}

func (w *client) received(version string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.knows = version
}

// A receivedObject is the part of an object in a frame or a list that stories show.
type receivedObject struct {
	Message  string
	Code     int
	Metadata struct {
		Name, ResourceVersion string
		Annotations           map[string]string
	}
	Spec struct{ Color string }
}

func (o receivedObject) String() string {
	switch {
	case o.Code != 0:
		return fmt.Sprint(o.Code, ": ", o.Message)
	case o.Metadata.Annotations[initialEventsEnd] != "":
		return "@" + o.Metadata.ResourceVersion + ", the initial events end here"
	}
	return fmt.Sprintf("%s@%s %s", o.Metadata.Name, o.Metadata.ResourceVersion, o.Spec.Color)
}
