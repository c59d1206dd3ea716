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

// rows returns the cells of each line of a file in testdata, which bars separate.
func rows(t *testing.T, file string) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, strings.Split(strings.TrimSuffix(line, "\n"), " | "))
		}
	}
	require.NotEmpty(t, all)
	return all
}
