package fakeapi

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/registry"
)

const widgetsPath = "/apis/workshop.example.dev/v1/namespaces/default/widgets"

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

// widget is a widget's JSON.
func widget(name, color string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":%q}}`, name, color)
}

func create(t *testing.T, s *Server, name, color string) {
	t.Helper()
	_, err := s.Create("widgets", widget(name, color))
	require.NoError(t, err)
}

// send makes a request through the in-memory client and reads the whole answer.
func send(t *testing.T, s *Server, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, URL+path, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.Client().Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(b)
}

// A tap is an open watch.
type tap struct {
	resp *http.Response
	rd   *bufio.Reader
}

// open starts a watch of widgets in the default namespace.
func open(t *testing.T, s *Server, query string, header ...string) *tap {
	t.Helper()
	return openAt(t, s, widgetsPath, query, header...)
}

// openAt starts a watch of the collection at a path.
func openAt(t *testing.T, s *Server, path, query string, header ...string) *tap {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", URL+path+"?watch=1&"+query, nil)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.Client().Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	require.Equal(t, 200, resp.StatusCode)
	return &tap{resp, bufio.NewReader(resp.Body)}
}

// next is the next frame as "TYPE name@version", or the error that came instead.
func (w *tap) next() string {
	line, err := w.rd.ReadBytes('\n')
	if err != nil {
		return err.Error()
	}
	var f struct {
		Type   string
		Object struct {
			Kind     string
			Message  string
			Code     int
			Metadata struct {
				Name, ResourceVersion string
				Annotations           map[string]string
			}
		}
	}
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

// object is the type of the next frame and the object in it.
func (w *tap) object(t *testing.T) (kind, object string) {
	t.Helper()
	line, err := w.rd.ReadBytes('\n')
	require.NoError(t, err)
	var f struct {
		Type   string
		Object json.RawMessage
	}
	require.NoError(t, json.Unmarshal(line, &f))
	return f.Type, string(f.Object)
}

// rest is all frames up to the end of the stream, and how it ended.
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

// widgets is the collection of widgets.
func widgets(t *testing.T, s *Server) *registry.Collection {
	t.Helper()
	c, err := s.collection("look into", "widgets")
	require.NoError(t, err)
	return c
}

// settled waits until all other goroutines in the bubble are blocked.
func settled() { synctest.Wait() }

// assertRefused: err is a Status of this code, with these causes; a 400 has one
// text only, its message.
func assertRefused(t *testing.T, err error, what string, code int, texts []string) {
	t.Helper()
	s, ok := err.(*Status)
	if !assert.True(t, ok, "%s: %v", what, err) {
		return
	}
	assert.Equal(t, code, s.Code, what)
	if s.Details == nil {
		assert.Equal(t, texts, []string{s.Message}, what)
		return
	}
	var causes []string
	for _, c := range s.Details.Causes {
		causes = append(causes, c.Message)
	}
	assert.Equal(t, texts, causes, what)
}

// initialEventsEnd is the annotation of the bookmark after a watch's initial events.
const initialEventsEnd = "k8s.io/initial-events-end"
