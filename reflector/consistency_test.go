package reflector

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConsistencyCheck(t *testing.T) {
	for _, c := range []struct {
		says   string
		listed reply
		err    string
	}{
		{"the same in another order", list("7", "web-2@3", "web-1@5"), ""},
		{"what the stream left out is missing", list("7", "web-1@5", "web-2@3", "db-1@2"),
			`differs from a list at that version: 1 (shop/db-1) missing, 0 extra, 0 different`},
		{"what it had too much is extra", list("7"),
			`0 missing, 2 (shop/web-1, …) extra, 0 different`},
		{"what it had at another version is different", list("7", "web-2@3", "web-1@6"),
			`0 missing, 0 extra, 1 (shop/web-1) different`},
		{"as many may be missing as are extra", list("7", "web-1@5", "db-1@3"),
			`1 (shop/db-1) missing, 1 (shop/web-2) extra, 0 different`},
		{"or extra as are different", list("7", "web-1@6"),
			`0 missing, 1 (shop/web-2) extra, 1 (shop/web-1) different`},
		{"a check that fails says so", refusal(410, "Expired", "old"),
			"reflector: consistency check: server says 410 Expired: old"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var compared []error
			g := newRig(t, func(o *Options) {
				o.ListFirst, o.CheckConsistency = false, true
				o.Trace.Compared = func(version string, err error) {
					assert.Equal(t, "7", version)
					compared = append(compared, err)
				}
			})
			g.play(t, hanging(event(Added, "web-1@5"), event(Added, "web-2@3"), initialEnd("7"),
				event(Added, "db-1@8")), c.listed)
			require.Len(t, compared, 1)
			if c.err == "" {
				assert.NoError(t, compared[0], c.says)
				checkErrors(t, g, nil)
			} else {
				assert.ErrorContains(t, compared[0], c.err, c.says)
				checkErrors(t, g, []string{c.err})
			}
			asked := g.requestsOf(false)[0].ListOptions
			assert.Equal(t, ListOptions{ResourceVersion: "7", ResourceVersionMatch: "Exact"}, asked,
				"the same moment is asked for")
			assert.Equal(t, "db-1@8 web-1@5 web-2@3", g.store.String(),
				"whatever the check says, the reflector goes on with what was streamed")
		})
	}
}

func TestNoConsistencyCheckByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, hanging(initialEnd("7")))
		assert.Empty(t, g.lists(), "it would double the cost")
	})
}

func TestConsistencyErrorIsTyped(t *testing.T) {
	err := compare(nil, list("7", "web-1@5").list.Items, "7")
	e, ok := errors.AsType[*ConsistencyError](err)
	require.True(t, ok)
	assert.Equal(t, []string{"shop/web-1"}, e.Missing)
	assert.Equal(t, "7", e.ResourceVersion)
}
