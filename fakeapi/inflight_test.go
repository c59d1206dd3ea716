package fakeapi

import (
	"context"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/desk"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

// occupied takes all the room at a desk until leave is called.
func occupied(t *testing.T, d *desk.Desk) (leave func()) {
	t.Helper()
	ctx, giveBack := context.WithCancel(t.Context())
	for _, weight := range []int{1 << 40, 256 << 10} { // in the line of large ones, and of small ones
		for err := error(nil); err == nil; {
			soon, cancel := context.WithTimeout(ctx, time.Millisecond)
			var free func()
			if free, err = d.Enter(soon, weight); err == nil {
				context.AfterFunc(ctx, free)
			}
			cancel()
		}
	}
	return func() { giveBack(); settled() }
}

func TestRequestsThatWait(t *testing.T) {
	const one = widgetsPath + "/web-1"
	large := made("web-2", `,"spec":{"text":"`+strings.Repeat("x", 100<<10)+`"}`)
	const json = "application/json"
	work := []struct{ way, method, path, body, header, value string }{
		{"create", "POST", widgetsPath, fullWidget("web-2"), "Content-Type", json},
		{"update", "PUT", one, made(`web-1","resourceVersion":"2`, ""), "Content-Type", json},
		{"patch", "PATCH", one, `{"spec":{"color":"blue"}}`, "Content-Type", patch.MediaMerge},
		{"delete", "DELETE", one, "", "Accept", json},
		{"delete a collection", "DELETE", widgetsPath, "", "Accept", json},
		{"get a table", "GET", one, "", "Accept", acceptTable + "," + json},
	}
	law := func(name string, f func(t *testing.T, s *Server)) {
		t.Run(name, func(t *testing.T) { bubble(t, Options{}, f) })
	}
	law("without room to compute, all verbs end after a minute", func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		leave := occupied(t, s.registry.Desk)
		for _, w := range work {
			assertTimedOut(t, s, time.Minute, w.way, w.method, w.path, w.body, w.header, w.value)
		}
		assert.Equal(t, "2", s.ResourceVersion())
		leave()
		for _, w := range work[:3] {
			resp, _ := send(t, s, w.method, w.path, w.body, "Content-Type", w.value)
			assert.Less(t, resp.StatusCode, 410, "%s: the places have been given back", w.way)
		}
	})
	law("what needs no work does not wait: a get, a list, a watch", func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		defer occupied(t, s.registry.Desk)()
		begin := time.Now()
		for _, path := range []string{one, widgetsPath, widgetsPath + "?watch=1&timeoutSeconds=0"} {
			resp, err := s.Client().Get(URL + path)
			require.NoError(t, err)
			assert.Equal(t, 200, resp.StatusCode)
			resp.Body.Close()
		}
		assert.Zero(t, time.Since(begin))
	})
	law("lists and watches decode their objects at the desk", func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		must(s.Create("events", widget("web-1", "")))
		must(s.Create("customresourcedefinitions", levers(nil)))
		must(s.Create("levers", lever("web-1", "red")))
		must(s.Update("customresourcedefinitions", levers(func(d object.Tree) {
			version := object.At[[]any](d, ".spec.versions")[0].(object.Tree)
			version["selectableFields"] = []any{object.Tree{"jsonPath": ".spec.size"}}
		})))
		for path, accept := range map[string]string{widgetsPath: acceptTable,
			widgetsPath + "?watch=1": acceptTable, "/apis/events.k8s.io/v1/events": json,
			leversPath + "?fieldSelector=spec.size%3D": json} {
			leave, begin := occupied(t, s.registry.Desk), time.Now()
			time.AfterFunc(time.Second, leave)
			resp := do(t, s, "GET", path, "", []string{"Accept", accept})
			must(resp.Body.Read(make([]byte, 1)))
			assert.Equal(t, time.Second, time.Since(begin), path)
			resp.Body.Close()
		}
	})
	law("large bodies wait before they are read, small ones do not", func(t *testing.T, s *Server) {
		leave := occupied(t, s.bodies)
		assertTimedOut(t, s, time.Minute, "large", "POST", widgetsPath, large)
		resp, _ := send(t, s, "POST", widgetsPath, fullWidget("web-1"))
		assert.Equal(t, 201, resp.StatusCode)
		leave()
		resp, _ = send(t, s, "POST", widgetsPath, large)
		assert.Equal(t, 201, resp.StatusCode)
	})
	law("a client that disconnects gives its place back at once", func(t *testing.T, s *Server) {
		leave := occupied(t, s.registry.Desk)
		ctx, cancel := context.WithCancel(t.Context())
		for range 64 {
			go func() {
				req, _ := http.NewRequestWithContext(ctx, "POST", URL+widgetsPath,
					strings.NewReader(fullWidget("web-1")))
				if resp, err := s.Client().Do(req); err == nil {
					resp.Body.Close()
				}
			}()
		}
		settled()
		cancel()
		settled()
		leave()
		assert.Equal(t, "1", s.ResourceVersion())
		create(t, s, "web-1", "red")
	})
	law("the parameter timeout shortens the minute, but not a watch", func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		defer occupied(t, s.registry.Desk)()
		for timeout, want := range map[string]time.Duration{"2s": 2 * time.Second, "1ns": 1,
			"0": time.Minute, "-5s": time.Minute, "100h": time.Minute, "": time.Minute} {
			assertTimedOut(t, s, want, timeout, "POST", widgetsPath+"?timeout="+timeout, large)
		}
		w := open(t, s, "timeout=1s")
		assert.Equal(t, "ADDED web-1@2", w.next())
		time.Sleep(10 * time.Minute)
		assert.Equal(t, 1, s.Watchers("widgets"))
	})
}

// assertTimedOut checks that the answer to a request comes after a time, and is a 504 in the genuine
// words.
func assertTimedOut(t *testing.T, s *Server, after time.Duration, law, method, path, body string,
	header ...string) {
	t.Helper()
	begin := time.Now()
	resp, answer := send(t, s, method, path, body, header...)
	assert.Equal(t, 504, resp.StatusCode, law)
	assert.Equal(t, after, time.Since(begin), law)
	assert.Regexp(t, `"message":"Timeout: request did not complete within the allotted timeout",`+
		`"reason":"Timeout"`, answer, law)
}

const largeRoom = 4800 // for large requests, at a desk of 6400

// atDesk runs f in a bubble, with a desk that has all its room again in the end.
func atDesk(t *testing.T, promise string, f func(t *testing.T, d *desk.Desk)) {
	t.Run(promise, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d := desk.New(6400)
			f(t, d)
			synctest.Wait()
			soon, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			for _, weight := range append(slices.Repeat([]int{100}, 16), largeRoom) {
				_, err := d.Enter(soon, weight)
				require.NoError(t, err)
			}
		})
	})
}

// sit enters with a weight in the background, and leaves when done is closed. It returns when
// the request is at the desk, or waits.
func sit(t *testing.T, d *desk.Desk, weight int, done <-chan struct{}) (entered func() bool) {
	var in atomic.Bool
	go func() {
		if leave, err := d.Enter(t.Context(), weight); err == nil {
			in.Store(true)
			<-done
			leave()
		}
	}()
	synctest.Wait()
	return in.Load
}

func TestDesk(t *testing.T) {
	atDesk(t, "the weights at the desk are never above its room, and all requests get there",
		func(t *testing.T, d *desk.Desk) {
			var now, most atomic.Int64
			var all sync.WaitGroup
			for range 64 {
				all.Go(func() {
					for range 20 {
						w := rand.IntN(12_000)
						leave, err := d.Enter(t.Context(), w)
						require.NoError(t, err)
						n := now.Add(int64(min(w, largeRoom)))
						most.Store(max(most.Load(), n))
						time.Sleep(rand.N(time.Second))
						now.Add(-int64(min(w, largeRoom)))
						leave()
					}
				})
			}
			all.Wait()
			assert.LessOrEqual(t, most.Load(), int64(6400))
		})
	atDesk(t, "requests enter in their order, but a small one does not wait for large ones",
		func(t *testing.T, d *desk.Desk) {
			first, rest := make(chan struct{}), make(chan struct{})
			require.True(t, sit(t, d, 4000, first)())
			second, third := sit(t, d, 4000, rest), sit(t, d, 500, rest)
			assert.False(t, second(), "there is no room")
			assert.False(t, third(), "there is, but the second comes first")
			assert.True(t, sit(t, d, 100, rest)(), "small")
			close(first)
			synctest.Wait()
			assert.True(t, second() && third())
			close(rest)
		})
	atDesk(t, "a request whose context ends gives its place back", func(t *testing.T, d *desk.Desk) {
		first, second := make(chan struct{}), make(chan struct{})
		sit(t, d, 4000, first)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin := time.Now()
		_, err := d.Enter(ctx, 4000)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Minute, time.Since(begin))
		_, err = d.Enter(ctx, 1)
		assert.ErrorIs(t, err, context.DeadlineExceeded, "it does not even enter an empty desk")
		assert.True(t, sit(t, d, 500, second)(), "the next one is not behind it")
		close(first)
		close(second)
	})
	atDesk(t, "a request that gives up while it is admitted gives its place back",
		func(t *testing.T, d *desk.Desk) {
			for range 100 {
				leave, err := d.Enter(t.Context(), largeRoom)
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					if leave, err := d.Enter(ctx, 4800); err == nil {
						leave()
					}
				}()
				synctest.Wait()
				go cancel()
				leave()
				<-done
			}
		})
	t.Run("while heavy requests compute, little garbage is allowed", func(t *testing.T) {
		percent := func() int { p := debug.SetGCPercent(100); debug.SetGCPercent(p); return p }
		before := percent()
		first, _ := desk.New(1<<30).Enter(t.Context(), 64<<20)
		second, _ := desk.New(1<<30).Enter(t.Context(), 64<<20)
		first()
		assert.Less(t, percent(), 50)
		second()
		assert.Equal(t, before, percent())
	})
}
