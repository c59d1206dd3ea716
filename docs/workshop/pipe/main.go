package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/watchglass/docs/workshop/exercise"
	"example.com/watchglass/fakeapi"
)

// parts are the exercises that have a place in the pipe.
var parts = []string{"1.2", "2.1", "2.2", "3.1", "3.2", "3.3", "4.1", "4.2", "5.2", "6.1"}

func main() {
	listed, ok := os.LookupEnv("PIPE")
	if !ok {
		fmt.Println("make pipe runs this, with a part in the place of each exercise that is open.")
		os.Exit(1)
	}
	fmt.Print(whose(strings.Fields(listed)))
	defer exercise.Limit("the pipe", "")()
	show(os.Stdout, func() { time.Sleep(200 * time.Millisecond) })
}

// whose says which parts the learner has written.
func whose(solved []string) string {
	var yours, ours []string
	for _, p := range parts {
		if slices.Contains(solved, p) {
			yours = append(yours, p)
		} else {
			ours = append(ours, p)
		}
	}
	say := func(ids []string, says string) string {
		if len(ids) == 0 {
			return ""
		}
		return fmt.Sprintf("  %s %s.\n", strings.Join(ids, ", "), says)
	}
	return say(yours, "you wrote") + say(ours, "you have not written: in their place run the solutions")
}

const (
	path   = "/apis/workshop.example.dev/v1/namespaces/default/widgets"
	settle = 6 * time.Second // longer than the first two pauses after failures can be
)

// show runs the scenes. rest lets the pipe come to rest after a command.
func show(out io.Writer, rest func()) {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	p := &printer{out: out, began: time.Now()}
	network := &network{to: server.Client().Transport}
	mine := &informer{client: &http.Client{Transport: network}, url: fakeapi.URL + path,
		log: p}

	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	scenes := &scenes{printer: p, server: server, network: network, cache: mine.cacheLine,
		rest: rest}
	scenes.play(func() { running.Go(func() { mine.run(ctx) }) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.cache, _, _ = strings.Cut(mine.cacheLine(), ",")
	fmt.Fprintf(out, "\n%s", verdict(p.record))
}

// A network is the connection to the server, which can be down.
type network struct {
	to   http.RoundTripper
	down atomic.Bool
}

var errDown = errors.New("connection refused")

// RoundTrip implements http.RoundTripper.
func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	if n.down.Load() {
		return nil, errDown
	}
	return n.to.RoundTrip(r)
}

// printer prints what each part of the pipe does. The order between two parts may change from run
// to run; the order of what one part does can't.
type printer struct {
	out    io.Writer
	began  time.Time
	mu     sync.Mutex // one line at a time
	record record     // guarded by mu
}

func (p *printer) say(who, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := time.Since(p.began).Round(100 * time.Millisecond)
	line := fmt.Sprintf(format, args...)
	switch {
	case who == "handler":
		p.record.note("5.2 pump", line)
	case who == "reflector" && strings.HasPrefix(line, "listed"):
		p.record.lists++
	}
	fmt.Fprintf(p.out, "    %5s  %-10s %s\n", at, who, line)
}

// note keeps what an exercise has made of its input, without a line for the reader.
func (p *printer) note(part, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.note(part, line)
}

func (p *printer) scene(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.record.scene++
	fmt.Fprintf(p.out, "\n  %s\n", fmt.Sprintf(format, args...))
}

// cacheLine shows cache and index.
func (i *informer) cacheLine() string {
	states := i.states()
	var shown []string
	for _, key := range slices.Sorted(maps.Keys(states)) {
		shown = append(shown, version(states[key]))
	}
	line := "[" + strings.Join(shown, " ") + "]"
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, color := range slices.Sorted(maps.Keys(i.byColor)) {
		line += fmt.Sprintf(", %s: %s", color,
			strings.Join(slices.Sorted(maps.Keys(i.byColor[color])), " "))
	}
	return line
}
