package fakeapi

import (
	"context"
	"math/rand/v2"
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
func sit(ctx context.Context, d *desk.Desk, weight int, done <-chan struct{}) (entered func() bool) {
	var in atomic.Bool
	go func() {
		if leave, err := d.Enter(ctx, weight); err == nil {
			in.Store(true)
			<-done
			leave()
		}
	}()
	synctest.Wait()
	return in.Load
}

func TestDesk(t *testing.T) {
	atDesk(t, "the weights at the desk are never above its room, and requests leave it, or give up",
		func(t *testing.T, d *desk.Desk) {
			var now, most atomic.Int64
			var all sync.WaitGroup
			for range 64 {
				all.Go(func() {
					for range 20 {
						w := rand.IntN(12_000)
						ctx, cancel := context.WithTimeout(t.Context(), rand.N(time.Minute))
						leave, err := d.Enter(ctx, w)
						assert.Equal(t, ctx.Err(), err)
						if cancel(); err != nil {
							continue
						}
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
			done, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := d.Enter(done, 1)
			assert.ErrorIs(t, err, context.Canceled, "it does not even enter an empty desk")
		})
	atDesk(t, "requests enter in their order, but a small one does not wait for large ones",
		func(t *testing.T, d *desk.Desk) {
			done := make(chan struct{})
			impatient, giveUp := context.WithCancel(t.Context())
			require.True(t, sit(t.Context(), d, 4000, done)())
			second, third := sit(impatient, d, 4000, done), sit(t.Context(), d, 500, done)
			assert.False(t, second(), "there is no room")
			assert.False(t, third(), "there is, but the second comes first")
			assert.True(t, sit(t.Context(), d, 100, done)(), "small")
			giveUp()
			synctest.Wait()
			assert.False(t, second())
			assert.True(t, third(), "the second does not come any more")
			close(done)
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
