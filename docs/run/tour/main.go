package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/watchglass/docs/tools/lanes"
	"example.com/watchglass/docs/tools/program"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second interrupt ends the process, but only a second after the first one: by then the
	// terminal has its old settings.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	os.Exit(program.Func(run).Run(ctx, "tour", os.Args[1:], os.Stdout, os.Stderr))
}

// run plays the tour that the flags ask for, with the keys of standard input.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	switch {
	case err != nil:
		return err
	case o.svg:
		return drawSVG(ctx, stdout, listener)
	}
	return tour(ctx, o.teller(stdout), listener, o.scene)
}

// teller returns the teller for stdout. Behind a pipe there is no reader to wait for.
func (o options) teller(stdout io.Writer) *teller {
	if o.fast || !lanes.IsTerminal(stdout) {
		return newTeller(stdout, true, nil)
	}
	return newTeller(stdout, false, keysOf(os.Stdin, stdout))
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
	about := fmt.Sprintf("An informer at work, drawn as lanes, in %d scenes. On a terminal, a key "+
		"leads to the next one.", len(script))
	err := program.Parse(flags, args, about, stdout)
	switch {
	case err != nil:
		return o, err
	case o.scene < 0 || o.scene > len(script):
		return o, program.Misuse("-scene %d: there are scenes 1 to %d", o.scene, len(script))
	case o.svg && (o.fast || o.scene > 0):
		return o, program.Misuse("-svg draws one picture, so -fast and -scene make no sense with it")
	}
	return o, nil
}

// pictured are the numbers of the scenes in the picture of the README.
var pictured = map[int]lanes.Part{
	3: {
		Title: "An update on its way",
		Words: "Each column is a stage, read downwards. An arrow is an object that moves on to the " +
			"next stage.",
	},
	6: {
		Title: "A deletion that no watch has reported",
		Words: "web-2 was deleted while there was no watch, and the server forgot its history. " +
			"A list shows that web-2 is missing.",
	},
}

// drawSVG plays the script and draws some of its scenes.
func drawSVG(ctx context.Context, out io.Writer, listener net.Listener) error {
	s, err := newStage(ctx, listener)
	if err != nil {
		return err
	}
	defer s.close()
	var parts []lanes.Part
	for i, scene := range script {
		cells, err := s.play(ctx, scene)
		if err != nil {
			return err
		}
		if part, ok := pictured[i+1]; ok {
			part.Cells = cells
			parts = append(parts, part)
		}
	}
	_, err = io.WriteString(out, lanes.SVG(stages, wideLanes, parts))
	return err
}
