package program

import (
	"context"
	"errors"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExitCodes(t *testing.T) {
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, c := range []struct {
		law            string
		ctx            context.Context
		args           string
		err            error
		code           int
		stdout, stderr string
	}{
		{"a program that ends has no more to say", t.Context(), "", nil, OK, "", ""},
		{"an error is one line, whatever it says", t.Context(), "", errors.New("server says:\n\tno\n"), Failed,
			"", "p: server says: no\n"},
		{"an interrupt is no failure", interrupted, "", context.Canceled, OK, "", ""},
		{"-h lists the flags", t.Context(), "-h", nil, OK, "Prints.\n  -n many\n    \thow many (default 2)\n", ""},
		{"a flag that makes no sense", t.Context(), "", Misuse("-n %d makes no sense", -1), Misused,
			"", "p: -n -1 makes no sense\n"},
		{"a flag that does not exist", t.Context(), "-m 1", nil, Misused,
			"", "p: flag provided but not defined: -m; -h lists the flags\n"},
		{"a value that is none", t.Context(), "-n x", nil, Misused,
			"", "p: invalid value \"x\" for flag -n: parse error; -h lists the flags\n"},
		{"an argument", t.Context(), "-n 1 more", nil, Misused,
			"", "p: \"more\" is not a flag, and there are no other arguments; -h lists the flags\n"},
	} {
		var run Func = func(_ context.Context, args []string, stdout io.Writer) error {
			flags := flag.NewFlagSet("p", flag.ContinueOnError)
			flags.Int("n", 2, "how `many`")
			if err := Parse(flags, args, "Prints.", stdout); err != nil {
				return err
			}
			return c.err
		}
		var stdout, stderr strings.Builder
		assert.Equal(t, c.code, run.Run(c.ctx, "p", strings.Fields(c.args), &stdout, &stderr), c.law)
		assert.Equal(t, c.stderr, stderr.String(), c.law)
		assert.Equal(t, c.stdout, stdout.String(), c.law)
	}
}

func TestAPageIsServedUntilTheInterrupt(t *testing.T) {
	listener, err := Listen("127.0.0.1:0", "")
	require.NoError(t, err)
	ctx, interrupt := context.WithCancel(t.Context())
	out, in := io.Pipe()
	served := make(chan error)
	go func() { served <- Serve(ctx, listener, http.NotFoundHandler(), in) }()
	line := make([]byte, 100)
	n, err := out.Read(line)
	require.NoError(t, err)
	answer, err := http.Get(strings.TrimSpace(string(line[:n])))
	require.NoError(t, err, "what it prints can be opened")
	require.NoError(t, answer.Body.Close())
	interrupt()
	assert.NoError(t, <-served)

	taken, err := Listen("127.0.0.1:0", "")
	require.NoError(t, err)
	defer taken.Close()
	other, err := Listen("", taken.Addr().String())
	require.NoError(t, err, "another port is free")
	require.NoError(t, other.Close())
}

func TestOnlyThisMachineIsServed(t *testing.T) {
	for host, is := range map[string]bool{
		"localhost:80": true, "localhost": true, "127.0.0.2:80": true, "[::1]:80": true, "[::1]": true,
		"evil.example:80": false, "127.0.0.1.evil.example": false, "192.0.2.1:80": false, "": false,
	} {
		assert.Equal(t, is, IsLoopback(host), host)
	}
	for _, addr := range []string{"0.0.0.0:80", "80", "localhost", ":80"} {
		_, err := Listen(addr, "127.0.0.1:8099")
		assert.ErrorContains(t, err, "is no loopback address such as 127.0.0.1:8099", addr)
	}
}
