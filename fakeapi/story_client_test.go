package fakeapi

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// A client is an open watch. It and the stage take turns: a bubble lets time pass, or shows a
// state, only when all its goroutines wait.
type client struct {
	name  string
	query url.Values
	knows string // the version up to which it has received all events
	state string
}

// read opens a stream and reports its frames until it ends.
func (m *stage) read(w *client) {
	w.state = "watching"
	resp, err := m.open().Client().Get(URL + widgetsPath + "?" + w.query.Encode())
	if err != nil {
		w.state = "cannot connect"
		return
	}
	defer resp.Body.Close()
	defer func() { w.state = "not watching" }()
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
			w.knows = f.Object.Metadata.ResourceVersion
		}
	}
}

// String is an object as stories show it.
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
