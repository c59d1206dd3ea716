package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestColour(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_RDWR, 0) // a character device, as terminals are
	require.NoError(t, err)
	defer device.Close()
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer file.Close()

	env := func(key, value string) func(string) string {
		return func(k string) string {
			if k == key {
				return value
			}
			return ""
		}
	}
	assert.True(t, inkFor(device, env("TERM", "xterm-256color")).colour, "a terminal gets colour")
	assert.False(t, inkFor(device, env("NO_COLOR", "1")).colour, "unless NO_COLOR is set")
	assert.True(t, inkFor(device, env("NO_COLOR", "")).colour, "to more than nothing")
	assert.False(t, inkFor(device, env("TERM", "dumb")).colour, "or the terminal is dumb")
	assert.False(t, inkFor(file, env("", "")).colour, "a file gets none")
	assert.False(t, inkFor(&bytes.Buffer{}, env("", "")).colour, "nor does anything else")

	assert.Equal(t, mostColumns, columnsOf(file), "a file is wide")
	assert.Equal(t, fewestColumns, columnsOf(device), "a terminal of unknown size is small")
}

func TestColourChangesNothingButColour(t *testing.T) {
	marks := []mark{
		{lane: apiServer, object: "a", text: "PUT a"}, {lane: reflecting, object: "a", text: "a"},
		{lane: queueing, text: "synced"}, {lane: indexing, text: "oh", alarm: true},
		{lane: handling, object: "b", text: "OnDelete b (a tombstone)"},
	}
	plain, coloured := newPicture(100, ink{}), newPicture(100, ink{colour: true})
	want, got := plain.draw(marks), coloured.draw(marks)
	require.Len(t, got, len(want))
	for i := range want {
		assert.NotEqual(t, want[i], got[i])
		assert.Equal(t, want[i], withoutColour(got[i]))
	}
	assert.Equal(t, coloured.colours, map[string]int{"a": 0, "b": 1}, "each object has its own")
}
