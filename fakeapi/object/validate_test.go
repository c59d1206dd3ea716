package object

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/status"
)

func errorsIn(t *testing.T, metadata string) []string {
	t.Helper()
	m := Meta(valueOf(t, metadata).(Tree))
	if !m.Has("namespace") {
		m["namespace"] = "default"
	}
	var errs status.FieldErrors
	ValidateMeta(&errs, custom, m)
	return textsOf(errs)
}

func TestMetadataThatIsInvalid(t *testing.T) {
	for _, row := range story.Laws(t, "metadata") {
		got := errorsIn(t, row[1])
		var wanted []string
		if row[2] != "nothing" {
			wanted = strings.Split(row[2], " ; ")
		}
		assert.True(t, slices.EqualFunc(got, wanted, strings.HasPrefix), "%s: %s", row, got)
	}
	text := func(n int) string { return `":"` + strings.Repeat("x", n) + `"` }
	assert.Empty(t, errorsIn(t, `{"name":"a","annotations":{"b`+text(maxAnnotations-1)+`}}`),
		"annotations may have exactly 256 KiB")
	assert.Equal(t, []string{"metadata.annotations: Too long: may not be more than 262144 bytes"},
		errorsIn(t, `{"name":"a","annotations":{"b`+text(maxAnnotations)+`}}`))
}

func TestAnAnswerHasALimitedNumberOfErrors(t *testing.T) {
	bad := map[string]string{}
	for i := range 10 * status.MaxErrors {
		bad[fmt.Sprint("-", i)] = "v"
	}
	var errs status.FieldErrors
	validateLabels(&errs, bad)
	assert.Len(t, errs, status.MaxErrors)
	bad["long"] = strings.Repeat("x", maxAnnotations)
	errs = nil
	validateAnnotations(&errs, bad)
	assert.Contains(t, textsOf(errs), "metadata.annotations: Too long: "+
		"may not be more than 262144 bytes", "the size counts all annotations")
}

func TestLongValuesAreQuotedInPart(t *testing.T) {
	long := strings.Repeat("ä", status.MaxShown)
	assert.Equal(t, `"`+long+`"`, status.Show(long))
	assert.Equal(t, `"`+long+`"...`, status.Show(long+"x"))
	assert.Equal(t, `["`+strings.Repeat("x", status.MaxShown-2)+`...`,
		status.Show([]string{strings.Repeat("x", 1000)}))
	assert.Equal(t, `{"a":1}`, status.Show(map[string]any{"a": 1}))
}
