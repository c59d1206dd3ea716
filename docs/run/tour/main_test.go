package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/program"
)

func runTour(ctx context.Context, args string, stdout, stderr io.Writer) int {
	return program.Func(run).Run(ctx, "tour", strings.Fields(args), stdout, stderr)
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	for args, says := range map[string]string{
		"-scene -1":     "-scene -1: there are scenes 1 to 10",
		"-scene 11":     "-scene 11: there are scenes 1 to 10",
		"more":          `"more" is not a flag`,
		"-svg -fast":    "-svg draws one picture",
		"-svg -scene 2": "-svg draws one picture",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, program.Misused, runTour(t.Context(), args, &stdout, &stderr), args)
		assert.Contains(t, stderr.String(), says)
		assert.Empty(t, stdout.String(), args)
	}
}
