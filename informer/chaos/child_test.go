package chaos

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A child plays scripts, each in a process of its own. In the test's own process, a goroutine that
// panics, or goroutines that wait for each other, would end the test, and what led to it could not
// be shrunk.
type child struct {
	t       *testing.T
	queue   string
	slowest time.Duration // the longest play that found nothing
}

// play plays a script once and returns what went wrong: what did not agree, or the panic and the
// stacks.
func (c *child) play(script []string) (found string) {
	if found = c.run(script); found != "" && c.slowest == 0 {
		c.run([]string{"agree"}) // to learn how long a sound script plays
	}
	return found
}

func (c *child) run(script []string) (found string) {
	c.t.Helper()
	path := filepath.Join(c.t.TempDir(), "chaos.story")
	require.NoError(c.t, os.WriteFile(path, []byte(strings.Join(script, "\n")+"\n"), 0o600))
	binary, err := os.Executable()
	require.NoError(c.t, err)
	// The time limit is for goroutines that wait for a mutex: they stop the clock of a bubble.
	cmd := exec.CommandContext(c.t.Context(), binary,
		"-test.run=^TestChaos$", "-test.timeout="+c.timeLimit().String())
	// Under the race detector, a program sleeps for a second before it exits.
	cmd.Env = append(os.Environ(), "GOTRACEBACK=all", "SCRIPT="+path, "QUEUE="+c.queue,
		"GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	err = cmd.Run()
	switch {
	case err == nil:
		c.slowest = max(c.slowest, time.Since(began))
		return ""
	case stderr.Len() > 0:
		return strings.TrimSpace(stderr.String())
	}
	return fmt.Sprintf("%v\n%s", err, strings.TrimSpace(stdout.String()))
}

// timeLimit is how long a script may play in real time. The machine may be busy.
func (c *child) timeLimit() time.Duration {
	if c.slowest == 0 {
		return time.Minute
	}
	return max(20*time.Second, 10*c.slowest)
}
