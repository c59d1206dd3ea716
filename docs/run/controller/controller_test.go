package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/fakeapi"
)

// The refusals are injected, so no event follows them: if the controller does not try again, the
// widget stays as it is.
func TestRefusalsAreRetried(t *testing.T) {
	inBubble(t, "later each time, and after Retry-After, or five minutes", func(t *testing.T, r *fixture) {
		r.run()
		for _, code := range []int{404, 409, 422, 500} {
			r.fails(1, code, 0)
		}
		r.fails(1, 429, 7*time.Second)
		r.fails(1, 429, 12*time.Hour)
		r.create("web-1")
		pass(time.Hour)
		assert.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms, 40 * ms, 7 * time.Second, 5 * time.Minute},
			r.gaps())
		r.agrees()
	})
}

// For an hour every write fails. The controller goes on trying, about once a minute.
func TestNoFailedWriteIsAHotLoop(t *testing.T) {
	for _, f := range []fakeapi.Fault{
		{Kind: fakeapi.FaultStatus, Code: 500},
		{Kind: fakeapi.FaultStatus, Code: 429, RetryAfter: time.Second},
		{Kind: fakeapi.FaultHang},
	} {
		inBubble(t, fmt.Sprint(f.Kind, f.Code), func(t *testing.T, r *fixture) {
			r.run()
			f.Verb, f.Count = "update", -1
			r.server.Inject(f)
			r.create("web-1")
			pass(time.Hour)
			assert.LessOrEqual(t, len(r.sent()), 60+20, "the server is flooded")
			assert.GreaterOrEqual(t, len(r.sent()), 50, "the controller has given up")
			r.server.Heal()
			pass(2 * time.Minute)
			r.agrees()
		})
	}
}

func TestWrites(t *testing.T) {
	// A write based on an old state would delete what another program wrote in the meantime.
	inBubble(t, "a conflict loses no update", func(t *testing.T, r *fixture) {
		r.run()
		r.create("web-1")
		pass(time.Second)
		slow(r.server, time.Second, 1)
		require.NoError(t, paint(r.server, "web-1", "blue"))
		pass(500 * ms) // the write is on its way
		require.NoError(t, writeNote(r.server, "web-1", "inspected"))
		pass(time.Minute)
		assert.Equal(t, Status{Color: "blue", ObservedGeneration: 2, Note: "inspected"}, r.status("web-1"))
		assert.Len(t, r.sent(), 3, "the write that was refused is sent again, once")
		r.agrees()
	})
	// Otherwise a key that is queued again during its write would be written from the old state.
	inBubble(t, "a worker waits until the cache shows its write", func(t *testing.T, r *fixture) {
		r.lag = 300 * ms
		r.run()
		pass(time.Second)
		slow(r.server, 100*ms, 1)
		r.create("web-1")
		pass(350 * ms)
		require.Len(t, r.sent(), 1, "the write is on its way")
		r.c.queue.Add("default/web-1")
		pass(100 * ms)
		require.Equal(t, "red", r.status("web-1").Color)
		cached, _ := r.c.widgets.Lister().Get("default/web-1")
		require.Empty(t, cached.Status.Color, "the cache is behind the write")
		pass(time.Minute)
		assert.Len(t, r.sent(), 1, "the second look finds the written state")
		r.agrees()
	})
}

func TestStopping(t *testing.T) {
	inBubble(t, "writes what is queued", func(t *testing.T, r *fixture) {
		r.run()
		slow(r.server, time.Second, -1)
		for i := range 10 {
			r.create(fmt.Sprint("web-", i))
		}
		pass(1500 * ms) // two are written, two on their way, six queued
		began := time.Now()
		r.end()
		assert.NoError(t, r.ended)
		assert.Equal(t, 3500*ms, time.Since(began), "two workers, one second a write")
		for i := range 10 {
			assert.Equal(t, "red", r.status(fmt.Sprint("web-", i)).Color)
		}
		sent := r.sent()
		r.create("web-10")
		pass(time.Hour)
		assert.Equal(t, sent, r.sent(), "a controller that has ended writes nothing")
	})
	inBubble(t, "does not wait for a silent server", func(t *testing.T, r *fixture) {
		r.run()
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultHang, Verb: "update", Count: -1})
		for i := range 100 {
			r.create(fmt.Sprint("web-", i))
		}
		pass(time.Second)
		began := time.Now()
		r.end()
		assert.Equal(t, drainLimit, time.Since(began))
		assert.ErrorContains(t, r.ended, "92 items queued", "four writes of each worker have timed out")
	})
}

func runController(ctx context.Context, args string, stdout, stderr io.Writer) int {
	return program.Func(run).Run(ctx, "controller", strings.Fields(args), stdout, stderr)
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	for args, says := range map[string]string{
		"-n -1 -server http://host":   "-n -1 makes no sense",
		"-n 1":                        "-n needs -server URL",
		"-workers 0":                  "-workers 0 makes no sense",
		"more":                        `"more" is not a flag`,
		"-server localhost:8001":      `-server "localhost:8001" is no URL`,
		"-server ftp://host":          "is no URL such as http://127.0.0.1:8001",
		"-server http://":             "is no URL",
		"-server http://host?watch=1": "more than scheme, host and path",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, program.Misused, runController(t.Context(), args, &stdout, &stderr), args)
		assert.Contains(t, stderr.String(), says)
		assert.Empty(t, stdout.String(), args)
	}
}

func TestTheDemonstration(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := runController(t.Context(), fmt.Sprint("-workers ", workers), &stdout, &stderr)
			assert.Equal(t, program.OK, code, stderr.String())
			shown := stdout.String()
			for _, line := range []string{
				"default/web-1: painted blue @9\n",
				"web-2/status: server says 500 InternalError",
				"default/web-2: painted green @11\n",
				"web-3/status: server says 409 Conflict",
				"default/web-3: painted green @14\n",
				"default/web-1: painted shade-20 @",
				"default/web-2: gone\n",
				"default/web-1: painted white @",
				"default/web-3: painted white @",
				"The controller has ended: ",
			} {
				assert.Contains(t, shown, line)
			}
			assert.Equal(t, 3, strings.Count(shown, "server says 500"), "three writes get 500, as injected")
			last := strings.LastIndex(shown, "painted")
			assert.Less(t, last, strings.Index(shown, "The controller has ended"))
		})
	}
}

// Over TCP, with as many writes as -n says.
func TestAgainstAServer(t *testing.T) {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	front := httptest.NewServer(server)
	defer front.Close()
	for i := range 3 {
		_, err := server.Create("widgets", fmt.Sprintf(
			`{"metadata":{"name":"web-%d"},"spec":{"color":"red"}}`, i))
		require.NoError(t, err)
	}
	var stdout, stderr bytes.Buffer
	code := runController(t.Context(), "-n 3 -server "+front.URL+"/", &stdout, &stderr)
	assert.Equal(t, program.OK, code, stderr.String())
	assert.Equal(t, 3, strings.Count(stdout.String(), ": painted red @"), stdout.String())
	assert.Contains(t, stdout.String(), "Stopped: 3 writes were accepted, 0 failed.\n")
}

func TestAServerThatIsAwayIsReported(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() { // the port of this URL refuses connections
		ended <- runController(ctx, "-server http://127.0.0.1:1", in, io.Discard)
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "cannot watch: ") {
	}
	assert.Contains(t, lines.Text(), "connection refused")
	interrupt()
	_ = out.Close()
	assert.Equal(t, program.OK, <-ended, "an interrupt is no failure")
}
