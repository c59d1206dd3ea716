package main

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
)

// newTerminal returns the two ends of a pseudo-terminal: a byte written to keyboard is a key typed
// on terminal.
func newTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	if _, err := exec.LookPath("stty"); err != nil {
		t.Skip("There is no stty here, and the tour needs it to set a terminal.")
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

func TestTheTerminalGetsItsOldSettingsBack(t *testing.T) {
	keyboard, terminal := newTerminal(t)
	before, err := stty(terminal, "-g")
	require.NoError(t, err)

	_, err = keyboard.WriteString("x")
	require.NoError(t, err)
	key, err := keysOf(terminal, terminal)(t.Context())
	assert.NoError(t, err)
	assert.Equal(t, byte('x'), key, "a key counts without Enter")
	after, _ := stty(terminal, "-g")
	assert.Equal(t, before, after, "the settings after a key")

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := readKey(ctx, terminal)
		ended <- err
	}()
	for set := before; set == before; { // until it waits
		set, err = stty(terminal, "-g")
		require.NoError(t, err)
	}
	cancel()
	assert.ErrorIs(t, <-ended, context.Canceled, "an interrupt ends the wait, without a key")
	after, _ = stty(terminal, "-g")
	assert.Equal(t, before, after, "the settings after an interrupt")

	assert.Panics(t, func() { _, _ = readKey(panicking{t.Context()}, terminal) })
	after, _ = stty(terminal, "-g")
	assert.Equal(t, before, after, "the settings after a panic")
}

// panicking is a context whose Err panics: readKey calls it while the terminal is set.
type panicking struct{ context.Context }

func (panicking) Err() error { panic("on purpose") }
