// Grow runs a step of the small informer. Each step is a package of its own, and one file:
//
//	go run ./docs/grow 1
//	go run ./docs/grow 5 -slow 10s
package main

import (
	"context"
	"flag"
	"io"
	"net/http"
	"strconv"

	step1 "example.com/watchglass/docs/grow/1"
	step2 "example.com/watchglass/docs/grow/2"
	step3 "example.com/watchglass/docs/grow/3"
	step4 "example.com/watchglass/docs/grow/4"
	step5 "example.com/watchglass/docs/grow/5"
	step6 "example.com/watchglass/docs/grow/6"
	step7 "example.com/watchglass/docs/grow/7"
	"example.com/watchglass/docs/tools/program"
)

type step struct {
	flags *flag.FlagSet
	run   func(ctx context.Context, client *http.Client, out io.Writer) error
}

var steps = []step{
	{step1.Flags, step1.Run}, {step2.Flags, step2.Run}, {step3.Flags, step3.Run},
	{step4.Flags, step4.Run}, {step5.Flags, step5.Run}, {step6.Flags, step6.Run},
	{step7.Flags, step7.Run},
}

func main() { program.Main("grow", run) }

// run runs the step that the first argument names, until an interrupt. A second interrupt does not
// wait for handlers.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	n := 0
	if len(args) > 0 {
		n, _ = strconv.Atoi(args[0])
	}
	if n < 1 || n > len(steps) {
		return program.Misuse("expected a step from 1 to %d, and then flags; got %q", len(steps), args)
	}
	s := steps[n-1]
	err := program.Parse(s.flags, args[1:], "Follows the objects of a collection.", stdout)
	if err != nil {
		return err
	}
	return s.run(ctx, http.DefaultClient, stdout)
}
