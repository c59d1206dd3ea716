package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/program"
)

// asTour makes this test binary the program.
const asTour = "WATCHGLASS_TOUR"

func TestMain(m *testing.M) {
	if os.Getenv(asTour) != "" {
		main()
	}
	os.Exit(m.Run())
}

// The program plays stories in a test of its own, and its reader sees nothing of that test.
func TestTheProgramIsNoTestToItsReader(t *testing.T) {
	tour := func(args ...string) (stdout, stderr string, code int) {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), asTour+"=1")
		var said strings.Builder
		cmd.Stderr = &said
		out, _ := cmd.Output() // its error is the code
		return string(out), said.String(), cmd.ProcessState.ExitCode()
	}
	lesson, said, code := tour("-fast", "-scene", "2")
	assert.True(t, strings.HasPrefix(lesson, "\n 2  an update\n"), lesson)
	assert.Contains(t, lesson, " sends web-2@4 ─▶ ADDED web-2@4 ▶ Added web-2@4 ")
	assert.NotContains(t, lesson, "PASS")
	assert.Equal(t, program.OK, code)
	assert.Empty(t, said)

	story, _, code := tour("-story", "further")
	assert.Equal(t, program.Failed, code)
	assert.Empty(t, story)
	_, said, code = tour("-scene", "11")
	assert.Equal(t, program.Misused, code)
	assert.Equal(t, "tour: -scene 11: there are lessons 1 to 10\n", said)
}
