// Package program is what the programs of docs have in common: an interrupt ends them in order, an
// error is one line on standard error, a page is served to this machine alone, and a terminal is
// written with colours, up to its edge ([Ink], [Screen]).
//
//	func main() { program.Main("tour", run) }
//
//	func run(ctx context.Context, args []string, stdout io.Writer) error { … }
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"example.com/watchglass/fakeapi/wire"
)

// The exit codes of a program. With Failed and Misused, one line on standard error says why.
const (
	OK      = 0 // also after an interrupt and after -h
	Failed  = 1
	Misused = 2 // flags that make no sense
)

// A Func is a program. The end of ctx is an interrupt. It has ended everything that it has started
// when it returns.
type Func func(ctx context.Context, args []string, stdout io.Writer) error

// Main runs a program and exits. An interrupt ends its context, and a second one the process.
func Main(name string, run Func) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run.Run(ctx, name, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs a program and returns its exit code. The error after an interrupt is not reported.
func (run Func) Run(ctx context.Context, name string, args []string, stdout, stderr io.Writer) int {
	err := run(ctx, args, stdout)
	code := Failed
	if _, ok := errors.AsType[misuse](err); ok {
		code = Misused
	} else if err == nil || ctx.Err() != nil || errors.Is(err, flag.ErrHelp) {
		return OK
	}
	_, _ = fmt.Fprintf(stderr, "%s: %s\n", name, strings.Join(strings.Fields(err.Error()), " "))
	return code
}

type misuse struct{ error }

// Misuse returns an error about the command line.
func Misuse(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// Parse parses flags, and expects nothing else. After -h it prints about and the flags, and returns
// [flag.ErrHelp].
func Parse(flags *flag.FlagSet, args []string, about string, stdout io.Writer) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, about)
		flags.PrintDefaults()
		return err
	case err != nil:
		return Misuse("%w; -h lists the flags", err)
	case flags.NArg() > 0:
		return Misuse("%q is not a flag, and there are no other arguments; -h lists the flags",
			flags.Arg(0))
	}
	return nil
}

// Listen listens on addr, and refuses an address that other machines can reach: what is served is
// for one reader. Without addr it listens on usual, or on a free port if that one is taken.
func Listen(addr, usual string) (net.Listener, error) {
	if addr == "" {
		if l, err := net.Listen("tcp", usual); err == nil {
			return l, nil
		}
		return net.Listen("tcp", "127.0.0.1:0")
	}
	if _, _, err := net.SplitHostPort(addr); err != nil || !wire.IsLoopback(addr) {
		return nil, fmt.Errorf("-addr %q is no loopback address such as %s", addr, usual)
	}
	return net.Listen("tcp", addr)
}

// Serve prints the URL of a page, "" the first one, when it can be opened, and serves until ctx is
// done. Then it cuts off the answers that are under way, and returns nil.
func Serve(ctx context.Context, l net.Listener, page string, handler http.Handler,
	stdout io.Writer) error {
	server := &http.Server{Handler: wire.ToThisMachine(handler), ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }() // received from below
	_, _ = fmt.Fprintf(stdout, "http://%s/%s\n", l.Addr(), page)
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	_ = server.Close()
	<-served
	return nil
}
