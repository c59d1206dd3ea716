package main

import (
	"bytes"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener
}

// oneLine checks that standard error is one line that contains these parts.
func oneLine(t *testing.T, stderr string, parts ...string) {
	t.Helper()
	assert.True(t, strings.HasPrefix(stderr, "tour: "), stderr)
	assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	for _, part := range parts {
		assert.Contains(t, stderr, part)
	}
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	cases := []struct{ args, says string }{
		{"-bogus", "not defined: -bogus"},
		{"-scene many", "invalid value"},
		{"-scene -1", "-scene -1: there are scenes 1 to 10"},
		{"-scene 11", "-scene 11: there are scenes 1 to 10"},
		{"more", `"more" is not a flag`},
		{"-svg -fast", "-svg draws one picture"},
		{"-svg -scene 2", "-svg draws one picture"},
	}
	for _, c := range cases {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitMisuse, run(t.Context(), strings.Fields(c.args), nil, &stdout, &stderr),
			c.args)
		oneLine(t, stderr.String(), c.says)
		assert.Empty(t, stdout.String(), c.args)
	}
}

func TestHelpIsNoFailure(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitOK, run(t.Context(), []string{"-h"}, nil, &stdout, &stderr))
	assert.Empty(t, stderr.String())
	for _, flag := range []string{"-fast", "-scene", "-svg"} {
		assert.Contains(t, stdout.String(), "  "+flag)
	}
}

func TestAnErrorIsOneLineWhateverItSays(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, exitFailed, fail(&stderr, errors.New("server says:\n\tgo away\n"), exitFailed))
	assert.Equal(t, "tour: server says: go away\n", stderr.String())
}
