package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// options are what the flags say.
type options struct {
	addr   string
	queue  string
	stream bool

	story  string
	export string

	server     string
	resource   string
	tokenFile  string
	caFile     string
	kubeconfig string
	context    string
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("live", flag.ContinueOnError)
	flags.StringVar(&o.addr, "addr", "", "listen on this loopback `host:port` (default "+usual+
		", or a free port where that one is taken)")
	flags.StringVar(&o.queue, "queue", deltaFIFO, "the `kind` of queue to begin with: "+deltaFIFO+
		" or "+realFIFO)
	flags.BoolVar(&o.stream, "stream", false, "fetch the collection by a streaming list")
	flags.StringVar(&o.story, "story", "", "play this `file`, a story of the informer: one command "+
		"for each step behind the last event")
	flags.StringVar(&o.export, "export", "", "with -story: play all of it in virtual time, write a "+
		"page that replays it into this `file`, and end")
	flags.StringVar(&o.server, "server", "", "only read a real API server at this `URL`, "+
		"for example http://127.0.0.1:8001 with kubectl proxy running")
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "only read the server of this kubeconfig, "+
		"a `file` as kubectl config view --raw -o json prints it")
	flags.StringVar(&o.context, "context", "", "with -kubeconfig: the `name` of a context")
	flags.StringVar(&o.resource, "resource", "/api/v1/pods", "with -server or -kubeconfig: the "+
		"`path` of a collection")
	flags.StringVar(&o.tokenFile, "token-file", "", "with -server: a `file` that holds a bearer "+
		"token")
	flags.StringVar(&o.caFile, "ca-file", "", "with -server https://…: a `file` with the CA's "+
		"certificates, PEM")
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stdout)
		_, _ = fmt.Fprintln(stdout, "A page on which an informer runs, to stop it and look inside.")
		flags.PrintDefaults()
		return o, err
	}
	if err != nil {
		return o, fmt.Errorf("%w; -h lists the flags", err)
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return o, o.check(flags.Args(), given)
}

// needs says which flags are of no use without another one.
var needs = []struct{ flag, without string }{
	{"export", "story"}, {"context", "kubeconfig"}, {"token-file", "server"}, {"ca-file", "server"},
}

// check finds flags that contradict each other: silently ignored, they would mislead.
func (o options) check(rest []string, given map[string]bool) error {
	if len(rest) > 0 {
		return fmt.Errorf("%q is not a flag, and there are no other arguments; -h lists the flags",
			rest[0])
	}
	for _, n := range needs {
		if given[n.flag] && !given[n.without] {
			return fmt.Errorf("-%s is of no use without -%s", n.flag, n.without)
		}
	}
	switch {
	case o.queue != deltaFIFO && o.queue != realFIFO:
		return fmt.Errorf("-queue %q is neither %s nor %s", o.queue, deltaFIFO, realFIFO)
	case given["server"] && given["kubeconfig"]:
		return errors.New("-server and -kubeconfig both say which server to read: give one of them")
	case given["story"] && (given["server"] || given["kubeconfig"]):
		return errors.New("-story writes to the server, and a real one is only read: " +
			"leave -server and -kubeconfig out")
	case given["resource"] && !given["server"] && !given["kubeconfig"]:
		return errors.New("-resource is of no use without -server or -kubeconfig")
	case !strings.HasPrefix(o.resource, "/"):
		return fmt.Errorf("-resource %q must begin with a slash, as /api/v1/pods does", o.resource)
	case given["server"]:
		return o.checkServer()
	}
	return nil
}

func (o options) checkServer() error {
	u, err := url.Parse(o.server)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("-server %q is no URL such as http://127.0.0.1:8001", o.server)
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return fmt.Errorf("-server %q has more than scheme, host and path", o.server)
	case o.caFile != "" && u.Scheme == "http":
		return errors.New("-ca-file is of no use without TLS: begin the URL of -server with https")
	}
	return nil
}
