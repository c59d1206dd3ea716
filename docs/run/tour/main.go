package main

import (
	"context"
	"flag"
	"io"
	"os"

	"example.com/watchglass/docs/tools/lanes"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
)

func main() { program.Main("tour", run) }

// run plays what the flags ask for, with a reader at standard input.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	fast := flags.Bool("fast", false, "make no pauses and wait for nothing")
	scene := flags.Int("scene", 0, "show only the lesson of this `number`; 0: all of them")
	story := flags.String("story", "", "show this story of the informer instead: its `file`, or a part "+
		"of its name")
	svg := flags.Bool("svg", false, "write the picture of the README instead, as SVG")
	err := program.Parse(flags, args, "An informer at work, drawn as lanes: the lessons of the live "+
		"page, for a terminal. Enter leads on.", stdout)
	alone := map[bool]int{true: 1}
	switch {
	case err != nil:
		return err
	case *scene < 0 || *scene > len(tape.Lessons):
		return program.Misuse("-scene %d: there are lessons 1 to %d", *scene, len(tape.Lessons))
	case alone[*scene > 0]+alone[*story != ""]+alone[*svg] > 1, *svg && *fast:
		return program.Misuse("-scene, -story and -svg each ask for something else: give one of them")
	}
	source := tape.OpenSource()
	if *svg {
		picture, err := tape.Overview(source)
		if err == nil {
			_, err = io.WriteString(stdout, picture)
		}
		return err
	}
	return tape.NewTour(lanes.NewScreen(os.Stdin, stdout, *fast)).Play(ctx, source, *story, *scene)
}
