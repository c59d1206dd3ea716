//go:build !js

package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// In a browser, the judge is the program: see judge_js.go.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "workshop:", err)
		os.Exit(1)
	}
}
