package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/reflector/client"
)

// printed is what was printed and not yet taken.
type printed struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(text)
}

func (p *printed) taken() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.text.Reset()
	return p.text.String()
}

// play runs the program on a server, and returns a func that makes changes and returns what is
// printed because of them.
func play(t *testing.T, server *fakeapi.Server, labels string) (after func(change func()) string) {
	chosen, err := informer.ParseSelector(labels)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var out printed
	var running sync.WaitGroup
	running.Go(func() {
		at := func(path string) client.Options {
			return client.Options{URL: fakeapi.URL + path, HTTPClient: server.Client()}
		}
		assert.NoError(t, show(ctx, at, chosen, log.New(&out, "", 0)))
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
		server.Close()
	})
	return func(change func()) string {
		change()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		return out.taken()
	}
}

func TestPodsThatTheSelectorMatchesArePrinted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		create(t, server, "web-1", "web")
		create(t, server, "db-1", "db")
		after := play(t, server, "app=web,!canary")
		assert.Equal(t, "shop/web-1 is Pending\nThat is all there is. Now what changes:\n",
			after(func() {}))
		assert.Equal(t, "shop/web-2 is Pending\n", after(func() {
			create(t, server, "web-2", "web")
			create(t, server, "db-2", "db")
		}))
		assert.Equal(t, "shop/web-1 was Pending, is Running\n", after(func() {
			run := func(name, app string) {
				pod := withLabel(name, app)
				pod["status"] = map[string]string{"phase": "Running"}
				_, err := server.UpdateStatus("pods", pod)
				assert.NoError(t, err)
			}
			run("web-1", "web")
			run("db-1", "db")
		}))
		assert.Empty(t, after(func() { patch(t, server, "web-1", `{"metadata":{"labels":{"a":"b"}}}`) }),
			"the same phase is not printed again")
		assert.Equal(t, "shop/web-1 is gone\n", after(func() {
			patch(t, server, "web-1", `{"metadata":{"labels":{"canary":"yes"}}}`)
		}), "what the selector no longer matches")
		assert.Equal(t, "shop/web-2 is gone\n", after(func() {
			assert.NoError(t, server.Delete("pods", "shop", "web-2"))
		}))
	})
}

func TestBothPartsShareOneListAndOneWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		play(t, server, "")(func() {})
		assert.Equal(t, 1, server.Requests("watch", "pods"))
		assert.Equal(t, 1, server.Requests("watch", "namespaces"))
	})
}

func TestANamespaceThatIsBeingDeletedIsPrintedWithItsPods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		for _, name := range []string{"shop", "empty"} {
			_, err := server.Create("namespaces", map[string]any{"metadata": map[string]any{
				"name": name, "finalizers": []string{"example.com/wait"}}})
			require.NoError(t, err)
		}
		for _, name := range []string{"web-1", "web-2"} {
			create(t, server, name, "web")
			patch(t, server, name, `{"metadata":{"finalizers":["example.com/wait"]}}`)
		}
		create(t, server, "db-1", "db")
		after := play(t, server, "app=web")
		after(func() {})
		assert.Contains(t, after(func() { assert.NoError(t, server.Delete("namespaces", "", "shop")) }),
			"namespace shop is being deleted, and has 2 of these pods\n")
		assert.Contains(t, after(func() { assert.NoError(t, server.Delete("namespaces", "", "empty")) }),
			"namespace empty is being deleted, and has 0 of these pods\n")
	})
}

func TestPodsAreNotCountedBeforeTheyAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		_, err := server.Create("namespaces", map[string]any{"metadata": map[string]any{
			"name": "shop", "finalizers": []string{"example.com/wait"}}})
		require.NoError(t, err)
		create(t, server, "web-1", "web")
		patch(t, server, "web-1", `{"metadata":{"finalizers":["example.com/wait"]}}`)
		server.Inject(fakeapi.Fault{
			Kind: fakeapi.FaultStatus, Resource: "pods", Code: http.StatusForbidden, Count: -1,
		})
		after := play(t, server, "")
		after(func() {})
		assert.NotContains(t, after(func() {
			assert.NoError(t, server.Delete("namespaces", "", "shop"))
		}), "being deleted", "it is not known how many there are")
	})
}

func TestASelectorThatIsNoneIsMisuse(t *testing.T) {
	assert.ErrorContains(t, run(t.Context(), []string{"-l", "app in web"}, io.Discard),
		"-l: label selector")
	assert.ErrorContains(t, run(t.Context(), []string{"-server", "nowhere"}, io.Discard), "nowhere")
}

func create(t *testing.T, server *fakeapi.Server, name, app string) {
	_, err := server.Create("pods", withLabel(name, app))
	require.NoError(t, err)
}

func withLabel(name, app string) map[string]any {
	return map[string]any{"metadata": map[string]any{
		"namespace": "shop", "name": name, "labels": map[string]string{"app": app},
	}}
}

func patch(t *testing.T, server *fakeapi.Server, name, with string) {
	_, err := server.Patch("pods", "shop", name, with)
	require.NoError(t, err)
}
