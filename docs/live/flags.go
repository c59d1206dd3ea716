package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// options are what the flags say.
type options struct {
	addr   string
	queue  string
	stream bool
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("live", flag.ContinueOnError)
	flags.StringVar(&o.addr, "addr", "", "listen on this loopback `host:port` (default "+usual+
		", or a free port where that one is taken)")
	flags.StringVar(&o.queue, "queue", deltaFIFO, "the `kind` of queue to begin with: "+deltaFIFO+
		" or "+realFIFO)
	flags.BoolVar(&o.stream, "stream", false, "fetch the collection by a streaming list")
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, "A page on which an informer runs, to stop it and look inside.")
		flags.PrintDefaults()
		return o, err
	}
	switch {
	case err != nil:
		return o, fmt.Errorf("%w; -h lists the flags", err)
	case flags.NArg() > 0:
		return o, fmt.Errorf("%q is not a flag, and there are no other arguments; -h lists the flags",
			flags.Arg(0))
	case o.queue != deltaFIFO && o.queue != realFIFO:
		return o, fmt.Errorf("-queue %q is neither %s nor %s", o.queue, deltaFIFO, realFIFO)
	}
	return o, nil
}
