package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"example.com/watchglass/reflector/cluster"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // one sentence on standard error says why
	exitMisuse = 2 // the same, about the flags
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program immediately
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program, and returns its exit code. It takes the end of ctx for an interrupt.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return fail(stderr, err, exitMisuse)
	}
	out := &printer{to: stdout}
	if f.server == "" {
		err = demonstrate(ctx, f.workers, out)
	} else {
		err = live(ctx, f, out)
	}
	if err != nil && ctx.Err() == nil {
		return fail(stderr, err, exitFailed)
	}
	return exitOK
}

// fail writes the error as one line, even if its text has several, and returns the code.
func fail(stderr io.Writer, err error, code int) int {
	_, _ = fmt.Fprintln(stderr, "controller:", strings.Join(strings.Fields(err.Error()), " "))
	return code
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

func parse(args []string, stdout io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("controller", flag.ContinueOnError)
	set.StringVar(&f.server, "server", "", "work on the widgets of the API server at this `URL`, "+
		"for example http://127.0.0.1:8001 with go run ./fakeapi/serve")
	set.IntVar(&f.workers, "workers", 2, "how many widgets are worked on at a time")
	set.IntVar(&f.writes, "n", 0, "with -server: stop after so many accepted `writes`; 0: don't")
	set.SetOutput(io.Discard)
	err := set.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		set.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, "A controller that makes the status of widgets fit their spec. "+
			"Without flags: a demonstration of about a second.")
		set.PrintDefaults()
		return f, err
	}
	if err != nil {
		return f, fmt.Errorf("%w; -h lists the flags", err)
	}
	return f, f.check(set.Args())
}

// check returns an error for flags that make no sense: to ignore them would mislead.
func (f flags) check(rest []string) error {
	u, err := url.Parse(f.server)
	isURL := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%q is not a flag, and there are no other arguments; -h lists the flags",
			rest[0])
	case f.workers < 1:
		return fmt.Errorf("-workers %d makes no sense: want 1 or more", f.workers)
	case f.writes < 0:
		return fmt.Errorf("-n %d makes no sense: want a number of writes, or 0", f.writes)
	case f.server == "" && f.writes > 0:
		return errors.New("-n needs -server URL: the demonstration cannot stop after some writes")
	case f.server != "" && !isURL:
		return fmt.Errorf("-server %q is no URL such as http://127.0.0.1:8001", f.server)
	case f.server != "" && (u.RawQuery != "" || u.Fragment != ""):
		return fmt.Errorf("-server %q has more than scheme, host and path", f.server)
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
	p.noteOutcome(key, did, err)
	switch {
	case did == "" && err == nil: // there was nothing to do
	case key == "":
		p.say("   cannot watch: %v", err)
	case err != nil:
		p.say("   %s: try again later: %v", key, err)
	default:
		p.say("   %s: %s", key, did)
	}
}

func (p *printer) noteOutcome(key, did string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case key == "" || did == "" && err == nil:
	case did == gone:
		p.count.gone++
	case err != nil:
		p.count.failed++
	default:
		p.count.written++
	}
}

func (p *printer) sum() tally {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}
