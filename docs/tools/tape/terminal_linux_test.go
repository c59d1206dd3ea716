package tape

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/lanes"
)

// newTerminal returns the two ends of a pseudo-terminal: a byte written to keyboard is a key typed
// on terminal.
func newTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	if _, err := exec.LookPath("stty"); err != nil {
		t.Skip("There is no stty here, and a screen needs it to set a terminal.")
	}
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { keyboard.Close() })
	var number, unlocked int32
	control := func(request uintptr, value *int32) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, keyboard.Fd(), request,
			uintptr(unsafe.Pointer(value)))
		require.Zero(t, errno)
	}
	control(syscall.TIOCSPTLCK, &unlocked)
	control(syscall.TIOCGPTN, &number)
	name := fmt.Sprintf("/dev/pts/%d", number)
	fd, err := syscall.Open(name, syscall.O_RDWR|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	require.NoError(t, err)
	terminal = os.NewFile(uintptr(fd), name) // blocking, as standard input is
	t.Cleanup(func() { terminal.Close() })
	return keyboard, terminal
}

// settings are what stty says of a terminal.
func settings(t *testing.T, terminal *os.File) string {
	t.Helper()
	cmd := exec.Command("stty", "-g")
	cmd.Stdin = terminal
	out, err := cmd.Output()
	require.NoError(t, err)
	return string(out)
}

func TestTheTerminalGetsItsOldSettingsBack(t *testing.T) {
	keyboard, terminal := newTerminal(t)
	before, readKey := settings(t, terminal), lanes.NewScreen(terminal, terminal, false).Key

	_, err := keyboard.WriteString("x")
	require.NoError(t, err)
	key, err := readKey(t.Context())
	assert.NoError(t, err)
	assert.Equal(t, byte('x'), key, "a key counts without Enter")
	assert.Equal(t, before, settings(t, terminal), "the settings after a key")

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := readKey(ctx)
		ended <- err
	}()
	for set := before; set == before; { // until it waits
		set = settings(t, terminal)
	}
	cancel()
	assert.ErrorIs(t, <-ended, context.Canceled, "an interrupt ends the wait, without a key")
	assert.Equal(t, before, settings(t, terminal), "the settings after an interrupt")

	assert.Panics(t, func() { _, _ = readKey(panicking{t.Context()}) })
	assert.Equal(t, before, settings(t, terminal), "the settings after a panic")
}

// panicking is a context whose Err panics: readKey calls it while the terminal is set.
type panicking struct{ context.Context }

func (panicking) Err() error { panic("on purpose") }
