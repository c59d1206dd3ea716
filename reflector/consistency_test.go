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
		{"the order of a list does not matter", list("7", "web-2@3", "web-1@5"), ""},
		{"an object only in the list is missing", list("7", "web-1@5", "web-2@3", "db-1@2"),
			`differs from a list at that version: 1 (shop/db-1) missing, 0 extra, 0 different`},
		{"an object only in the stream is extra", list("7"),
			`0 missing, 2 (shop/web-1, …) extra, 0 different`},
		{"an object at another version is different", list("7", "web-2@3", "web-1@6"),
			`0 missing, 0 extra, 1 (shop/web-1) different`},
		{"one missing and one extra object do not cancel out", list("7", "web-1@5", "db-1@3"),
			`1 (shop/db-1) missing, 1 (shop/web-2) extra, 0 different`},
		{"one extra and one different object are both counted", list("7", "web-1@6"),
			`0 missing, 1 (shop/web-2) extra, 1 (shop/web-1) different`},
		{"a check that fails is reported", refusal(410, "Expired", "old"),
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
				"the check lists at exactly the version of the stream")
			assert.Equal(t, "db-1@8 web-1@5 web-2@3", g.store.String(),
				"whatever the check finds, the store gets what was streamed")
		})
	}
}

func TestNoConsistencyCheckByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, hanging(initialEnd("7")))
		assert.Empty(t, g.lists(), "a streaming list is not checked unless an option asks for it")
	})
}

func TestConsistencyErrorIsTyped(t *testing.T) {
	err := compare(nil, list("7", "web-1@5").list.Items, "7")
	e, ok := errors.AsType[*ConsistencyError](err)
	require.True(t, ok)
	assert.Equal(t, []string{"shop/web-1"}, e.Missing)
	assert.Equal(t, "7", e.ResourceVersion)
}
