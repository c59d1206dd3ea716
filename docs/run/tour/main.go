package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// The exit codes. With exitFailed and exitMisuse, one line on standard error says why.
const exitOK, exitFailed, exitMisuse = 0, 1, 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second interrupt ends the process, but only a second after the first one: by then the
	// terminal has its old settings.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program. The end of ctx means an interrupt.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return fail(stderr, err, exitMisuse)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	switch {
	case err != nil:
	case o.svg:
		err = drawSVG(ctx, stdout, listener)
	case o.fast:
		err = tour(ctx, newTeller(stdout, true, nil), listener, o.scene)
	default:
		err = tour(ctx, newTeller(stdout, false, keysOf(stdin, stdout)), listener, o.scene)
	}
	if err != nil {
		return fail(stderr, err, exitFailed)
	}
	return exitOK
}

// fail writes the error on one line, even if its text has several.
func fail(stderr io.Writer, err error, code int) int {
	_, _ = fmt.Fprintln(stderr, "tour:", strings.Join(strings.Fields(err.Error()), " "))
	return code
}

// options are what the flags say.
type options struct {
	fast  bool
	scene int
	svg   bool
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	flags.BoolVar(&o.fast, "fast", false, "make no pauses and wait for no keys")
	flags.IntVar(&o.scene, "scene", 0, "show only the scene of this `number`; 0: all of them")
	flags.BoolVar(&o.svg, "svg", false, "write the picture of the README instead, as SVG")
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, "An informer at work, drawn as lanes, in",
			len(script), "scenes. On a terminal, a key leads to the next one.")
		flags.PrintDefaults()
		return o, err
	case err != nil:
		return o, fmt.Errorf("%w; -h lists the flags", err)
	case flags.NArg() > 0:
		return o, fmt.Errorf("%q is not a flag, and there are no other arguments; -h lists the flags",
			flags.Arg(0))
	case o.scene < 0 || o.scene > len(script):
		return o, fmt.Errorf("-scene %d: there are scenes 1 to %d", o.scene, len(script))
	case o.svg && (o.fast || o.scene > 0):
		return o, errors.New("-svg draws one picture, so -fast and -scene make no sense with it")
	}
	return o, nil
}
