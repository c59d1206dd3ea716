package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

// site is the page's server on pipes, so that it shares the bubble of the machine.
type site struct {
	t      *testing.T
	page   *page
	client *http.Client
}

const home = "http://localhost"

func newSite(t *testing.T, m *machine) *site {
	p := &page{run: "first", seen: m.seen, machine: m}
	l := fakeapi.NewPipeListener()
	server := &http.Server{Handler: p.handler()}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	transport := &http.Transport{DialContext: l.DialContext}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
	return &site{t, p, &http.Client{Transport: transport}}
}

// get returns the answer to a request, which the caller closes.
func (s *site) get(path string, headers ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, home+path, nil)
	require.NoError(s.t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := s.client.Do(req)
	require.NoError(s.t, err)
	return resp
}

// list is what a page does first.
func (s *site) list() (l Listing) {
	s.t.Helper()
	resp := s.get("/state")
	defer resp.Body.Close()
	require.NoError(s.t, json.NewDecoder(resp.Body).Decode(&l))
	return l
}

// sse is a server-sent event.
type sse struct {
	id, event string
	data      Event
}

// follow is a watch. It keeps what it has been sent.
type follow struct {
	body     *http.Response
	messages chan sse // closed at the end of the stream
}

func (s *site) watch(path string, headers ...string) *follow {
	s.t.Helper()
	f := &follow{body: s.get(path, headers...), messages: make(chan sse, 10_000)}
	require.Equal(s.t, "text/event-stream", f.body.Header.Get("Content-Type"))
	go f.read()
	s.t.Cleanup(func() { _ = f.body.Body.Close() })
	return f
}

func (f *follow) read() {
	defer close(f.messages)
	var m sse
	lines := bufio.NewScanner(f.body.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			m.id = value
		case "event":
			m.event = value
		case "data":
			if m.event == "step" && json.Unmarshal([]byte(value), &m.data) != nil {
				return
			}
		case "":
			if m.event != "" {
				f.messages <- m
			}
			m = sse{}
		}
	}
}

// now returns what has been sent so far, in a machine at rest.
func (f *follow) now() (sent []sse) {
	synctest.Wait()
	for {
		select {
		case m, more := <-f.messages:
			if !more {
				return append(sent, sse{event: "end"})
			}
			sent = append(sent, m)
		default:
			return sent
		}
	}
}

func TestAListAndAWatchMissNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		l := s.list()
		f := s.watch(fmt.Sprintf("/events?run=%s&after=%d", l.Run, l.Seq))
		assert.Empty(t, f.now(), "nothing has happened since the list")
		press(t, m, "update", "default/web-1")
		sent := f.now()
		require.NotEmpty(t, sent)
		for i, msg := range sent {
			assert.Equal(t, strconv.FormatInt(l.Seq+int64(i)+1, 10), msg.id,
				"the ids are the numbers of the events, without a gap")
			assert.Equal(t, l.Seq+int64(i)+1, msg.data.Seq)
		}
		last, now := sent[len(sent)-1].data.State, s.list()
		assert.Equal(t, now.State, last, "the state of the last event is the state that is listed")
		assert.Equal(t, now.Seq, sent[len(sent)-1].data.Seq)
	})
}

func TestAWatchResumesAfterTheLastEventID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		l := s.list()
		f := s.watch(fmt.Sprintf("/events?run=%s&after=%d", l.Run, l.Seq))
		press(t, m, "update", "default/web-1")
		first := f.now()
		require.NoError(t, f.body.Body.Close())
		press(t, m, "update", "default/web-2")
		seen := first[2].id
		again := s.watch(fmt.Sprintf("/events?run=%s&after=%d", l.Run, l.Seq), "Last-Event-ID", seen)
		sent := again.now()
		require.NotEmpty(t, sent)
		assert.Equal(t, first[3], sent[0], "it goes on after the last event that the page has got")
		assert.Equal(t, s.list().Seq, sent[len(sent)-1].data.Seq, "up to now")
	})
}

func TestAPageThatFellBehindIsToldThatItsEventsAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := newFakeMachine(newCollector(source, 40), deltaFIFO, false)
		require.NoError(t, err)
		t.Cleanup(m.close)
		require.NoError(t, m.furnish())
		s := newSite(t, m)
		old := s.list()
		for range 20 {
			press(t, m, "update", "default/web-1")
		}
		now := s.list()
		assert.Greater(t, now.Floor, old.Seq+1, "old events were compacted")
		assert.LessOrEqual(t, now.Seq-now.Floor, int64(50), "the log is bounded")
		gone := []sse{{event: "gone"}, {event: "end"}}
		assert.Equal(t, gone, s.watch(fmt.Sprintf("/events?after=%d", old.Seq)).now())
		assert.Len(t, s.watch(fmt.Sprintf("/events?after=%d", now.Floor-1)).now(),
			int(now.Seq-now.Floor+1), "the oldest that is held is not gone")
		assert.Equal(t, gone, s.watch(fmt.Sprintf("/events?after=%d", now.Floor-2)).now())
		resp := s.get(fmt.Sprintf("/event/%d", old.Seq))
		defer resp.Body.Close()
		assert.Equal(t, http.StatusGone, resp.StatusCode, "a step back to it is answered 410")
	})
}

func TestAPageOfAnotherRunListsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		gone := []sse{{event: "gone"}, {event: "end"}}
		assert.Equal(t, gone, s.watch("/events?run=before&after=3").now(),
			"event 3 of the run before the restart is not event 3 of this one")
		assert.Equal(t, gone, s.watch("/events?run=first&after=100000").now(),
			"no event has that number yet, so the page has it from another run")
	})
}

func TestTwoPagesAreSentTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		one, two := s.watch("/events?after=0"), s.watch("/events?after=0")
		press(t, m, "create", "default/web-3")
		sent := one.now()
		assert.Equal(t, sent, two.now())
		assert.Equal(t, s.list().Seq, int64(len(sent)), "both have everything from the first event on")
	})
}

// A page that does not read holds up nothing: the machine goes on, and after a while the page's
// connection is cut.
func TestASlowPageHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		slow := s.get("/events?after=0") // pipes have no buffer: the first write waits for a reader
		defer slow.Body.Close()
		before := s.list().Seq
		press(t, m, "update", "default/web-1")
		agree(t, m, "an update while a page does not read")
		assert.Greater(t, s.list().Seq, before)
		time.Sleep(patience + time.Second)
		synctest.Wait()
		start := time.Now()
		for buffer := make([]byte, 64<<10); ; {
			if _, err := slow.Body.Read(buffer); err != nil {
				break
			}
		}
		assert.Zero(t, time.Since(start), "the stream was cut after its time to be read was over")
	})
}

func TestAHeadRequestDoesNotWaitForEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, newRig(t, deltaFIFO))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req := httptest.NewRequestWithContext(ctx, http.MethodHead,
			fmt.Sprintf("%s/events?after=%d", home, s.list().Seq), nil)
		w := httptest.NewRecorder()
		answered := make(chan struct{})
		go func() { defer close(answered); s.page.handler().ServeHTTP(w, req) }()
		synctest.Wait()
		select {
		case <-answered:
			assert.Equal(t, "text/event-stream", w.Header().Get("Content-Type"))
		default:
			t.Error("HEAD /events waits for events, although its answer has no body")
			cancel()
		}
		<-answered
	})
}

func TestASilentStreamSaysThatItIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		resp := s.get(fmt.Sprintf("/events?after=%d", s.list().Seq))
		defer resp.Body.Close()
		line, err := bufio.NewReader(resp.Body).ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, ": still here\n", line)
	})
}

func TestOneEventIsTheWholePicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		sent := s.watch("/events?after=0").now()
		for _, msg := range []sse{sent[0], sent[len(sent)/2], sent[len(sent)-1]} {
			resp := s.get("/event/" + msg.id)
			var e Event
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&e))
			_ = resp.Body.Close()
			assert.Equal(t, msg.data, e)
		}
	})
}

// The state of an event is the state at its number, however many goroutines report.
func TestReportsFromManyGoroutinesHaveOneOrder(t *testing.T) {
	const goroutines, each = 4, 5000
	c := newCollector(source, goroutines*each)
	begin := make(chan struct{})
	var reporting sync.WaitGroup
	for range goroutines {
		reporting.Go(func() {
			<-begin
			for range each {
				c.report(said(laneYou, "test", ""), func(m *model) { m.server.change().rv++ })
			}
		})
	}
	close(begin)
	reporting.Wait()
	events, _, ok := c.after(0, goroutines*each)
	require.True(t, ok)
	require.Len(t, events, goroutines*each)
	for i, e := range events {
		require.Equal(t, int64(i+1), e.Seq)
		require.Equal(t, uint64(i+1), e.State.Server.RV,
			"no other report comes between the change and the picture of it")
	}
}

// A browser opens six connections to a server. The page that would take the last one is told so, and
// asks again later.
func TestAPageTooManyIsToldSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := newSite(t, m)
		var watches []*http.Response
		for range maxWatches {
			watches = append(watches, s.get("/events?after=0"))
		}
		synctest.Wait()
		full := s.get("/events?after=0")
		said := make([]byte, len("event: full\n"))
		_, err := io.ReadFull(full.Body, said)
		require.NoError(t, err)
		full.Body.Close()
		assert.Equal(t, "event: full\n", string(said))
		for _, w := range watches {
			w.Body.Close()
		}
		synctest.Wait()
		again := s.get("/events?after=0")
		defer again.Body.Close()
		first := make([]byte, 6)
		_, err = io.ReadFull(again.Body, first)
		require.NoError(t, err)
		assert.Equal(t, "id: 1\n", string(first), "there is room when one has left")
	})
}
