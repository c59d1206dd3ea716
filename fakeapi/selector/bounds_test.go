package selector

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A selector of a megabyte has 340,000 requirements. It is refused at requirement 1,001;
// the rest is not read.
func TestSelectorsHaveABoundedNumberOfTerms(t *testing.T) {
	for _, c := range []struct {
		law, term, want string
		parse           func(string) (int, error)
	}{
		{"labels", "a,", "the label selector has more than 1000 requirements", labelTerms},
		{"absent labels", "!a,", "the label selector has more than 1000 requirements", labelTerms},
		{"fields", "metadata.name!=a,", "the field selector has more than 1000 terms", fieldTerms},
	} {
		n, err := c.parse(strings.TrimSuffix(strings.Repeat(c.term, maxTerms), ","))
		require.NoError(t, err, c.law)
		assert.Equal(t, maxTerms, n, c.law)

		text := strings.Repeat(c.term, 340_000) + c.term
		spent := allocated(func() { _, err = c.parse(text) })
		assert.EqualError(t, err, c.want, c.law)
		assert.Less(t, spent, 1<<20, "bytes, for %s", c.law)
	}
}

func labelTerms(text string) (int, error) {
	s, err := ParseLabels(text)
	return len(s), err
}

func fieldTerms(text string) (int, error) {
	s, err := ParseFields(text, number)
	return len(s), err
}

// allocated is how many bytes f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// A set may have as many values as fit into a URL, and the label of each object is looked
// up among them. So the values are sorted, and the lookup is a binary search.
func TestSetsAreLookedUpByBinarySearch(t *testing.T) {
	var values []string
	for i := range 100_000 {
		values = append(values, fmt.Sprint("v", i))
	}
	for op, want := range map[string]bool{"in": true, "notin": false} {
		s, err := ParseLabels("a " + op + " (" + strings.Join(values, ",") + ",v0)")
		require.NoError(t, err)
		require.Len(t, s[0].values, len(values), "each value is kept once")
		require.True(t, slices.IsSorted(s[0].values))
		for _, v := range []string{"v0", "v99999", "v5"} {
			assert.Equal(t, want, s.Matches(map[string]string{"a": v}), "%s %s", op, v)
		}
		for _, v := range []string{"", "v", "v100000", "w"} {
			assert.Equal(t, !want, s.Matches(map[string]string{"a": v}), "%s %s", op, v)
		}
		last := len(values) - 1
		s[0].values[0], s[0].values[last] = s[0].values[last], s[0].values[0]
		assert.Equal(t, !want, s.Matches(map[string]string{"a": "v0"}),
			"the values are out of order now: a search that finds v0 has looked at all of them")
	}
}

func TestSelectorErrorsQuoteOnlyTheBeginning(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, selector := range []string{long, "=" + long, "a " + long, "a=" + long,
		"a in (" + long + ")", "a in (b " + long, "a in " + long, "n>" + long, "n>1" + long,
		"/" + long, long + "/x", "!" + long, "a=b " + long, "a, =" + long} {
		_, err := ParseLabels(selector)
		if assert.Error(t, err, "%.20s", selector) {
			assert.Less(t, len(err.Error()), 1500, "%.20s", selector)
		}
	}
	for _, selector := range []string{long, "metadata.name=" + long + "=", long + `=\x`} {
		_, err := ParseFields(selector, number)
		if assert.Error(t, err, "%.20s", selector) {
			assert.Less(t, len(err.Error()), 1500, "%.20s", selector)
		}
	}
}
