package tape

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
)

// WireState is the watch as it is seen where valve V1 stands.
type WireState struct {
	Open   bool   `json:"open"`
	From   string `json:"from"`   // the version that was asked for
	Silent bool   `json:"silent"` // the server has gone silent, and the stream is open
	Frames int    `json:"frames"` // that have passed, of this watch
	Last   string `json:"last"`   // the last one of them
	Held   int    `json:"held"`   // sent and not passed
	Before []Mark `json:"before"` // those of them that come next, at most maxRows, oldest first
	Behind []Mark `json:"behind"` // passed, or a list, and not read: at most maxRows, oldest first
}

// wireModel is the watch as it is seen at valve V1.
type wireModel struct {
	WireState
	frames []Mark // sent and not passed; a real server reports none as sent
}

func (w wireModel) draw([]string) *WireState {
	w.Held, w.Before, w.Behind = len(w.frames), some(w.frames), some(w.Behind)
	return &w.WireState
}

func some(marks []Mark) []Mark { return append([]Mark{}, marks[:min(len(marks), maxRows)]...) }

// send is a frame that the server has reported as sent.
func (w *wireModel) send(frame Mark) { w.frames = append(w.frames, frame) }

// arrive is a frame that has come to the valve: what is drawn of it is what came.
func (w *wireModel) arrive(frame Mark) {
	w.frames = append([]Mark{frame}, w.frames[min(len(w.frames), 1):]...)
}

// pass lets the frame through that has come to the valve.
func (w *wireModel) pass(text string) {
	w.Frames, w.Last, w.Behind = w.Frames+1, text, append(w.Behind, w.frames[0])
	w.frames = w.frames[1:]
}

// read is a frame that the reflector has read, or a list.
func (w *wireModel) read() { w.Behind = w.Behind[min(len(w.Behind), 1):] }

// end is the end of the stream: what was on the way is lost.
func (w *wireModel) end() {
	w.Open, w.Silent, w.Behind, w.frames = false, false, nil, nil
}

// way leads to the server. It reports what comes back, and puts valve V1 into the body of each
// watch.
type way struct {
	base  http.RoundTripper
	seen  *collector
	valve *valve
	lag   time.Duration // by which everything arrives later; set before requests are made
}

// RoundTrip implements http.RoundTripper.
func (w *way) RoundTrip(req *http.Request) (*http.Response, error) {
	query, what := req.URL.Query(), "list"
	if query.Has("watch") {
		what = "watch"
	}
	w.seen.amend(func(m *model) { *m.wire.change() = wireModel{} })
	resp, err := w.base.RoundTrip(req)
	w.seen.pace(wirePace)
	if err == nil && w.lag > 0 {
		resp.Body = story.Late(resp.Body, w.lag, req.Context().Done())
	}
	switch {
	case err != nil && req.Context().Err() != nil:
		return resp, err
	case err != nil:
		e := said(Wire, "failed", "%s: %s", what, because(err)).in("%s: failed", what)
		w.seen.report(e.failing(true), nil)
		return resp, err
	}
	answer := said(Wire, "answer", "%s: %s", what, resp.Status).in("%s: %d", what, resp.StatusCode)
	switch {
	case resp.StatusCode != http.StatusOK:
		w.seen.report(answer.as("refused").failing(true), nil)
		return resp, nil
	case what == "list":
		w.seen.report(answer.as("list"), func(m *model) {
			m.wire.change().Behind = []Mark{{Type: "list"}}
		})
		return resp, nil
	}
	from := query.Get("resourceVersion")
	e := said(Wire, "open", "stream open, from version %s", from).in("open")
	w.seen.report(e, func(m *model) {
		m.wire.change().Open, m.wire.now.From = true, from
	})
	f := &frames{way: w, body: resp.Body, in: bufio.NewReader(resp.Body)}
	f.ctx, f.cancel = context.WithCancel(req.Context())
	resp.Body = f
	return resp, nil
}

// frames is the body of a watch. What is read out of it comes frame by frame, each one after the
// valve has let it pass.
type frames struct {
	*way
	body  io.ReadCloser
	in    *bufio.Reader
	ready []byte // of a frame that has passed
	once  sync.Once

	// ctx ends when the body is closed or, as for any other body, with the context of the request.
	ctx    context.Context
	cancel context.CancelFunc
}

// Read implements io.Reader.
func (f *frames) Read(p []byte) (int, error) {
	for len(f.ready) == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.ready)
	f.ready = f.ready[n:]
	return n, nil
}

// next waits for a frame, and for the valve. What has come of a frame that is cut off passes before
// the error does.
func (f *frames) next() error {
	line, err := f.in.ReadBytes('\n')
	f.seen.pace(wirePace)
	if len(line) == 0 {
		f.end(err)
		return err
	}
	mark := readFrame(line)
	text, e := nameFrame(&mark)
	f.seen.amend(func(m *model) { m.wire.change().arrive(mark) })
	if !f.valve.pass(f.ctx.Done(), text) {
		return f.ctx.Err()
	}
	f.seen.report(e, func(m *model) { m.wire.change().pass(text) })
	f.ready = line
	return nil
}

// nameFrame names a frame, and makes the event of it. A frame that is cut off gets a type.
func nameFrame(m *Mark) (text string, e Event) {
	switch name := m.Key[strings.LastIndex(m.Key, "/")+1:]; m.Type {
	case "ERROR":
		text = "ERROR " + m.RV
		e = said(Wire, "frame", "%s", text).as("ERROR").failing(true)
	case "":
		m.Type = "part of a frame"
		text, e = m.Type, said(Wire, "frame", "%s", m.Type).as("part")
	default:
		text = frame(m.Type, name, m.RV)
		e = event(Wire, "frame", m.Key, "%s", text)
		if name != "" {
			e = e.in("%s@%s", name, m.RV)
		}
	}
	return text, e.moving(Wire, Wire) // through valve V1
}

const closed = "stream closed by the client"

// end reports the end of the stream, once, and not if it was closed on this side.
func (f *frames) end(err error) {
	if errors.Is(err, reflector.ErrIdle) || errors.Is(err, context.Canceled) { // Run ends
		f.ended(said(Wire, "end", "%s: %s", closed, because(err)).in("closed").as("closed"))
	} else if err != io.EOF {
		broken := said(Wire, "end", "stream broken: %s", because(err)).in("broken").as("broken")
		f.ended(broken.failing(true))
	} else {
		f.ended(said(Wire, "end", "stream ended").in("ended"))
	}
}

func (f *frames) ended(e Event) {
	f.once.Do(func() {
		f.seen.report(e, func(m *model) { m.wire.change().end() })
		f.cancel()
	})
}

// Close implements io.Closer. It may be called while Read waits at the valve.
func (f *frames) Close() error {
	f.ended(said(Wire, "end", closed).in("closed").as("closed"))
	return f.body.Close()
}

// readFrame says what a frame is about. What cannot be read as a whole event has no Type.
func readFrame(frame []byte) Mark {
	var e struct {
		Type   string `json:"type"`
		Object struct {
			Code     int `json:"code"`
			Metadata struct {
				Namespace       string `json:"namespace"`
				Name            string `json:"name"`
				ResourceVersion string `json:"resourceVersion"`
			} `json:"metadata"`
		} `json:"object"`
	}
	if json.Unmarshal(frame, &e) != nil {
		return Mark{}
	}
	if meta := e.Object.Metadata; e.Type != "ERROR" {
		m := Mark{Type: e.Type, RV: meta.ResourceVersion}
		if meta.Name != "" {
			m.Key = join(meta.Namespace, meta.Name)
		}
		return m
	}
	return Mark{Type: e.Type, RV: fmt.Sprint(e.Object.Code)}
}
