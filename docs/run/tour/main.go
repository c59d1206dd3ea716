package main

import (
	"context"
	"flag"
	"io"
	"os"
	"testing"

	"example.com/watchglass/docs/tools/picture"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
)

func main() { tape.InTest(func(t *testing.T) { program.Main("tour", tour{t}.run) }) }

// A tour plays stories in its test.
type tour struct{ t *testing.T }

// run plays what the flags ask for, with a reader at standard input.
func (t tour) run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("tour", flag.ContinueOnError)
	fast := flags.Bool("fast", false, "make no pauses and wait for nothing")
	scene := flags.Int("scene", 0, "show only the lesson of this `number`; 0: all of them")
	story := flags.String("story", "",
		"show this story of the informer instead: its `file`, or a part of its name")
	err := program.Parse(flags, args, "An informer at work, drawn as lanes: the lessons of the live "+
		"page, for a terminal. Enter leads on.", stdout)
	switch {
	case err != nil:
		return err
	case *scene < 0 || *scene > len(tape.Lessons):
		return program.Misuse("-scene %d: there are lessons 1 to %d", *scene, len(tape.Lessons))
	case *scene > 0 && *story != "":
		return program.Misuse("-scene and -story each ask for something else: give one of them")
	}
	recorder := tape.NewRecorder(t.t, tape.OpenSource())
	screen := program.NewScreen(os.Stdin, stdout, *fast)
	return picture.NewTour(screen).Play(ctx, recorder, *story, *scene)
}
