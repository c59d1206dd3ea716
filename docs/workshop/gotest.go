package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"
)

// goTest runs the tests of packages under docs/workshop and returns the results by the package's
// directory name. flags come before the packages. A test that fails is not an error.
func (w workshop) goTest(ctx context.Context, flags []string, packages ...string) (
	map[string]*result, error,
) {
	timeout := "1m"
	if os.Getenv("PATIENCE") != "" {
		timeout = "0" // its laws end in time: see package exercise
	}
	args := append([]string{"test", "-json", "-timeout", timeout}, flags...)
	for _, p := range packages {
		args = append(args, "./docs/workshop/"+p)
	}
	return w.run(ctx, "go", args...)
}

// run runs a command that prints the events of go test -json.
func (w workshop) run(ctx context.Context, name string, args ...string) (
	map[string]*result, error,
) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "PIPE=tested") // its parts are there
	// after the end of ctx a test program may hold the pipe for a while
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, &stderr
	var err error
	go func() {
		defer in.Close()
		err = cmd.Run()
	}()
	results := readEvents(out) // until in is closed
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		return nil, fmt.Errorf("%s: %w", cmd, err)
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s: %v: %s", cmd, err,
			strings.TrimSpace(stderr.String()))
	}
	return results, nil
}

func readEvents(out io.Reader) map[string]*result {
	results, builds := map[string]*result{}, map[string][]string{}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return results
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		e.Output = strings.TrimRight(e.Output, "\n")
		if e.Action == "build-output" {
			builds[e.ImportPath] = append(builds[e.ImportPath], e.Output)
		}
		if e.Package == "" {
			continue
		}
		folder := path.Base(e.Package)
		if results[folder] == nil {
			results[folder] = &result{pkg: folder}
		}
		results[folder].note(e, builds[e.FailedBuild])
	}
}
