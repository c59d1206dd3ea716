package informer_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// garbage is what a broken server, or a proxy before a sound one, answers with.
type garbage struct {
	name   string
	to     string // "list" or "watch"
	answer func(w http.ResponseWriter, gone <-chan struct{})
	want   string // what the reported error says
}

const (
	frame  = `{"type":"ADDED","object":{"metadata":{"name":"web-9","resourceVersion":"9"}}}`
	status = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden",` +
		`"message":"widgets is forbidden","code":403}`
)

var allGarbage = []garbage{
	{name: "half a frame", to: "watch", want: "unexpected EOF",
		answer: says(200, "application/json", frame[:len(frame)/2])},
	{name: "half a frame, and then whole ones", to: "watch", want: "cannot read watch event",
		answer: endless(frame[:len(frame)/2]+"\n"+frame+"\n"+frame+"\n", 1<<20)},
	{name: "a frame without an end or a newline", to: "watch",
		want:   "larger than the limit of 16777216 bytes",
		answer: endless(`{"type":"ADDED","object":{"x":"`, 1<<40)},
	{name: "nothing but blanks, for ever", to: "watch", want: "larger than the limit",
		answer: endless(" ", 1<<40)},
	{name: "an unknown type", to: "watch", want: `unknown type "WHAT"`,
		answer: says(200, "application/json", `{"type":"WHAT"}`)},
	{name: "an HTML page for a watch", to: "watch", want: "text/html",
		answer: says(200, "text/html", "<html>please log in</html>")},
	{name: "an HTML page that says it is JSON", to: "watch", want: `begins "<html>`,
		answer: says(200, "application/json", "<html>please log in</html>")},
	{name: "an HTML page for a list", to: "list", want: "text/html",
		answer: says(200, "text/html", "<html>please log in</html>")},
	{name: "a list without items", to: "list", want: "items",
		answer: says(200, "application/json", `{"kind":"WidgetList","metadata":{}}`)},
	{name: "items without metadata", to: "list", want: "no metadata.name",
		answer: says(200, "application/json", `{"kind":"WidgetList","items":[{"spec":{}}]}`)},
	{name: "items that are null", to: "list", want: "item 1",
		answer: says(200, "application/json", `{"kind":"WidgetList","items":[null]}`)},
	{name: "a Status instead of a list", to: "list", want: "widgets is forbidden",
		answer: says(200, "application/json", status)},
	{name: "a Status, and the code for it", to: "list", want: "widgets is forbidden",
		answer: says(403, "application/json", status)},
	{name: "half a list", to: "list", want: "unexpected EOF",
		answer: says(200, "application/json", `{"kind":"WidgetList","items":[{"metadata"`)},
	{name: "an endless item", to: "list", want: "larger than the limit of 16777216 bytes",
		answer: endless(`{"kind":"WidgetList","items":[{"x":"`, 1<<40)},
	{name: "a list nested a million deep", to: "list", want: "reading list",
		answer: says(200, "application/json", strings.Repeat(`{"items":[`, 1_000_000))},
}

// TestGarbageDoesNoHarm lets a server answer one request with garbage, and all others correctly.
// The informer must report what was wrong, wait, and recover. It must hold only a bounded part of
// the garbage, even if that has no end. Garbage never gets as far as a queue, so one kind of queue
// is enough: under the race detector 16 MiB take seconds to read.
func TestGarbageDoesNoHarm(t *testing.T) {
	for _, g := range allGarbage {
		t.Run(g.name, func(t *testing.T) { synctest.Test(t, g.doesNoHarm) })
	}
}

func (g garbage) doesNoHarm(t *testing.T) {
	const bound = 16<<20 /* a frame */ + 8<<20 /* half of it, while it grows */ + 16<<20 /* all else */
	var reported []string
	server := brokenOnce(t, g)
	before, after := heap(), uint64(0)
	running := server.run(t, func(err error) {
		if reported = append(reported, err.Error()); len(reported) == 1 {
			after = heap()
		}
	})
	time.Sleep(time.Minute)
	synctest.Wait()
	assert.True(t, running.HasSynced(), "the informer recovers")
	assert.Equal(t, []string{"default/web-1"}, running.GetIndexer().ListKeys())
	require.NotEmpty(t, reported, "WatchErrorHandler is called")
	assert.Contains(t, reported[0], g.want, "the error says what was wrong")
	assert.Less(t, len(reported[0]), 600, "and does not repeat what was sent")
	assert.GreaterOrEqual(t, server.pause, 800*time.Millisecond, "it waits before it asks again")
	assert.Less(t, int64(after)-int64(before), int64(bound), "bytes held at the first error")
	assert.Less(t, server.sent, int64(2*bound), "bytes that the client read before it gave up")
}

// heap returns how many bytes are alive.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// brokenServer is a sound server behind something that answers the first request of a kind with
// garbage.
type brokenServer struct {
	client *http.Client

	mu     sync.Mutex
	broken time.Time     // when the garbage was sent
	pause  time.Duration // from then to the next request
	sent   int64         // bytes of garbage
}

func brokenOnce(t *testing.T, g garbage) *brokenServer {
	sound := fakeapi.New(fakeapi.Options{})
	_, err := sound.Create("widgets", newWidget("web-1", "red"))
	require.NoError(t, err)
	b := &brokenServer{}
	once := make(chan struct{}, 1)
	once <- struct{}{}
	front := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isWatch := r.URL.Query().Get("watch") != ""
		if (g.to == "watch") == isWatch {
			select {
			case <-once:
				b.send(w, r, g)
				return
			default:
			}
		}
		b.note()
		sound.ServeHTTP(w, r)
	})}
	l := fakeapi.NewPipeListener()
	var serving sync.WaitGroup
	serving.Go(func() { _ = front.Serve(l) })
	b.client = &http.Client{Transport: &http.Transport{DialContext: l.DialContext}}
	t.Cleanup(func() {
		b.client.CloseIdleConnections()
		sound.Close() // ends the watches that Shutdown waits for
		_ = front.Shutdown(context.Background())
		serving.Wait()
	})
	return b
}

func (b *brokenServer) send(w http.ResponseWriter, r *http.Request, g garbage) {
	counted := &countingWriter{ResponseWriter: w}
	g.answer(counted, r.Context().Done())
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = counted.n
	b.broken = time.Now()
}

func (b *brokenServer) note() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.broken.IsZero() && b.pause == 0 {
		b.pause = time.Since(b.broken)
	}
}

// run starts an informer that calls onError with each error. It runs until the test is over.
func (b *brokenServer) run(t *testing.T, onError func(error)) *informer.SharedIndexInformer {
	client, err := wire.NewClient[widget](wire.ClientOptions{
		URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		HTTPClient: b.client,
	})
	require.NoError(t, err)
	i := informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: client,
		Reflector: reflector.Options{
			WatchErrorHandler: onError,
			Backoff:           reflector.Backoff{Jitter: -1},
			ListFirst:         true, // the server breaks lists
		},
	})
	checked(t, i, processor.ResourceEventHandlerFuncs{}, informer.HandlerOptions{})
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = i.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return i
}

// says answers with the whole body in one write.
func says(code int, contentType, body string) func(http.ResponseWriter, <-chan struct{}) {
	return func(w http.ResponseWriter, _ <-chan struct{}) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// endless answers with head and then one letter for ever, or until n bytes are sent, or the client
// has closed the connection.
func endless(head string, n int64) func(http.ResponseWriter, <-chan struct{}) {
	filler := strings.Repeat(head[len(head)-1:], 64<<10)
	if head[len(head)-1] == '"' {
		filler = strings.Repeat("x", 64<<10)
	}
	return func(w http.ResponseWriter, gone <-chan struct{}) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, head)
		for sent := int64(0); sent < n; sent += int64(len(filler)) {
			if _, err := io.WriteString(w, filler); err != nil {
				return
			}
		}
		<-gone
	}
}

type countingWriter struct {
	http.ResponseWriter
	n int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.n += int64(n)
	return n, err
}
