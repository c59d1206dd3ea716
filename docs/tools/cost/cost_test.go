package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachRoundCostsSomething(t *testing.T) {
	for _, r := range rounds {
		cost := r.measure(10, 0)
		assert.Positive(t, cost.ns, r.what)
		assert.Positive(t, cost.allocs, r.what)
		assert.Positive(t, cost.bytes, r.what)
	}
}

// Otherwise the numbers could be edited by hand in one of the two.
func TestThePictureShowsTheTable(t *testing.T) {
	pageFile, pictureFile, err := files()
	require.NoError(t, err)
	page, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	drawn, err := os.ReadFile(pictureFile)
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), tableBegins)
	table, _, _ := strings.Cut(rest, tableEnds)
	assert.True(t, strings.HasPrefix(table, heading()))
	assert.Equal(t, picture(table), string(drawn))
}
