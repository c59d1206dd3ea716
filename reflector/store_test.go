package reflector

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A store that refused an event differs from the server until the next list.
func TestAStoreErrorLeadsToAList(t *testing.T) {
	full := errors.New("the store is full")
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.store.refuse["add"] = full
		g.play(t, list("7"), hanging(event(Added, "web-1@8"), bookmark("9")),
			list("9", "web-1@8"), hanging())
		assert.Equal(t, "0/500 7", g.lists(),
			"a refused event leads to a list at the last version that the store has reached")
		assert.Equal(t, "web-1@8", g.store.String())
		assert.Equal(t, "800ms", g.pausesString(), "a refused event leads to a pause")
		assert.Equal(t, 1, g.server.open, "the watch whose event was refused is closed")
		checkErrors(t, g, []string{`reflector: watching: store refused ADDED of "web-1" in ` +
			`namespace "shop" at resourceVersion "8": the store is full`})
		assert.Equal(t, 1, g.r.Stats().Errors["store refused"])
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.store.refuse["add"] = full
		for range 5 {
			g.replies <- list("7")
			g.replies <- hanging(event(Added, "web-1@8"))
		}
		g.start(t)
		pass(20 * time.Second)
		assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.pausesString(),
			"while the store refuses events, the pauses between lists grow")
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.store.refuse["add"] = full
		g.play(t, hanging(initialEnd("7"), event(Added, "web-1@8")),
			hanging(event(Added, "web-1@8"), initialEnd("9")))
		assert.Equal(t, "web-1@8", g.store.String(),
			"after a streaming list the store has the object whose event it refused")
		assert.Equal(t, `stream:"" stream:7`, g.watches())
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.store.refuse["replace"] = full
		g.play(t, list("7"), list("8"))
		assert.Empty(t, g.r.LastSyncResourceVersion(),
			"the version of a list that the store refuses is not recorded")
		assert.Equal(t, "0/500 0/500 0/500", g.lists(), "a list that the store refuses is repeated")
		checkErrors(t, g,
			[]string{`store refused the list at resourceVersion "7": the store is full`,
				`store refused the list at resourceVersion "8"`})
	})
}
