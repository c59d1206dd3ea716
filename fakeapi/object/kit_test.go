package object

import (
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
