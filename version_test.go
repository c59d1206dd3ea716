package watchglass

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCompareResourceVersion(t *testing.T) {
	for _, c := range []struct {
		law, a, b string
		want      int
	}{
		{"versions are compared as numbers, not as text", "9", "10", -1},
		{"the larger number is newer", "11", "10", 1},
		{"the smaller number is older", "10", "11", -1},
		{"equal versions are the same", "10", "10", 0},
		{"versions may be longer than an int64", "99999999999999999998", "99999999999999999999", -1},
	} {
		got, err := CompareResourceVersion(c.a, c.b)
		assert.NoError(t, err, c.law)
		assert.Equal(t, c.want, got, c.law)
		got, err = CompareResourceVersion(c.b, c.a)
		assert.NoError(t, err, c.law)
		assert.Equal(t, -c.want, got, "%s: the opposite with a and b exchanged", c.law)
	}
}

func TestVersionsThatHaveNoOrder(t *testing.T) {
	odds := []string{"", "0", "07", "abc", "v1", "1.5", "-1", "1 ", "9x", "x9", "1²", "1a2"}
	for _, odd := range odds {
		for _, pair := range [][2]string{{odd, "10"}, {"10", odd}, {odd, odd}} {
			_, err := CompareResourceVersion(pair[0], pair[1])
			assert.ErrorContains(t, err, `"`+odd+`" is not a positive number`, "compare %q", pair)
		}
	}
}
