package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/client"
)

// A world is a server with configmaps, and a folder beside a file that no mirror may touch.
type world struct {
	t      *testing.T
	server *fakeapi.Server
	down   atomic.Bool // the network
	path   string
	mu     sync.Mutex
	out    strings.Builder // guarded by mu
	stop   func()          // and wait
}

func inAWorld(t *testing.T, law string, play func(w *world)) {
	t.Run(law, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "mirrored")
		synctest.Test(t, func(t *testing.T) {
			w := &world{t: t, server: fakeapi.New(fakeapi.Options{}), path: path}
			defer w.server.Close()
			play(w)
		})
	})
}

// Write takes what the mirror prints.
func (w *world) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(text)
}

// RoundTrip implements http.RoundTripper.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.down.Load() {
		return nil, errors.New("connection refused")
	}
	return w.server.Client().Transport.RoundTrip(r)
}

// start starts a mirror, and lets it come to rest. What an earlier one has printed is forgotten.
func (w *world) start(follow func(*folder, context.Context, *collection) error) {
	w.said()
	from, err := client.New[watchglass.Unstructured](client.Options{
		URL: fakeapi.URL + "/api/v1/configmaps", HTTPClient: &http.Client{Transport: w},
	})
	require.NoError(w.t, err)
	files, err := open(w.path, w)
	require.NoError(w.t, err)
	ctx, cancel := context.WithCancel(w.t.Context())
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(w.t, follow(files, ctx, from)) })
	w.stop = func() {
		cancel()
		running.Wait()
		assert.NoError(w.t, files.Close())
	}
	w.rest()
}

func (w *world) rest() {
	time.Sleep(2 * time.Minute) // longer than any pause after a failure
	synctest.Wait()
}

// said returns what was printed since the last call.
func (w *world) said() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.out.Reset()
	return strings.Split(strings.TrimSpace(w.out.String()), "\n")
}

// files returns the names of the files, and what is at key of the data in each.
func (w *world) files() map[string]string {
	found := map[string]string{}
	entries, err := os.ReadDir(w.path)
	require.NoError(w.t, err)
	f, err := open(w.path, io.Discard)
	require.NoError(w.t, err)
	defer f.Close()
	for _, e := range entries {
		obj, err := f.read(e.Name())
		require.NoError(w.t, err)
		found[e.Name()] = obj.StringAt("data", "size")
	}
	return found
}

func (w *world) put(name, size string) {
	obj := map[string]any{
		"metadata": map[string]string{"name": name}, "data": map[string]string{"size": size},
	}
	_, err := w.server.Update("configmaps", obj)
	if err != nil {
		_, err = w.server.Create("configmaps", obj)
	}
	require.NoError(w.t, err)
}

func (w *world) remove(name string) {
	require.NoError(w.t, w.server.Delete("configmaps", "default", name))
}

func TestAMirrorIsEqual(t *testing.T) {
	inAWorld(t, "each change is in the folder at once", func(w *world) {
		w.put("a", "1")
		w.start((*folder).mirror)
		assert.Equal(t, map[string]string{"default,a.json": "1"}, w.files())
		w.put("a", "2")
		w.put("b", "1")
		w.rest()
		assert.Equal(t, map[string]string{"default,a.json": "2", "default,b.json": "1"}, w.files())
		w.remove("a")
		w.rest()
		assert.Equal(t, map[string]string{"default,b.json": "1"}, w.files())
		w.stop()
	})
	inAWorld(t, "after a restart only what is different is written", func(w *world) {
		for _, name := range []string{"changes", "goes", "stays"} {
			w.put(name, "1")
		}
		w.start((*folder).mirror)
		w.stop()
		w.put("changes", "2")
		w.put("comes", "1")
		w.remove("goes")
		w.server.Compact()
		w.start((*folder).mirror)
		assert.ElementsMatch(t, []string{"files: 3", "wrote default,changes.json at version 5",
			"wrote default,comes.json at version 6", "removed default,goes.json"}, w.said())
		assert.Equal(t, map[string]string{"default,changes.json": "2", "default,comes.json": "1",
			"default,stays.json": "1"}, w.files())
		w.stop()
	})
	inAWorld(t, "a program that dies in a write leaves nothing behind", func(w *world) {
		w.put("a", "1")
		w.start((*folder).mirror)
		w.stop()
		half := filepath.Join(w.path, unfinished)
		require.NoError(t, os.WriteFile(half, []byte(`{"metadata":{"na`), 0o600))
		w.start((*folder).mirror)
		assert.Equal(t, map[string]string{"default,a.json": "1"}, w.files())
		w.stop()
	})
}

func TestABareWatchLosesDeletions(t *testing.T) {
	inAWorld(t, "while it is up it is equal, also across a connection that breaks", func(w *world) {
		w.put("a", "1")
		w.put("b", "1")
		w.start((*folder).follow)
		w.server.DropConnections()
		w.remove("a")
		w.put("b", "2")
		w.rest()
		assert.Equal(t, map[string]string{"default,b.json": "2"}, w.files())
		w.stop()
	})
	inAWorld(t, "an interrupt is no failure", func(w *world) {
		w.start((*folder).follow)
		w.stop()
		assert.Equal(t, []string{""}, w.said())
	})
	inAWorld(t, "what is deleted while it is down stays, until there is an informer", func(w *world) {
		w.put("goes", "1")
		w.put("stays", "1")
		w.start((*folder).follow)
		w.stop()
		w.remove("goes")
		w.start((*folder).follow)
		assert.Equal(t, map[string]string{"default,goes.json": "1", "default,stays.json": "1"},
			w.files(), "no event says that it is gone, and nothing compares")
		w.stop()
		w.start((*folder).mirror)
		assert.Equal(t, map[string]string{"default,stays.json": "1"}, w.files())
		w.stop()
	})
	for name, c := range map[string]struct {
		follow func(*folder, context.Context, *collection) error
		want   map[string]string
	}{
		"stays":                      {(*folder).follow, map[string]string{"default,a.json": "1", "default,b.json": "2"}},
		"is found with the informer": {(*folder).mirror, map[string]string{"default,b.json": "2"}},
	} {
		inAWorld(t, "a deletion that the server forgets before the next watch "+name, func(w *world) {
			w.put("a", "1")
			w.put("b", "1")
			w.start(c.follow)
			w.down.Store(true)
			w.server.DropConnections()
			w.rest()
			w.remove("a")
			w.put("b", "2")
			w.server.Compact()
			w.down.Store(false)
			w.rest()
			assert.Equal(t, c.want, w.files())
			w.stop()
		})
	}
}

func TestNothingOutsideItsFilesIsTouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mirrored")
	f, err := open(path, io.Discard)
	require.NoError(t, err)
	defer f.Close()
	object := func(namespace, name string) watchglass.Object {
		return &watchglass.Unstructured{Object: map[string]any{
			"metadata": map[string]any{"namespace": namespace, "name": name, "resourceVersion": "7"},
		}}
	}
	all := [][2]string{
		{"", "x"}, {"x", "x"}, {"", "x,x"}, {"", ".."}, {"..", ".."}, {"../..", "x"}, {"", "../x"}, {"", "/x"},
		{"", "x/../y"}, {"", `..\x`}, {"", "system:x"}, {"", "C:x"}, {"", "x%2Fy"}, {"", "x/y"}, {"", "x\x00y"},
		{"", strings.Repeat("x", 250)}, {strings.Repeat("n", 63), strings.Repeat("x", 253)},
		{strings.Repeat("n", 63), strings.Repeat("x", 252) + "y"},
	}
	keys := map[string]string{}
	for _, c := range all {
		assert.NoError(t, f.OnAdd(object(c[0], c[1]), false), c)
		keys[nameOf(object(c[0], c[1]))] = "7"
	}
	assert.Len(t, keys, len(all), "each object has a file of its own")
	beside, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, beside, 1, "a name does not lead out of the folder")
	names, err := os.ReadDir(path)
	require.NoError(t, err)
	assert.Len(t, names, len(all), "or into one below it")
	for _, c := range all {
		assert.NoError(t, f.OnDelete(object(c[0], c[1]), false))
		assert.NoError(t, f.OnDelete(object(c[0], c[1]), false), "there is none any more")
	}
	names, err = os.ReadDir(path)
	require.NoError(t, err)
	assert.Empty(t, names)
}

func TestAFolderWithOtherFilesIsRefused(t *testing.T) {
	for text, why := range map[string]string{
		"half": "invalid character",
		`{"metadata":{"name":"b","namespace":"default"}}`: "belongs into default,b.json",
		`{"metadata":{"name":"a"}}`:                       "belongs into a.json",
	} {
		path := t.TempDir()
		stranger := filepath.Join(path, "default,a.json")
		require.NoError(t, os.WriteFile(stranger, []byte(text), 0o600))
		over, cancel := context.WithCancel(t.Context())
		cancel() // a mirror that begins all the same comes to its end
		err := run(over, []string{"-to", path}, io.Discard)
		assert.ErrorContains(t, err,
			"default,a.json was not written by a mirror, which would remove it: ")
		assert.ErrorContains(t, err, why)
		assert.FileExists(t, stranger)
	}
}

func TestWhatCannotBeWrittenIsAnErrorAndCanBeWrittenLater(t *testing.T) {
	path := t.TempDir()
	f, err := open(path, io.Discard)
	require.NoError(t, err)
	defer f.Close()
	inTheWay := filepath.Join(path, "a.json")
	require.NoError(t, os.Mkdir(inTheWay, 0o755))
	obj := &watchglass.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "a"}}}
	assert.ErrorContains(t, f.OnAdd(obj, false), "a.json")
	require.NoError(t, os.Remove(inTheWay))
	assert.NoError(t, f.OnAdd(obj, false))
	names, err := os.ReadDir(path)
	require.NoError(t, err)
	assert.Len(t, names, 1, "nothing is left beside it")
}
