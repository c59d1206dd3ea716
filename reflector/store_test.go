package reflector

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A store that refuses an event differs from the server until there is a list.
func TestAStoreErrorLeadsToAList(t *testing.T) {
	full := errors.New("the store is full")
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.store.refuse["add"] = full
		g.play(t, list("7"), hanging(event(Added, "web-1@8"), bookmark("9")),
			list("9", "web-1@8"), hanging())
		assert.Equal(t, "0/500 7", g.lists(), "a list mends it, from the last version that holds")
		assert.Equal(t, "web-1@8", g.store.String())
		assert.Equal(t, "800ms", g.pausesString(), "after a pause")
		assert.Zero(t, g.server.open-1, "and the watch that is out of step is closed")
		checkErrors(t, g, []string{`reflector: watching: store refused ADDED of "web-1" in ` +
			`namespace "shop" at resourceVersion "8": the store is full`})
		assert.Equal(t, 1, g.r.Stats().Lost)
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
			"a store that refuses again and again is no storm of lists")
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.store.refuse["add"] = full
		g.play(t, hanging(initialEnd("7"), event(Added, "web-1@8")),
			hanging(event(Added, "web-1@8"), initialEnd("9")))
		assert.Equal(t, "web-1@8", g.store.String(), "a streaming list mends as much")
		assert.Equal(t, `stream:"" stream:7`, g.watches())
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.store.refuse["replace"] = full
		g.play(t, list("7"), list("8"))
		assert.Empty(t, g.r.LastSyncResourceVersion(),
			"a list that the store refuses has no version")
		assert.Equal(t, "0/500 0/500 0/500", g.lists(), "and is repeated")
		checkErrors(t, g,
			[]string{`store refused the list at resourceVersion "7": the store is full`,
				`store refused the list at resourceVersion "8"`})
	})
}

func TestStoreErrorsCanBeIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.IgnoreStoreErrors = true })
		g.store.refuse["add"] = errors.New("the store is full")
		g.play(t, list("7"), hanging(event(Added, "web-1@8"), bookmark("9")))
		assert.Equal(t, 1, g.r.Stats().Lost, "an event that the store refuses is counted as lost")
		assert.Equal(t, "9", g.r.LastSyncResourceVersion(), "and the version moves on")
		assert.Equal(t, "0/500", g.lists(), "without a list")
		checkErrors(t, g, []string{`store refused ADDED of "web-1" in namespace "shop" at ` +
			`resourceVersion "8": the store is full`})
	})
}
