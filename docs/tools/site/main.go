package main

import (
	"context"
	"flag"
	"io"
	"os"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/repo"
)

// usual is where the site is served if nothing else is asked for and the port is free.
const usual = "127.0.0.1:8099"

func main() { program.Main("site", run) }

// run serves the site until ctx is done.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("site", flag.ContinueOnError)
	addr := flags.String("addr", "", "listen on this loopback `host:port` (default "+usual+
		", or a free port where that one is taken)")
	err := program.Parse(flags, args, "The chapters, the package docs and the source, for a browser.",
		stdout)
	if err != nil {
		return err
	}
	top, err := repo.Root()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer root.Close()
	listener, err := program.Listen(*addr, usual)
	if err != nil {
		return err
	}
	return program.Serve(ctx, listener, guard(newSite(root.FS(), goRun(ctx, top))), stdout)
}
