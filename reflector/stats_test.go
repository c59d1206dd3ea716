package reflector

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStatsCountByCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.IgnoreStoreErrors, o.ResyncPeriod = true, time.Minute
			o.MaxInternalErrorRetry = time.Second
		})
		g.store.refuse["delete"] = errors.New("full")
		g.play(t,
			refusal(403, "Forbidden", "not yet"), // a list that fails
			list("7"),
			stream(bookmark("8"), unusable(Added), unusable(Added)), // ends
			refusal(429, "", ""), // a watch that fails
			stream(bookmark("9"), status(500, "InternalError", "")), // forgiven
			stream(event(Deleted, "web-1@10"), status(410, "Expired", "old")),
			refusal(410, "Expired", "old"), // a list at 10 that fails
			list("20"),
			stream(), // brings nothing
			list("21"),
			hanging(),
		)
		assert.Equal(t, Stats{
			Lists:      3,
			Relists:    map[Outcome]int{Expired: 1, VeryShort: 1},
			Rewatches:  map[Outcome]int{Ended: 1, Internal: 1},
			Reconnects: map[Outcome]int{Failed: 1, Busy: 1, Expired: 1},
			Resyncs:    4, Skipped: 2, Lost: 1,
		}, g.r.Stats())
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.play(t, refusal(422, "Invalid", "no"), list("7"), stream(bookmark("8"), garbage),
			hanging(initialEnd("9")))
		assert.Equal(t, Stats{
			Lists: 2, StreamingLists: 1,
			Relists:    map[Outcome]int{Failed: 1},
			Reconnects: map[Outcome]int{Failed: 1},
		}, g.r.Stats(), "a streaming list is counted as a list and as a streaming list")
	})
}

func TestStatsBelongToTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.play(t, refusal(403, "Forbidden", "no"), list("7"), hanging())
		g.r.Stats().Reconnects[Failed] = 99
		assert.Equal(t, 1, g.r.Stats().Reconnects[Failed],
			"a caller that writes to its maps does not change the reflector's")
	})
}
