package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

func TestPageAndPictureShowTheBenchmarks(t *testing.T) {
	rows, err := parse(read(t, benchFile))
	require.NoError(t, err)
	page := read(t, pageFile)
	want, err := withTable(page, table(rows))
	require.NoError(t, err)
	assert.Equal(t, want, page, "the table does not show bench.txt; go run ./docs/cost writes it")
	assert.Equal(t, picture(rows), read(t, pictureFile),
		"the picture does not show bench.txt; go run ./docs/cost draws it")
}

const small = `goos: linux
BenchmarkGrowth/queue:_add/1000-2     10   5 ns/op   100 ns/object   64 B/object   2.0 allocs/object
BenchmarkGrowth/queue:_add/10000-2    10   5 ns/op   150 ns/object   80 B/object   2.0 allocs/object
BenchmarkGrowth/store:_add/1000-2     10   5 ns/op   200 ns/object   32 B/object   1.0 allocs/object
BenchmarkGrowth/store:_add/10000-2    10   5 ns/op   500 ns/object   32 B/object   1.0 allocs/object
PASS
`

func TestTableShowsGrowthAndNoTimes(t *testing.T) {
	rows, err := parse(small)
	require.NoError(t, err)
	assert.Equal(t, ""+
		"| what happens to one object, among | 1,000 | 10,000 | allocations | bytes |\n"+
		"|---|--:|--:|--:|--:|\n"+
		"| queue: add | 1.0× | 1.5× | 2.0 | 80 |\n"+
		"| store: add | 1.0× | 2.5× | 1.0 | 32 |\n", table(rows))
}

func TestTheQuickestOfSeveralMeasurementsCounts(t *testing.T) {
	again := strings.ReplaceAll(small, "150 ns/object", "900 ns/object")
	for _, output := range []string{small + again, again + small} {
		rows, err := parse(output)
		require.NoError(t, err)
		assert.Equal(t, 1.5, rows[0].growth(10_000))
	}
}

func TestPictureIsXMLWithACurveForEachRow(t *testing.T) {
	rows, err := parse(small)
	require.NoError(t, err)
	drawn := picture(rows)
	assert.Equal(t, 2, strings.Count(drawn, "<polyline"), "a curve for each row")
	decoder := xml.NewDecoder(strings.NewReader(drawn))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if !assert.NoError(t, err, "the picture is well-formed") {
			break
		}
	}
}

func TestOutputThatCannotBeComparedIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ output, err string }{
		"no benchmark": {"PASS\n", "no line of BenchmarkGrowth"},
		"other sizes":  {strings.Replace(small, "store:_add/10000", "store:_add/20000", 1), `"store: add" was measured at`},
		"no time":      {"BenchmarkGrowth/a/1-2 10 5 ns/op\n", "no ns/object"},
		"no size":      {"BenchmarkGrowth/a-2 10 5 ns/op\n", "/what/size"},
		"no number":    {"BenchmarkGrowth/a/1-2 10 x ns/object\n", "invalid syntax"},
	} {
		_, err := parse(c.output)
		assert.ErrorContains(t, err, c.err, name)
	}
	_, err := withTable("no markers", "")
	assert.Error(t, err)
}
