//go:build !race

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/repo"
)

// One replay is really made, by the program of docs/run/live. The compiler makes that program
// without the race detector, so a test under it would have everything compiled a second time; make
// check runs this one.
func TestAReplayHoldsTheRecording(t *testing.T) {
	top, err := repo.Root()
	require.NoError(t, err)
	page, err := goRun(t.Context(), top)("informer/testdata/07_compaction_relists_and_finds_the_deletion.story")
	require.NoError(t, err)
	assert.Contains(t, string(page), `<script id="tape" type="application/gzip">`)
}
