// Command serve runs a fakeapi server for clients outside this process: kubectl,
// curl, a controller under development.
//
//	go run ./fakeapi/serve -addr 127.0.0.1:8001
//
// It prints one line with its URL when it is ready and runs until it is
// interrupted; then it ends its watches and lets requests finish.
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

	"example.com/watchglass/fakeapi"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "serve:", err)
		}
		os.Exit(1)
	}
}

// config is what the flags say.
type config struct {
	addr    string
	options fakeapi.Options
}

func parseFlags(args []string) (config, error) {
	c := config{options: fakeapi.Options{Resources: fakeapi.DefaultResources()}}
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.StringVar(&c.addr, "addr", "127.0.0.1:8001", "`address` to listen on")
	f.BoolVar(&c.options.Control, "control", false, "serve /fakeapi/…: compact, drop, inject faults")
	f.StringVar(&c.options.Token, "token", "", "require this bearer `token`")
	f.IntVar(&c.options.HistoryCount, "history-count", 0, "events remembered per resource")
	f.DurationVar(&c.options.HistoryAge, "history-age", 0, "how long events are remembered")
	f.DurationVar(&c.options.BookmarkInterval, "bookmark-interval", 0, "time between bookmarks")
	f.Func("resource", "serve `group/version/plural=Kind[,cluster][,status][,select=.path]` too",
		func(s string) error {
			r, err := parseResource(s)
			c.options.Resources = append(c.options.Resources, r)
			return err
		})
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if f.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	return c, nil
}

// parseResource reads a -resource flag. The core group is written as "core" or
// left empty: /v1/endpoints=Endpoints.
func parseResource(s string) (fakeapi.Resource, error) {
	spec, traits, _ := strings.Cut(s, ",")
	path, kind, ok := strings.Cut(spec, "=")
	parts := strings.Split(path, "/")
	if !ok || len(parts) != 3 || kind == "" {
		return fakeapi.Resource{}, fmt.Errorf("%q is not group/version/plural=Kind", s)
	}
	r := fakeapi.Resource{Group: parts[0], Version: parts[1], Plural: parts[2], Kind: kind}
	if r.Group == "core" {
		r.Group = ""
	}
	for trait := range strings.SplitSeq(traits, ",") {
		field, isSelect := strings.CutPrefix(trait, "select=")
		switch {
		case trait == "":
		case trait == "cluster":
			r.Cluster = true
		case trait == "status":
			r.Status = true
		case isSelect:
			r.Select = append(r.Select, field)
		default:
			return r, fmt.Errorf("%q: unknown trait %q", s, trait)
		}
	}
	return r, nil
}

// grace is how long requests may take to finish after an interrupt.
const grace = 10 * time.Second

// run serves until ctx is done.
func run(ctx context.Context, args []string, out io.Writer) error {
	c, err := parseFlags(args)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", c.addr)
	if err != nil {
		return err
	}
	s := fakeapi.New(c.options)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }() // received from below
	fmt.Fprintf(out, "http://%s\n", l.Addr())
	select {
	case err := <-served:
		s.Close()
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return errors.Join(s.Shutdown(drain), <-served)
}
