package fakeapi

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
)

const widgetsPath = "/apis/workshop.example.dev/v1/namespaces/default/widgets"

// underRace: this binary has the race detector, with which a sync.Pool forgets some of what is put
// into it, so that more is allocated.
var underRace = func() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

// bubble runs f in a synctest bubble with a server of its own. The bubble fails the
// test if Close leaves a goroutine behind.
func bubble(t *testing.T, o Options, f func(t *testing.T, s *Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := New(o)
		defer s.Close()
		f(t, s)
	})
}

// widget returns a widget's JSON.
func widget(name, color string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":%q}}`, name, color)
}

func create(t *testing.T, s *Server, name, color string) {
	t.Helper()
	_, err := s.Create("widgets", widget(name, color))
	require.NoError(t, err)
}

// send makes a request through the in-memory client and reads the whole answer.
func send(t *testing.T, s *Server, method, path, body string,
	header ...string) (*http.Response, string) {
	t.Helper()
	resp := do(t, s, method, path, body, header)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(b)
}

// do makes a request with headers: names and values in turns.
func do(t *testing.T, s *Server, method, path, body string, header []string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, URL+path, strings.NewReader(body))
	require.NoError(t, err)
	for pair := range slices.Chunk(header, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	resp, err := s.Client().Do(req)
	require.NoError(t, err)
	return resp
}

// A tap is an open watch.
type tap struct{ *bufio.Reader }

// open starts a watch of widgets in the default namespace.
func open(t *testing.T, s *Server, query string, header ...string) *tap {
	t.Helper()
	resp := do(t, s, "GET", widgetsPath+"?watch=1&"+query, "", header)
	t.Cleanup(func() { resp.Body.Close() })
	require.Equal(t, 200, resp.StatusCode)
	return &tap{bufio.NewReader(resp.Body)}
}

// next returns the next frame as "TYPE name@version", or the error that came instead.
func (w *tap) next() string {
	line, err := w.ReadBytes('\n')
	if err != nil {
		return err.Error()
	}
	var f wireFrame
	if err := json.Unmarshal(line, &f); err != nil {
		return "garbage"
	}
	m := f.Object.Metadata
	switch {
	case f.Type == "ERROR":
		return fmt.Sprint("ERROR ", f.Object.Code, " ", f.Object.Message)
	case m.Annotations[initialEventsEnd] != "":
		return "BOOKMARK end@" + m.ResourceVersion
	}
	return f.Type + " " + m.Name + "@" + m.ResourceVersion
}

// rest returns all frames up to the end of the stream, and how it ended.
func (w *tap) rest() []string {
	var all []string
	for {
		f := w.next()
		all = append(all, f)
		if f == io.EOF.Error() || strings.Contains(f, "unexpected EOF") || len(all) > 10_000 {
			return all
		}
	}
}

// widgets returns the collection of widgets.
func widgets(t *testing.T, s *Server) *registry.Collection {
	t.Helper()
	c, err := s.collection("look into", "widgets")
	require.NoError(t, err)
	return c
}

// settled waits until all other goroutines in the bubble are blocked.
func settled() { synctest.Wait() }

// initialEventsEnd is the annotation of the bookmark after a watch's initial events.
const initialEventsEnd = "k8s.io/initial-events-end"

// A wireFrame is a frame of a watch.
type wireFrame struct {
	Type   string
	Object wireObject
}

// A wireObject is what stories look at in an object, a list or a Status.
type wireObject struct {
	Metadata struct {
		Name, ResourceVersion, Continue string
		Annotations                     map[string]string
		RemainingItemCount              *int
	}
	Items   []wireObject
	Spec    map[string]any
	Code    int
	Message string
}

// A sink is the client's end of a watch without any network: what the server
// writes goes to a function. It is for tests and benchmarks of the server's own
// part, and for more watchers than this machine has sockets.
type sink struct {
	header http.Header
	write  func([]byte) // gets every piece that the server writes; the server may reuse its memory
}

func newSink(write func([]byte)) *sink { return &sink{header: http.Header{}, write: write} }

func (k *sink) Header() http.Header              { return k.header }
func (k *sink) WriteHeader(int)                  {}
func (k *sink) Flush()                           {}
func (k *sink) SetWriteDeadline(time.Time) error { return nil }
func (k *sink) Write(b []byte) (int, error)      { k.write(b); return len(b), nil }

// check verifies that the documents of a collection have the right bytes. That the history leads to
// them is a law of package store.
func check(c *registry.Collection) error {
	for o := range c.Objects.Snapshot().All("", "") {
		d := o.(*object.Document)
		m := object.MetaOf(d.Tree())
		if m.Text("resourceVersion") != fmt.Sprint(d.Version()) ||
			object.Key(m.Text("namespace"), m.Text("name")) != d.Key() {
			return fmt.Errorf("%s@%d holds %s", d.Key(), d.Version(), d.Raw)
		}
	}
	return nil
}
