package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// typist presses these keys, one each time the tour waits for a key. After the last one, the input
// has ended.
func typist(keys string) func(context.Context) (byte, error) {
	return func(context.Context) (byte, error) {
		if keys == "" {
			return 0, io.EOF
		}
		key := keys[0]
		keys = keys[1:]
		return key, nil
	}
}

func TestKeysBetweenScenes(t *testing.T) {
	cases := []struct {
		law, keys string
		prompts   int    // how often the tour waits
		end       string // of what it writes
	}{
		{"any key leads to the next scene, and there is no wait after the last", " xn\n\x1b123 ", 9,
			"one scene again\n"},
		{"q ends the tour", " q", 2, "Ended in scene 2 of 10. " +
			"The informer and the server have been stopped.\n"},
		{"Q ends the tour", "Q", 1, "have been stopped.\n"},
		{"after an a the tour plays on by itself", "  a", 3, "one scene again\n"},
		{"after the end of the input the tour plays on by itself", " ", 2, "one scene again\n"},
	}
	for _, c := range cases {
		out := outputOf(t, 0, typist(c.keys))
		assert.Equal(t, c.prompts, strings.Count(out, prompt), c.law)
		assert.True(t, strings.HasSuffix(out, c.end), c.law)
	}
	assert.NotContains(t, outputOf(t, 6, typist("")), prompt, "after a single scene there is no wait")
}

func TestAnInterruptEndsTheWaitForAKey(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	key := func(context.Context) (byte, error) { cancel(); return 0, ctx.Err() }
	var out strings.Builder
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, tour(ctx, newTeller(&out, true, key), listener, 0))
	assert.Contains(t, out.String(), "Ended in scene 1 of 10.")
	nothingRuns(t)
}

// Input that is not a terminal, and a terminal that cannot be set, pass on whole lines.
func TestKeysWithoutATerminal(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	_, err = write.WriteString("q\n")
	require.NoError(t, err)
	require.NoError(t, write.Close())
	key, err := readKey(t.Context(), read)
	assert.NoError(t, err)
	assert.Equal(t, byte('q'), key, "the first letter of the line counts")
	_, err = readKey(t.Context(), read)
	assert.ErrorIs(t, err, io.EOF, "the end of the input is not a key")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = readKey(ctx, read)
	assert.True(t, errors.Is(err, context.Canceled))

	device, err := os.OpenFile(os.DevNull, os.O_RDWR, 0) // a character device, as terminals are
	require.NoError(t, err)
	defer device.Close()
	assert.Nil(t, keysOf(read, device), "keys come from a terminal")
	assert.Nil(t, keysOf(device, read), "without a screen there is no prompt, so there are no keys")
	assert.NotNil(t, keysOf(device, device))
	assert.Equal(t, mostColumns, columnsOf(read), "a file has room for the widest picture")
	assert.Equal(t, fewestColumns, columnsOf(device), "a terminal of unknown size is small")
}
