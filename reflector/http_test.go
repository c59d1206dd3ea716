package reflector_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A mirror is a store whose String has the form of contents.
type mirror struct {
	mu      sync.Mutex
	objects map[string]string // name → version
}

func (m *mirror) Add(obj watchglass.Object) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.objects[obj.GetName()] = obj.GetResourceVersion()
	return nil
}

func (m *mirror) Update(obj watchglass.Object) error { return m.Add(obj) }

func (m *mirror) Delete(obj watchglass.Object) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, obj.GetName())
	return nil
}

func (m *mirror) Replace(list []watchglass.Object, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.objects = map[string]string{}
	for _, obj := range list {
		m.objects[obj.GetName()] = obj.GetResourceVersion()
	}
	return nil
}

func (m *mirror) Resync() error { return nil }

func (m *mirror) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return show(m.objects)
}

func show(objects map[string]string) string {
	var all []string
	for name, version := range objects {
		all = append(all, name+"@"+version)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// contents is what the server has: "db-1@6 web-1@5".
func contents(t *testing.T, server *fakeapi.Server) string {
	items, _, err := server.List("widgets", "")
	require.NoError(t, err)
	objects := map[string]string{}
	for _, item := range items {
		var w struct {
			watchglass.ObjectMeta `json:"metadata"`
		}
		require.NoError(t, json.Unmarshal(item, &w))
		objects[w.Name] = w.ResourceVersion
	}
	return show(objects)
}

// Several reflectors share one client. Whatever happens to server and connections, in the end all
// stores have the content of the server.
func TestOverHTTP(t *testing.T) {
	for says, listFirst := range map[string]bool{"streaming lists": false, "lists": true} {
		synctest.Test(t, func(t *testing.T) {
			server := fakeapi.New(fakeapi.Options{})
			client, err := wire.NewClient[watchglass.Unstructured](wire.ClientOptions{
				URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
				HTTPClient: server.Client(),
			})
			require.NoError(t, err)
			defer server.Close()
			var running sync.WaitGroup
			defer running.Wait()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()

			var stores []*mirror
			var reflectors []*reflector.Reflector
			for range 3 {
				store := &mirror{objects: map[string]string{}}
				r, err := reflector.New(reflector.Options{
					ListerWatcher: client, Store: store,
					ListFirst: listFirst,
					WatchErrorHandler: func(err error) {
						assert.NotContains(t, err.Error(), "differs from a list")
					},
				})
				require.NoError(t, err)
				running.Go(func() { r.Run(ctx) })
				stores, reflectors = append(stores, store), append(reflectors, r)
			}
			for _, c := range []struct {
				says    string
				refuses bool // from now on
				do      func()
			}{
				{"changes over the watch", false, func() {}},
				{"changes while no watch is open", false, server.DropWatches},
				{"changes that the server then forgets", true, func() {
					server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
					server.DropWatches()
					time.Sleep(time.Minute)
				}},
				{"a server that is back", false, server.Heal},
			} {
				c.do()
				churn(t, server)
				if c.refuses {
					server.Compact()
					continue // the server cannot be reached yet
				}
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				for i, store := range stores {
					assert.Equal(t, contents(t, server), store.String(), "%s: %s, store %d", says, c.says, i)
					assert.Equal(t, server.ResourceVersion(), reflectors[i].LastSyncResourceVersion(), c.says)
				}
			}
			fetched := reflector.Transition{From: reflector.Streaming, On: reflector.Streamed, To: reflector.Watching}
			if listFirst {
				fetched = reflector.Transition{From: reflector.Listing, On: reflector.Listed, To: reflector.OpeningWatch}
			}
			stats := reflectors[0].Stats()
			assert.Equal(t, 2, stats.Rows[fetched],
				"%s: one fetch at the beginning and one after the compaction", says)
			assert.Equal(t, 1, stats.Errors["expired"], says)
		})
	}
}

// churn creates, changes and deletes.
func churn(t *testing.T, server *fakeapi.Server) {
	prefix := "w" + server.ResourceVersion()
	for i := range 3 {
		_, err := server.Create("widgets", map[string]any{
			"metadata": map[string]any{"name": fmt.Sprintf("%s-%d", prefix, i), "namespace": "default"},
		})
		require.NoError(t, err)
	}
	_, err := server.Patch("widgets", "default", prefix+"-0", `{"spec":{"color":"red"}}`)
	require.NoError(t, err)
	require.NoError(t, server.Delete("widgets", "default", prefix+"-1"))
}
