package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/reflector/cluster"
)

func main() { program.Main("controller", run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	f, err := parse(args, stdout)
	out := &printer{to: stdout}
	switch {
	case err != nil:
		return err
	case f.server == "":
		return demonstrate(ctx, f.workers, out)
	}
	return live(ctx, f, out)
}

// live runs the controller against a server until ctx ends, or until n writes were accepted.
func live(ctx context.Context, f flags, out *printer) error {
	client, err := cluster.NewHTTPClient(cluster.Options{})
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c, err := newController(options{
		server: strings.TrimRight(f.server, "/"), client: client, workers: f.workers,
		outcome: func(key, did string, err error) {
			if out.outcome(key, did, err); f.writes > 0 && out.sum().written >= f.writes {
				stop()
			}
		},
	})
	if err != nil {
		return err
	}
	out.say("Widgets of %s with %d workers; interrupt to stop.", f.server, c.workers)
	err = c.run(ctx)
	if err != nil && ctx.Err() == nil {
		return err
	}
	out.say("Stopped: %s.", out.sum())
	if err != nil {
		out.say("Not finished: %v", err)
	}
	return nil
}

// flags are what the command line says.
type flags struct {
	server  string
	workers int
	writes  int
}

func parse(args []string, stdout io.Writer) (f flags, err error) {
	set := flag.NewFlagSet("controller", flag.ContinueOnError)
	set.StringVar(&f.server, "server", "", "work on the widgets of the API server at this `URL`, "+
		"for example http://127.0.0.1:8001 with go run ./fakeapi/serve")
	set.IntVar(&f.workers, "workers", 2, "how many widgets are worked on at a time")
	set.IntVar(&f.writes, "n", 0, "with -server: stop after so many accepted `writes`; 0: don't")
	err = program.Parse(set, args, "A controller that makes the status of widgets fit their spec. "+
		"Without flags: a demonstration of about a second.", stdout)
	if err != nil {
		return f, err
	}
	return f, f.check()
}

// check returns an error for flags that make no sense: to ignore them would mislead.
func (f flags) check() error {
	u, err := url.Parse(f.server)
	isURL := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	switch {
	case f.workers < 1:
		return program.Misuse("-workers %d makes no sense: want 1 or more", f.workers)
	case f.writes < 0:
		return program.Misuse("-n %d makes no sense: want a number of writes, or 0", f.writes)
	case f.server == "" && f.writes > 0:
		return program.Misuse("-n needs -server URL: the demonstration cannot stop after some writes")
	case f.server != "" && !isURL:
		return program.Misuse("-server %q is no URL such as http://127.0.0.1:8001", f.server)
	case f.server != "" && (u.RawQuery != "" || u.Fragment != ""):
		return program.Misuse("-server %q has more than scheme, host and path", f.server)
	}
	return nil
}

// A printer writes lines, and counts outcomes. It may be called from any goroutine.
type printer struct {
	mu    sync.Mutex // guards what is below, and keeps lines apart
	to    io.Writer
	count tally
}

// A tally is what a controller has done.
type tally struct{ written, failed, gone int }

func (t tally) String() string {
	return fmt.Sprintf("%d writes were accepted, %d failed", t.written, t.failed)
}

// say writes a line. Errors are ignored: a closed output has no reader that needs to know.
func (p *printer) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintf(p.to, format+"\n", args...)
}

// outcome prints and counts what a controller did; it is for options.outcome.
func (p *printer) outcome(key, did string, err error) {
	p.mu.Lock()
	switch {
	case key == "":
	case did == gone:
		p.count.gone++
	case err != nil:
		p.count.failed++
	default:
		p.count.written++
	}
	p.mu.Unlock()
	switch {
	case key == "":
		p.say("   cannot watch: %v", err)
	case err != nil:
		p.say("   %s: try again later: %v", key, err)
	default:
		p.say("   %s: %s", key, did)
	}
}

func (p *printer) sum() tally {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}
