package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"

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
		{"any key leads to the next scene, and the last one waits, too", " xn\n\x1b12345 ", 11,
			"10\n"},
		{"q ends the tour", "  q", 3, "Ended in scene 2 of 10. " +
			"The informer and the server have been stopped.\n"},
		{"Q ends the tour", "Q", 1, "have been stopped.\n"},
		{"after an a the tour plays on by itself", "  a", 3, "10\n"},
		{"after the end of the input the tour plays on by itself", " ", 2, "10\n"},
	}
	for _, c := range cases {
		out := outputOf(t, 0, typist(c.keys))
		assert.Equal(t, c.prompts, strings.Count(out, prompt), c.law)
		assert.True(t, strings.HasSuffix(out, c.end), c.law)
	}
}

func TestWhatIsWrittenBetweenTwoKeysIsOnTheScreenTogether(t *testing.T) {
	for _, only := range []int{0, 6} {
		var out strings.Builder
		synctest.Test(t, func(t *testing.T) {
			teller := newTeller(&out, true, typist(strings.Repeat(" ", 100)))
			teller.fill(24, 80)
			require.NoError(t, tour(t.Context(), teller, listenInMemory(), only))
		})
		pages := strings.Split(out.String(), prompt+"\r"+strings.Repeat(" ", len(prompt))+"\r")
		for i, page := range pages {
			rows := strings.Split(page, "\n")
			if i < len(pages)-1 { // after the last one there is no prompt
				assert.LessOrEqual(t, len(rows), 24, page)
			}
			if strings.Contains(page, "▶ ") {
				assert.Contains(t, page, "┬──", "each part of a picture has a header")
			}
			for _, row := range rows {
				assert.LessOrEqual(t, len([]rune(row)), 80, row)
			}
		}
	}
}

func TestATerminalThatIsTooNarrowIsToldSo(t *testing.T) {
	var out strings.Builder
	for columns, says := range map[int]bool{79: true, 80: false} {
		out.Reset()
		teller := newTeller(&out, true, nil)
		teller.fill(24, columns)
		teller.overture(t.Context(), "")
		assert.Equal(t, says, strings.Contains(out.String(), "This terminal has 79 columns"), columns)
	}
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
	for file, want := range map[*os.File][2]int{read: {0, mostColumns}, device: {24, fewestColumns}} {
		rows, columns := sizeOf(file)
		assert.Equal(t, want, [2]int{rows, columns}, "a file has room, an unknown terminal is small")
	}
}
