package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

// record is what the informer did and was told in one run. Times count from the fault's beginning.
type record struct {
	mu       sync.Mutex
	began    time.Time
	over     bool
	requests []*request
	calls    []moment // of the user's handler
	errors   []moment // of WatchErrorHandler
}

// moment is something that happened at a time.
type moment struct {
	at   time.Duration
	text string
}

// request is one request as the client's transport sees it.
type request struct {
	moment
	answer string // a status code, or how the connection failed
	end    string // how the body ended, if it ended badly
}

func (r *record) note(to *[]moment, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		*to = append(*to, moment{time.Since(r.began), fmt.Sprintf(format, args...)})
	}
}

// start is when the fault begins: what came before is not part of the run.
func (r *record) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began, r.requests, r.calls, r.errors = time.Now(), nil, nil, nil
}

// RoundTrip notes a request, its answer, and how the body ends.
func (s spy) RoundTrip(req *http.Request) (*http.Response, error) {
	what, q := kindOf(req), req.URL.Query()
	if v := q.Get("resourceVersion"); v != "" {
		what += "@" + v
	}
	s.record.mu.Lock()
	one := &request{moment: moment{time.Since(s.record.began), what}}
	if !s.record.over {
		s.record.requests = append(s.record.requests, one)
	}
	s.record.mu.Unlock()
	resp, err := s.Transport.RoundTrip(req)
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	if err != nil {
		one.answer = failure(err)
		return nil, err
	}
	one.answer = fmt.Sprint(resp.StatusCode)
	resp.Body = &spyBody{ReadCloser: resp.Body, record: s.record, of: one}
	return resp, nil
}

type spy struct {
	*http.Transport
	record *record
}

type spyBody struct {
	io.ReadCloser
	record *record
	of     *request
	closed bool // guarded by the mutex of record
}

func (b *spyBody) Close() error {
	b.record.mu.Lock()
	b.closed = true
	b.record.mu.Unlock()
	return b.ReadCloser.Close()
}

func (b *spyBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	list := strings.HasPrefix(b.of.text, "list") || b.of.answer != "200"
	b.record.mu.Lock()
	defer b.record.mu.Unlock()
	if err != nil && !isOurs(err) && !b.closed && !b.record.over && !(list && err == io.EOF) {
		b.of.end = failure(err)
	}
	return n, err
}

// failure names an error of a connection in a word or two.
func failure(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "timeout"
	case strings.HasPrefix(err.Error(), "stream error"):
		return "RST_STREAM"
	case strings.Contains(err.Error(), "GOAWAY"):
		return "GOAWAY"
	}
	return err.Error()
}

// isOurs reports whether the reflector has ended the request itself.
func isOurs(err error) bool {
	return slices.ContainsFunc([]error{context.Canceled, reflector.ErrIdle, reflector.ErrListTimeout,
		reflector.ErrNoInitialEventsEnd}, func(ours error) bool { return errors.Is(err, ours) })
}

func (r *record) OnAdd(obj watchglass.Object, _ bool) { r.note(&r.calls, "add %s", name(obj)) }
func (r *record) OnUpdate(_, obj watchglass.Object)   { r.note(&r.calls, "update %s", name(obj)) }

func (r *record) OnDelete(obj watchglass.Object) {
	if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
		r.note(&r.calls, "delete %s (tombstone)", name(gone.Obj))
		return
	}
	r.note(&r.calls, "delete %s", name(obj))
}

func name(obj watchglass.Object) string { return obj.GetName() + "@" + obj.GetResourceVersion() }

// play plays a fault to an informer, in a bubble, and returns what the informer did.
func play(t *testing.T, s script, phase string) (did *record) {
	synctest.Test(t, func(t *testing.T) {
		did = &record{began: time.Now()}
		server := newServer(s.http2)
		var running sync.WaitGroup
		running.Go(func() { _ = server.http.Serve(server) })
		if phase == "initial" {
			s.initial(server)
		}
		ctx, cancel := context.WithCancel(t.Context())
		transport := &http.Transport{DialContext: server.connect, Protocols: protocols(s.http2),
			HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second}}
		inf := newInformer(t, s, spy{transport, did})
		running.Go(func() { _ = inf.Run(ctx) })
		if phase == "watching" {
			<-server.waits
			age := s.age
			if age == 0 {
				age = 2 * time.Second
			}
			time.Sleep(age)
			server.set(func() { server.world, server.began = afterwards, time.Now() })
			did.start()
			s.watching(server)
		}
		lasts := s.lasts
		if lasts == 0 {
			lasts = 45 * time.Second
		}
		time.Sleep(lasts)
		synctest.Wait()
		did.mu.Lock()
		did.over = true
		did.mu.Unlock()
		cancel()
		server.close()
		transport.CloseIdleConnections()
		running.Wait()
	})
	return did
}

// patient asks for watches of always the same length. The reflector would choose it at random.
type patient struct{ *client.Client[object] }

func (p patient) Watch(ctx context.Context, o reflector.ListOptions) (reflector.Watch, error) {
	o.TimeoutSeconds = 400
	return p.Client.Watch(ctx, o)
}

// newInformer returns an informer with default options, but without jitter: pauses are exact. It
// gives a silent watch up after 430 s; without patient it would do so after 330 to 630 s.
func newInformer(t *testing.T, s script, through spy) *informer.SharedIndexInformer {
	lw, err := client.New[object](client.Options{URL: "http://server/api/v1/configmaps",
		HTTPClient: &http.Client{Transport: through}, Kind: "ConfigMap", APIVersion: "v1"})
	require.NoError(t, err)
	inf := informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: patient{lw},
		Reflector: reflector.Options{ListFirst: s.listFirst, IdleTimeout: 430 * time.Second,
			Backoff: reflector.Backoff{Jitter: -1}},
		Transform: s.transform,
		WatchErrorHandler: func(err error) {
			text := strings.TrimPrefix(err.Error(), "configmaps: ")
			text = strings.ReplaceAll(text, "http://server/api/v1/configmaps: ", "")
			through.record.note(&through.record.errors, "%s", strings.ReplaceAll(text, "\n", "; "))
		},
	})
	_, err = inf.AddEventHandler(processor.ResourceEventHandler(through.record),
		processor.HandlerOptions{})
	require.NoError(t, err)
	return inf
}

// asked writes the requests: each run of equal ones once, with all its times.
func (r *record) asked() string {
	var all []moment
	for _, q := range r.requests {
		text := q.text + " " + q.answer
		if q.answer == "200" && q.end != "" {
			text += ", " + q.end
		}
		all = append(all, moment{q.at, text})
	}
	return folded(all, "; ")
}

// together writes calls, those of one moment in one group.
func together(calls []moment) string {
	var groups []moment
	for _, c := range calls {
		if last := len(groups) - 1; last >= 0 && c.at-groups[last].at < 100*time.Millisecond {
			groups[last].text += ", " + c.text
		} else {
			groups = append(groups, c)
		}
	}
	return folded(groups, ", ")
}

// byText puts moments with the same text behind the first of them.
func byText(all []moment) []moment {
	first := map[string]int{}
	for i, m := range slices.Backward(all) {
		first[m.text] = i
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b moment) int {
		return first[a.text] - first[b.text]
	})
}

// folded writes moments; equal ones in a row, or groups of up to four at one time, are written
// once, with the times of each, or the first and the last of many.
func folded(all []moment, between string) string {
	var parts []string
	for i := 0; i < len(all); {
		period, times := 1, 1
		for p := 1; p <= 4 && atOnce(all, i, p); p++ {
			n := 1
			for same(all, i, i+n*p, p) {
				n++
			}
			if n > 1 && n*p > times*period {
				period, times = p, n
			}
		}
		var texts, at []string
		for _, m := range all[i : i+period] {
			texts = append(texts, m.text)
		}
		for n := range times {
			at = append(at, fmt.Sprintf("%.1f", all[i+n*period].at.Seconds()))
		}
		one := strings.Join(texts, " + ")
		if times > 6 {
			at = []string{at[0], "…", at[times-1], fmt.Sprintf("×%d", times)}
		}
		parts = append(parts, one+" "+strings.Join(at, " "))
		i += period * times
	}
	return strings.Join(parts, between)
}

// atOnce reports whether p moments follow each other so closely that one time stands for all.
func atOnce(all []moment, i, p int) bool {
	return i+p <= len(all) && all[i+p-1].at-all[i].at < 100*time.Millisecond
}

// same reports whether the p moments at i and at j have the same texts.
func same(all []moment, i, j, p int) bool {
	return atOnce(all, j, p) && slices.EqualFunc(all[i:i+p], all[j:j+p],
		func(a, b moment) bool { return a.text == b.text })
}
