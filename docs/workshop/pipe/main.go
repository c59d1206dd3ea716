// Pipe is the eighth of the small informers, and yours: step 7 of docs/grow, which calls what you
// wrote in the workshop wherever an exercise has a place. It follows a server over HTTP.
//
//	make pipe
//
// In the place of exercises that are open run their solutions, and it says which. informer.go is
// step 7 with these seams; each line that is new there names an exercise:
//
//	server ~~▶ 1.2 frames ─▶ 2.1 outcome ─▶ 3.1 push    ─▶ 6.1 process ─▶ 5.2 pump ─▶ handler
//	           4.1 keys      2.2 backoff    3.2 missing    4.2 diff
//	                                        3.3 synced
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/workshop/exercise"
	"example.com/watchglass/fakeapi"
)

// parts are the exercises that have a place in the pipe.
var parts = []string{"1.2", "2.1", "2.2", "3.1", "3.2", "3.3", "4.1", "4.2", "5.2", "6.1"}

func main() { program.Main("pipe", run) }

// run plays the scenes. With flags it follows a collection instead, as step 7 does.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	written, ok := os.LookupEnv("PIPE")
	if !ok {
		return program.Misuse("make pipe runs this, with a part in the place of each open exercise")
	}
	err := program.Parse(Flags, args, "Follows the objects of a collection with your exercises.",
		stdout)
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, whose(strings.Fields(written)))
	if len(args) > 0 {
		return Run(ctx, http.DefaultClient, &printer{out: stdout, began: time.Now()})
	}
	context.AfterFunc(ctx, func() { os.Exit(0) }) // nothing in the scenes needs an orderly end
	defer exercise.Limit("the pipe", "")()
	show(stdout, func() { time.Sleep(200 * time.Millisecond) })
	return nil
}

// whose says which parts the learner has written.
func whose(solved []string) string {
	var yours, ours []string
	for _, p := range parts {
		if slices.Contains(solved, p) {
			yours = append(yours, p)
		} else {
			ours = append(ours, p)
		}
	}
	say := func(ids []string, says string) string {
		if len(ids) == 0 {
			return ""
		}
		return fmt.Sprintf("  %s %s.\n", strings.Join(ids, ", "), says)
	}
	return say(yours, "you wrote") +
		say(ours, "you have not written: in their place run the solutions")
}

// show runs the scenes, and returns what they come to. rest lets the pipe come to rest after a
// command.
func show(out io.Writer, rest func()) record {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	p := &printer{out: out, began: time.Now()}
	network := &network{to: server.Client().Transport}
	_ = Flags.Set("url", fakeapi.URL+path)

	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	scenes := &scenes{printer: p, server: server, network: network, rest: rest}
	scenes.play(func() {
		running.Go(func() { _ = Run(ctx, &http.Client{Transport: network}, p) })
	})
	got := p.end()
	fmt.Fprintf(out, "\n%s", verdict(got))
	return got
}
