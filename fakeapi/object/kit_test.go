package object

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/status"
)

func valueOf(t *testing.T, text string) any {
	t.Helper()
	v, err := DecodeValue([]byte(text))
	require.NoError(t, err, text)
	return v
}

func textsOf(errs status.FieldErrors) (texts []string) {
	for _, e := range errs {
		texts = append(texts, e.String())
	}
	return texts
}

// rows returns the cells of each line in a section of testdata/laws.txt, which bars separate.
func rows(t *testing.T, section string) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/laws.txt")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "-- "+section+" --\n")
	rest, _, _ = strings.Cut(rest, "\n-- ")
	for line := range strings.Lines(rest) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			all = append(all, strings.Split(line, " | "))
		}
	}
	require.NotEmpty(t, all)
	return all
}
