package query

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/status"
)

func textsOf(errs status.FieldErrors) (texts []string) {
	for _, e := range errs {
		texts = append(texts, e.String())
	}
	return texts
}

// assertRefused checks the code of a refusal, and its message or the messages of its causes.
func assertRefused(t *testing.T, err error, what string, code int, texts []string) {
	t.Helper()
	s := status.Of(err)
	assert.Equal(t, code, s.Code, what)
	got := []string{s.Message}
	if s.Details != nil {
		got = nil
		for _, c := range s.Details.Causes {
			got = append(got, c.Message)
		}
	}
	assert.Equal(t, texts, got, what)
}
