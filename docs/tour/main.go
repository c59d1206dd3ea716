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
	"syscall"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // one sentence on standard error says why
	exitMisuse = 2 // the same, about the flags
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt is not ours: it ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program. When ctx ends, that is an interrupt.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return fail(stderr, err, exitMisuse)
	}
	t := newTeller(stdout, o.fast)
	if o.server == "" {
		err = tour(ctx, t, o.events)
	} else {
		err = live(ctx, t, o)
	}
	if err != nil {
		return fail(stderr, err, exitFailed)
	}
	return exitOK
}

// fail says why in one line, whatever the error is made of.
func fail(stderr io.Writer, err error, code int) int {
	_, _ = fmt.Fprintln(stderr, "tour:", strings.Join(strings.Fields(err.Error()), " "))
	return code
}

// options are what the flags say.
type options struct {
	fast      bool
	server    string
	resource  string
	tokenFile string
	caFile    string
	events    int
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	flags.BoolVar(&o.fast, "fast", false, "make no pauses")
	flags.StringVar(&o.server, "server", "", "watch a real API server at this `URL`, "+
		"for example http://127.0.0.1:8001 with kubectl proxy running")
	flags.StringVar(&o.resource, "resource", "/api/v1/pods", "with -server: the `path` of a "+
		"collection")
	flags.StringVar(&o.tokenFile, "token-file", "", "with -server: a `file` that holds a bearer "+
		"token")
	flags.StringVar(&o.caFile, "ca-file", "", "with -server https://…: a `file` with the CA's "+
		"certificates, PEM")
	flags.IntVar(&o.events, "n", 0, "stop after so many `events`, which is calls of a handler; "+
		"0: don't")
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, "An informer at work, drawn as lanes. Without flags: "+
			"a scripted life, about 15 seconds.")
		flags.PrintDefaults()
		return o, err
	}
	if err != nil {
		return o, fmt.Errorf("%w; -h lists the flags", err)
	}
	return o, o.check(flags)
}

// check finds flags that contradict each other: silently ignored, they would mislead.
func (o *options) check(flags *flag.FlagSet) error {
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is not a flag, and there are no other arguments; -h lists the flags",
			flags.Arg(0))
	}
	if o.events < 0 {
		return fmt.Errorf("-n %d makes no sense: it is the number of events to stop after", o.events)
	}
	var given []string
	flags.Visit(func(f *flag.Flag) { given = append(given, f.Name) })
	if o.server == "" {
		for _, name := range given {
			if name != "fast" && name != "n" {
				return fmt.Errorf("-%s says how to watch a real server, so it needs -server URL", name)
			}
		}
		return nil
	}
	u, err := url.Parse(o.server)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("-server %q is no URL such as http://127.0.0.1:8001", o.server)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("-server %q has more than scheme, host and path", o.server)
	case o.caFile != "" && u.Scheme == "http":
		return errors.New("-ca-file is of no use without TLS: begin the URL of -server with https")
	case !strings.HasPrefix(o.resource, "/"):
		return fmt.Errorf("-resource %q must begin with a slash, as /api/v1/pods does", o.resource)
	}
	return nil
}
