package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/fakeapi"
)

func runController(ctx context.Context, args string, stdout, stderr io.Writer) int {
	return program.Func(run).Run(ctx, "controller", strings.Fields(args), stdout, stderr)
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	for args, says := range map[string]string{
		"-n -1 -server http://host":   "-n -1 makes no sense",
		"-n 1":                        "-n needs -server URL",
		"-workers 0":                  "-workers 0 makes no sense",
		"more":                        `"more" is not a flag`,
		"-server localhost:8001":      `-server "localhost:8001" is no URL`,
		"-server ftp://host":          "is no URL such as http://127.0.0.1:8001",
		"-server http://":             "is no URL",
		"-server http://host?watch=1": "more than scheme, host and path",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, program.Misused, runController(t.Context(), args, &stdout, &stderr), args)
		assert.Contains(t, stderr.String(), says)
		assert.Empty(t, stdout.String(), args)
	}
}

func TestTheDemonstration(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := runController(t.Context(), fmt.Sprint("-workers ", workers), &stdout, &stderr)
			assert.Equal(t, program.OK, code, stderr.String())
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
	code := runController(t.Context(), "-n 3 -server "+front.URL+"/", &stdout, &stderr)
	assert.Equal(t, program.OK, code, stderr.String())
	assert.Equal(t, 3, strings.Count(stdout.String(), ": painted red @"), stdout.String())
	assert.Contains(t, stdout.String(), "Stopped: 3 writes were accepted, 0 failed.\n")
}

func TestAServerThatIsAwayIsReported(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() { // the port of this URL refuses connections
		ended <- runController(ctx, "-server http://127.0.0.1:1", in, io.Discard)
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "cannot watch: ") {
	}
	assert.Contains(t, lines.Text(), "connection refused")
	interrupt()
	_ = out.Close()
	assert.Equal(t, program.OK, <-ended, "an interrupt is no failure")
}
