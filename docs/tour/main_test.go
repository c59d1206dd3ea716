package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// oneSentence checks that standard error is one line, for people.
func oneSentence(t *testing.T, stderr string, parts ...string) {
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
		{"-n many", "invalid value"},
		{"-n -1", "-n -1 makes no sense"},
		{"more", `"more" is not a flag`},
		{"-resource /api/v1/pods", "-resource says how to watch a real server"},
		{"-token-file t", "needs -server"},
		{"-ca-file c -fast", "needs -server"},
		{"-server localhost:8001", `-server "localhost:8001" is no URL`},
		{"-server ftp://host", "is no URL such as http://127.0.0.1:8001"},
		{"-server http://", "is no URL"},
		{"-server http://host?watch=1", "more than scheme, host and path"},
		{"-server http://host -ca-file c", "-ca-file is of no use without TLS"},
		{"-server http://host -resource pods", "must begin with a slash"},
	}
	for _, c := range cases {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitMisuse, run(t.Context(), strings.Fields(c.args), &stdout, &stderr), c.args)
		oneSentence(t, stderr.String(), c.says)
		assert.Empty(t, stdout.String(), c.args)
	}
}

func TestHelpIsNoFailure(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitOK, run(t.Context(), []string{"-h"}, &stdout, &stderr))
	assert.Empty(t, stderr.String())
	for _, flag := range []string{"-fast", "-server", "-resource", "-token-file", "-ca-file", "-n"} {
		assert.Contains(t, stdout.String(), "  "+flag)
	}
}

func TestAnErrorIsOneLineWhateverItSays(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, exitFailed, fail(&stderr, errors.New("server says:\n\tgo away\n"), exitFailed))
	assert.Equal(t, "tour: server says: go away\n", stderr.String())
}
