package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

func TestFlagsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"-bogus", "not defined: -bogus"},
		{"-n many", "invalid value"},
		{"-n -1 -server http://host", "-n -1 makes no sense"},
		{"-n 1", "-n needs -server URL"},
		{"-workers 0", "-workers 0 makes no sense"},
		{"more", `"more" is not a flag`},
		{"-server localhost:8001", `-server "localhost:8001" is no URL`},
		{"-server ftp://host", "is no URL such as http://127.0.0.1:8001"},
		{"-server http://", "is no URL"},
		{"-server http://host?watch=1", "more than scheme, host and path"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitMisuse, run(t.Context(), strings.Fields(c.args), &stdout, &stderr), c.args)
		assert.True(t, strings.HasPrefix(stderr.String(), "controller: "), stderr.String())
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "want one line, got: %s", &stderr)
		assert.Contains(t, stderr.String(), c.says)
		assert.Empty(t, stdout.String(), c.args)
	}
}

func TestHelpIsNoFailure(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitOK, run(t.Context(), []string{"-h"}, &stdout, &stderr))
	assert.Empty(t, stderr.String())
	for _, flag := range []string{"-server", "-workers", "-n"} {
		assert.Contains(t, stdout.String(), "  "+flag)
	}
}

func TestAnErrorIsOneLineWhateverItSays(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, exitFailed, fail(&stderr, errors.New("server says:\n\tgo away\n"), exitFailed))
	assert.Equal(t, "controller: server says: go away\n", stderr.String())
}

func TestTheDemonstration(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := []string{"-workers", fmt.Sprint(workers)}
			assert.Equal(t, exitOK, run(t.Context(), args, &stdout, &stderr), stderr.String())
			shown := stdout.String()
			for _, line := range []string{
				"default/web-1: painted blue @9\n",
				"web-2/status: server says 500 InternalError",
				"default/web-2: painted green @11\n",
				"web-3/status: server says 409 Conflict",
				"default/web-3: painted green @14\n",
				"default/web-1: painted shade-20 @",
				"default/web-2: gone\n",
				"default/web-1: painted white @",
				"default/web-3: painted white @",
				"The controller has ended: ",
			} {
				assert.Contains(t, shown, line)
			}
			assert.Equal(t, 3, strings.Count(shown, "server says 500"), "three writes get 500, as injected")
			last := strings.LastIndex(shown, "painted")
			assert.Less(t, last, strings.Index(shown, "The controller has ended"))
		})
	}
}

func TestAnInterruptEndsTheDemonstration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		interrupt()
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitOK, run(ctx, nil, &stdout, &stderr))
		assert.Empty(t, stderr.String())
	})
}

// Over TCP, with as many writes as -n says.
func TestAgainstAServer(t *testing.T) {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	front := httptest.NewServer(server)
	defer front.Close()
	for i := range 3 {
		_, err := server.Create("widgets", fmt.Sprintf(
			`{"metadata":{"name":"web-%d"},"spec":{"color":"red"}}`, i))
		require.NoError(t, err)
	}
	var stdout, stderr bytes.Buffer
	args := []string{"-server", front.URL + "/", "-n", "3"}
	assert.Equal(t, exitOK, run(t.Context(), args, &stdout, &stderr), stderr.String())
	assert.Equal(t, 3, strings.Count(stdout.String(), ": painted red @"), stdout.String())
	assert.Contains(t, stdout.String(), "Stopped: 3 writes were accepted, 0 failed.\n")
}

func TestAServerThatIsAwayIsReported(t *testing.T) {
	front := httptest.NewServer(nil)
	front.Close() // now its port refuses connections
	ctx, interrupt := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	seen := &trigger{text: "cannot watch", then: interrupt}
	assert.Equal(t, exitOK, run(ctx, []string{"-server", front.URL}, seen, &stderr))
	assert.Contains(t, seen.String(), "cannot watch: ")
	assert.Empty(t, stderr.String(), "an interrupt is no failure")
}

// trigger is a buffer that calls a func at each write that contains a text.
type trigger struct {
	bytes.Buffer
	text string
	then func()
}

// Write implements io.Writer.
func (t *trigger) Write(b []byte) (int, error) {
	if strings.Contains(string(b), t.text) {
		t.then()
	}
	return t.Buffer.Write(b)
}
