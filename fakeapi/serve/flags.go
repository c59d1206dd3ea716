package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi"
)

// config holds the values of the flags.
type config struct {
	addr    string
	tls     bool
	verbose bool
	options fakeapi.Options
}

// flags returns a set of flags that fill in c.
func (c *config) flags() *flag.FlagSet {
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.SetOutput(io.Discard) // errors are returned, and printed once
	o := &c.options
	f.StringVar(&c.addr, "addr", "127.0.0.1:8001", "listen on this `host:port`; port 0 is a free one")
	f.BoolVar(&c.tls, "tls", false, "serve HTTPS and HTTP/2, with a certificate made for this run")
	f.StringVar(&o.Token, "token", "", "require this bearer `token` with every request")
	f.Func("resource", "serve `group/version/plural=Kind`, too; the core group is called core, "+
		"and a CustomResourceDefinition can do more (repeatable)", c.addResource)
	f.BoolVar(&o.RequireNamespaces, "require-namespaces", true,
		"refuse objects in a namespace that is missing, as a real server does")
	f.BoolVar(&o.CollectGarbage, "collect-garbage", false,
		"delete the dependents of a deleted owner, as the controllers of a real cluster do")
	f.IntVar(&o.HistoryBytes, "history-bytes", 0,
		"remember events of `n` bytes of objects, of all resources together (default 64 MiB)")
	f.DurationVar(&o.HistoryAge, "history-age", 0, "forget events after this `duration` (default 5m)")
	f.DurationVar(&o.BookmarkInterval, "bookmark-interval", 0,
		"the `duration` between bookmarks on a watch (default 1m)")
	f.IntVar(&o.WatchBuffer, "watch-buffer", 0, "cut off a watcher `n` events behind (default 4096)")
	f.BoolVar(&o.Control, "control", false,
		"answer POST /fakeapi/{compact,drop,drop-watches,inject,heal}, to make the server fail")
	f.BoolVar(&c.verbose, "v", false, "print every request to standard error")
	return f
}

// parseFlags reads the command line. It returns flag.ErrHelp for -h.
func parseFlags(args []string) (*config, error) {
	c := &config{options: fakeapi.Options{Resources: fakeapi.DefaultResources(),
		RequireNamespaces: true}}
	f := c.flags()
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag, and nothing else is expected", f.Arg(0))
	}
	if strings.ContainsFunc(c.options.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("-token must be visible ASCII without spaces: it travels in a header")
	}
	return c, nil
}

// listen opens the address. It refuses one that other machines can reach, unless there is a token.
func (c *config) listen() (net.Listener, error) {
	addr, err := net.ResolveTCPAddr("tcp", c.addr)
	if err != nil {
		return nil, fmt.Errorf("-addr %s: %w", c.addr, err)
	}
	if !addr.IP.IsLoopback() && c.options.Token == "" {
		return nil, fmt.Errorf("-addr %s can be reached from other machines, "+
			"which needs a -token to keep strangers out; 127.0.0.1 and localhost need none", c.addr)
	}
	l, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("-addr %s: %w", c.addr, err)
	}
	return l, nil
}

// usage prints the flags with their defaults.
func usage(w io.Writer) {
	fmt.Fprintln(w, "serve runs a Kubernetes API server in memory, until it is interrupted.")
	f := new(config).flags()
	f.SetOutput(w)
	f.PrintDefaults()
}

// resourceText matches a value of -resource: the group, the version, the plural and the kind.
var resourceText = regexp.MustCompile(
	`^([a-z0-9][-a-z0-9.]*[a-z0-9]|)/([a-z][-a-z0-9]*)/([a-z][-a-z0-9]*)=([A-Z][A-Za-z0-9]*)$`)

// addResource adds a value of the flag -resource.
func (c *config) addResource(text string) error {
	parts := resourceText.FindStringSubmatch(text)
	if parts == nil {
		return errors.New("expected group/version/plural=Kind, as in example.dev/v1/gadgets=Gadget")
	}
	r := fakeapi.Resource{Group: parts[1], Version: parts[2], Plural: parts[3], Kind: parts[4]}
	if r.Group == "core" {
		r.Group = ""
	}
	added := append(slices.Clip(c.options.Resources), r)
	if err := (fakeapi.Options{Resources: added}).Validate(); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "fakeapi: "))
	}
	c.options.Resources = added
	return nil
}
