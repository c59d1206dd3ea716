package main

import (
	"context"
	"flag"
	"io"
	"log"
	"strings"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/reflector/cluster"
)

func main() { program.Main("controller", run) }

// run runs the controller against a server until ctx ends.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("controller", flag.ContinueOnError)
	server := flags.String("server", "http://127.0.0.1:8001", "work on the widgets of the API server "+
		"at this `URL`")
	workers := flags.Int("workers", 2, "how many widgets are worked on at a time")
	err := program.Parse(flags, args, "A controller that makes the status of widgets fit their spec.",
		stdout)
	switch {
	case err != nil:
		return err
	case *workers < 1:
		return program.Misuse("-workers %d makes no sense: want 1 or more", *workers)
	}
	client, err := cluster.NewHTTPClient(cluster.Options{})
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	out := log.New(stdout, "", log.Ltime)
	c, err := newController(options{
		server: strings.TrimRight(*server, "/"), client: client, workers: *workers,
		outcome: func(key, did string, err error) {
			switch {
			case key == "":
				out.Printf("cannot watch: %v", err)
			case err != nil:
				out.Printf("%s: try again later: %v", key, err)
			default:
				out.Printf("%s: %s", key, did)
			}
		},
	})
	if err != nil {
		return err
	}
	out.Printf("widgets of %s; interrupt to stop", *server)
	if err = c.run(ctx); err != nil {
		out.Printf("not finished: %v", err)
	}
	return err
}
