package fakeapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestTheServerIsWhatTheModelSays gives the same random steps to a server and to the model and
// compares everything that a client can observe: each answer and each line of each watch. If they
// differ, it searches for the shortest sequence of steps that shows the difference.
func TestTheServerIsWhatTheModelSays(t *testing.T) {
	runs := 5 // of 1,000 steps; make check plays 100,000
	if underRace {
		runs = 1
	}
	if n, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil {
		runs = n
	}
	for seed := range runs {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel() // a bubble uses only one processor
			assertSame(t, randomScript(seed, modelSteps))
		})
	}
}

// FuzzTheServerIsWhatTheModelSays does the same with steps that the fuzzer makes.
func FuzzTheServerIsWhatTheModelSays(f *testing.F) {
	f.Add(randomScript(0, 100))
	f.Fuzz(assertSame)
}

// A run has enough steps to drop each resource's history several times.
const (
	modelSteps = 1000
	stepBytes  = 16 // of a script
)

func randomScript(seed, steps int) []byte {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	script := make([]byte, steps*stepBytes)
	for i := range script {
		script[i] = byte(r.Uint32())
	}
	return script
}

// assertSame gives a script's steps to a server and to the model.
func assertSame(t *testing.T, script []byte) {
	found := compare(t, script)
	if found == nil {
		return
	}
	steps := slices.Collect(slices.Chunk(script, stepBytes))[:found.step+1]
	for size, budget := len(steps)/2, 600; size > 0 && budget > 0; size /= 2 {
		for at := 0; at < len(steps)-1 && budget > 0; budget-- {
			fewer := slices.Concat(steps[:at], steps[min(at+size, len(steps)-1):])
			if d := compare(t, bytes.Join(fewer, nil)); d != nil {
				steps, found = fewer[:d.step+1], d
			} else {
				at += size
			}
		}
	}
	t.Fatalf("After\n\n%s\n\nthe model says\n\n%s\n\nand the server\n\n%s",
		strings.Join(found.steps, "\n"), strings.Join(found.model, "\n"),
		strings.Join(found.server, "\n"))
}

// A difference is the first step at which server and model differ, and what each shows.
type difference struct {
	step                 int
	steps, model, server []string
}

// compare plays a script in a bubble of its own. It returns nil if there is no difference.
func compare(t *testing.T, script []byte) (found *difference) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m, d := newModel(), newDriver()
		defer d.server.Close() // ends all watches
		var steps []string
		for draws := range slices.Chunk(script, stepBytes) {
			s := (&generator{m, draws}).step()
			steps = append(steps, s.String())
			model, server := append(m.do(s), m.received()...), append(d.do(s), d.received()...)
			if !slices.Equal(model, server) {
				found = &difference{len(steps) - 1, steps, model, server}
				return
			}
		}
	})
	return found
}

// A driver carries out steps on a Server, in a bubble, and shows the answers as the model does.
type driver struct {
	server  *Server
	uids    map[string]int // numbers, in the order in which they first appear
	tokens  map[string]string
	mu      sync.Mutex // guards what the streams have received
	streams map[string]*driverStream
}

// A driverStream is the client's end of a watch.
type driverStream struct {
	kind   traits
	cancel context.CancelFunc
	body   []byte // everything received
	read   int    // how much of it has been shown
	ended  bool
}

func newDriver() *driver {
	return &driver{server: New(Options{HistoryCount: modelHistory, HistoryAge: modelAge,
		BookmarkInterval: modelNotices}), uids: map[string]int{}, tokens: map[string]string{},
		streams: map[string]*driverStream{}}
}

// do carries out a step and returns the answer's lines.
func (d *driver) do(s step) []string {
	if old := d.streams[s.slot]; old != nil {
		old.cancel()
		delete(d.streams, s.slot)
	}
	switch s.verb {
	case "close":
	case "watch":
		d.watch(s)
	case "compact":
		d.server.Compact()
	case "wait":
		time.Sleep(s.wait)
	default:
		return d.send(s)
	}
	return nil
}

// send makes a request and shows the answer.
func (d *driver) send(s step) []string {
	if s.query["continue"] != "" {
		s.query["continue"] = d.tokens[s.slot]
	}
	w := httptest.NewRecorder()
	d.server.ServeHTTP(w, s.request())
	var a wireObject
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		return []string{fmt.Sprintf("code %d, but the body is not JSON: %v", w.Code, err)}
	}
	d.tokens[s.slot] = a.Metadata.Continue
	head := strconv.Itoa(w.Code)
	switch {
	case a.Kind == s.kind.kind:
		return []string{head + " " + d.show(s.kind, a, true)}
	case a.Kind == s.kind.kind+"List":
		head += " list @" + a.Metadata.ResourceVersion
	case a.Code != 0 && a.Code != w.Code:
		head += fmt.Sprint(", but the body says ", a.Code)
	}
	if a.Metadata.Continue != "" {
		head += " more"
	}
	if n := a.Metadata.RemainingItemCount; n != nil {
		head += fmt.Sprint(" ", *n)
	}
	lines := []string{head}
	for _, item := range a.Items {
		lines = append(lines, d.show(s.kind, item, s.kind.custom))
	}
	return lines
}

// watch starts a stream. It ends when the server ends it or it is cancelled.
func (d *driver) watch(s step) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &driverStream{kind: s.kind, cancel: cancel}
	d.streams[s.slot] = w
	go func() {
		d.server.ServeHTTP(newSink(func(p []byte) {
			d.mu.Lock()
			defer d.mu.Unlock()
			w.body = append(w.body, p...)
		}), s.request().WithContext(ctx))
		d.mu.Lock()
		defer d.mu.Unlock()
		w.ended = true
	}()
}

// received returns what the streams have received since the last call.
func (d *driver) received() (all []string) {
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, slot := range slices.Sorted(maps.Keys(d.streams)) {
		s := d.streams[slot]
		for line := range bytes.Lines(s.body[s.read:]) {
			all = append(all, slot+" "+d.frame(s.kind, line))
		}
		if s.read = len(s.body); s.ended {
			all = append(all, slot+" end")
			delete(d.streams, slot)
		}
	}
	return all
}

// frame returns the line for a frame of a watch.
func (d *driver) frame(k traits, line []byte) string {
	var f wireFrame
	if err := json.Unmarshal(line, &f); err != nil {
		return fmt.Sprintf("garbage: %q", line)
	}
	switch m := f.Object.Metadata; {
	case f.Type == "ERROR":
		return fmt.Sprint("ERROR ", f.Object.Code)
	case f.Type != "BOOKMARK":
		return f.Type + " " + d.show(k, f.Object, true)
	case m.Annotations[initialEventsEnd] != "":
		return "BOOKMARK end @" + m.ResourceVersion
	default:
		return "BOOKMARK @" + m.ResourceVersion
	}
}

// show returns the line for an object. typed says whether kind and apiVersion have to be in it.
func (d *driver) show(k traits, w wireObject, typed bool) string {
	if typed != (w.Kind == k.kind && w.APIVersion == k.apiVersion) {
		return "kind and apiVersion are missing, or should be"
	}
	m := w.Metadata
	if d.uids[m.UID] == 0 {
		d.uids[m.UID] = len(d.uids) + 1
	}
	o := modelObject{Namespace: m.Namespace, Name: m.Name, Version: versionOf(m.ResourceVersion),
		UID: d.uids[m.UID], Generation: m.Generation, App: m.Labels["app"],
		Finalizers: strings.Join(m.Finalizers, ","), Deleting: m.DeletionTimestamp != ""}
	parts := map[string]map[string]any{"spec": w.Spec, "data": w.Data}
	o.Color, _ = parts[k.part][k.field].(string)
	return fmt.Sprintf("%+v", o)
}
