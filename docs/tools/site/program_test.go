package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
)

// The site stands for all programs that docs/tools/program runs.
func TestExitCodes(t *testing.T) {
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	fails := func(err error) program.Func {
		return func(context.Context, []string, io.Writer) error { return err }
	}
	for _, c := range []struct {
		law            string
		ctx            context.Context
		run            program.Func
		args           string
		code           int
		stdout, stderr string
	}{
		{"an error is one line, whatever it says", t.Context(), fails(errors.New("server says:\n\tno\n")), "",
			program.Failed, "", "p: server says: no\n"},
		{"an interrupt is no failure", interrupted, fails(context.Canceled), "", program.OK, "", ""},
		{"-h lists the flags", t.Context(), run, "-h", program.OK, "The chapters, the package docs and the source, " +
			"for a browser.\n  -addr host:port\n    \tlisten on this loopback host:port (default 127.0.0.1:8099, " +
			"or a free port where that one is taken)\n", ""},
		{"a flag that makes no sense", t.Context(), fails(program.Misuse("-n %d makes no sense", -1)), "",
			program.Misused, "", "p: -n -1 makes no sense\n"},
		{"a flag that does not exist", t.Context(), run, "-m 1", program.Misused,
			"", "p: flag provided but not defined: -m; -h lists the flags\n"},
		{"an argument", t.Context(), run, "more", program.Misused,
			"", "p: \"more\" is not a flag, and there are no other arguments; -h lists the flags\n"},
		{"an address that others can reach", t.Context(), run, "-addr 0.0.0.0:80", program.Failed,
			"", "p: -addr \"0.0.0.0:80\" is no loopback address such as 127.0.0.1:8099\n"},
		{"an address without a port", t.Context(), run, "-addr localhost", program.Failed,
			"", "p: -addr \"localhost\" is no loopback address such as 127.0.0.1:8099\n"},
	} {
		var stdout, stderr strings.Builder
		assert.Equal(t, c.code, c.run.Run(c.ctx, "p", strings.Fields(c.args), &stdout, &stderr), c.law)
		assert.Equal(t, c.stderr, stderr.String(), c.law)
		assert.Equal(t, c.stdout, stdout.String(), c.law)
	}
}

func TestTheSiteIsServedUntilTheInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out, in := io.Pipe()
	served := make(chan error)
	go func() { served <- run(ctx, []string{"-addr", "127.0.0.1:0"}, in) }()
	line := make([]byte, 100)
	n, err := out.Read(line)
	require.NoError(t, err)
	at := strings.TrimSpace(string(line[:n]))
	answer, err := http.Get(at)
	require.NoError(t, err, "what it prints can be opened")
	require.NoError(t, answer.Body.Close())

	addr := strings.Trim(strings.TrimPrefix(at, "http:"), "/")
	other, err := program.Listen("", addr)
	require.NoError(t, err, "the usual port is taken, so another one is used")
	require.NoError(t, other.Close())
	interrupt()
	assert.NoError(t, <-served)
	usual, err := program.Listen("", addr)
	require.NoError(t, err)
	assert.Equal(t, addr, usual.Addr().String(), "now it is free")
	require.NoError(t, usual.Close())
}

func TestOnlyThisMachineIsServed(t *testing.T) {
	for host, is := range map[string]bool{
		"localhost:80": true, "localhost": true, "127.0.0.2:80": true, "[::1]:80": true, "[::1]": true,
		"evil.example:80": false, "127.0.0.1.evil.example": false, "192.0.2.1:80": false, "": false,
	} {
		assert.Equal(t, is, program.IsLoopback(host), host)
	}
}
