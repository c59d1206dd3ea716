package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPageAndPictureShowTheBenchmarks(t *testing.T) {
	t.Chdir("../../..")
	page, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	drawn, err := os.ReadFile(pictureFile)
	require.NoError(t, err)
	wantPage, wantPicture, err := written()
	require.NoError(t, err)
	assert.Equal(t, wantPage, string(page), "go run ./docs/tools/cost writes what bench.txt says")
	assert.Equal(t, wantPicture, string(drawn), "go run ./docs/tools/cost draws what bench.txt says")
}

const small = `goos: linux
BenchmarkGrowth/queue:_add/1000-2    10   64.0 B/object   2.0 allocs/object   100 ns/object
BenchmarkGrowth/queue:_add/10000-2   10   80.0 B/object   2.0 allocs/object   900 ns/object
BenchmarkGrowth/queue:_add/10000-2   10   80.0 B/object   2.0 allocs/object   150 ns/object
BenchmarkGrowth/store:_add/1000-2    10   32.0 B/object   1.0 allocs/object   200 ns/object
`

func TestTheQuickestOfSeveralMeasurementsCounts(t *testing.T) {
	rows, err := parse(small + "BenchmarkGrowth/store:_add/10000-2 1 32 B/object 1 allocs/object 500 ns/object\n")
	require.NoError(t, err)
	assert.Equal(t, `| what happens to one object, among | 1,000 | 10,000 | allocations | bytes |
|---|--:|--:|--:|--:|
| queue: add | 1.0× | 1.5× | 2.0 | 80 |
| store: add | 1.0× | 2.5× | 1.0 | 32 |
`, table(rows))
}

func TestOutputThatCannotBeComparedIsRefused(t *testing.T) {
	_, err := parse(small)
	assert.ErrorContains(t, err, `"store: add" and "queue: add" were measured at different sizes`)
	_, err = parse("PASS\n")
	assert.ErrorContains(t, err, "there is no line of BenchmarkGrowth")
}
