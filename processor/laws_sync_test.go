package processor

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSyncedRegistration(t *testing.T) {
	enforce(t, []law{{
		name:    "both",
		promise: "a registration has synced when upstream has and its initial calls have returned",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("initial web-2")
			k.run()
			k.Distribute(adds(true, "web-1", "web-2"), false)
			k.settle()
			k.UpstreamSynced()
			k.settle()
			assert.False(t, registration.HasSynced(), "the call with web-2 has not returned")
			release()
			k.settle()
			assert.True(t, registration.HasSynced())
			assert.True(t, isClosed(registration.Synced()))
		},
	}, {
		name:    "upstream last",
		promise: "a registration waits for upstream, even if its initial calls have returned",
		try: func(t *testing.T, k *kit) {
			_, registration := k.join(ListenerOptions{})
			k.run()
			k.Distribute(adds(true, "web-1"), false)
			k.settle()
			assert.False(t, registration.HasSynced())
			k.UpstreamSynced()
			assert.True(t, registration.HasSynced())
		},
	}, {
		name:    "each for itself",
		promise: "one handler's initial list does not hold up another's registration",
		try: func(t *testing.T, k *kit) {
			slow, slowly := k.join(ListenerOptions{})
			_, fast := k.join(ListenerOptions{})
			release := slow.holdUp("initial web-1")
			k.run()
			k.Distribute(adds(true, "web-1"), false)
			k.UpstreamSynced()
			k.settle()
			assert.True(t, fast.HasSynced())
			assert.False(t, slowly.HasSynced())
			release()
		},
	}, {
		name:    "an empty list",
		promise: "with an empty initial list, a registration has synced when upstream has",
		try: func(t *testing.T, k *kit) {
			_, early := k.join(ListenerOptions{})
			k.UpstreamSynced()
			_, late := k.join(ListenerOptions{})
			assert.True(t, early.HasSynced())
			assert.True(t, late.HasSynced())
		},
	}, {
		name: "not too early",
		promise: "if upstream has synced, a handler that is added before, during or after the start " +
			"has not synced before its synthetic adds are delivered",
		try: func(t *testing.T, k *kit) {
			k.UpstreamSynced()
			join := func() (*Registration, func()) {
				r := &recorder{}
				release := r.holdUp("initial web-1")
				registration, err := k.AddListener(r, ListenerOptions{}, pods("web-1"))
				require.NoError(t, err)
				return registration, release
			}
			before, releaseBefore := join()
			k.begin()
			while, releaseWhile := join()
			k.settle()
			after, releaseAfter := join()
			k.settle()
			for _, registration := range []*Registration{before, while, after} {
				assert.False(t, registration.HasSynced())
			}
			releaseBefore()
			releaseWhile()
			releaseAfter()
			k.settle()
			for _, registration := range []*Registration{before, while, after} {
				assert.True(t, registration.HasSynced())
			}
		},
	}, {
		name:    "counted first",
		promise: "initial adds are counted before the handler can finish them",
		options: Options{Trace: &Trace{
			Pending: func(string, int) { synctest.Wait() }, // then its calls have returned
		}},
		try: func(t *testing.T, k *kit) {
			_, registration := k.join(ListenerOptions{})
			k.run()
			k.Distribute(adds(true, "web-1"), false)
			k.UpstreamSynced()
			assert.True(t, registration.HasSynced())
		},
	}, {
		name:    "what counts",
		promise: "updates, deletes and adds of new objects do not hold up a registration",
		try: func(t *testing.T, k *kit) {
			_, registration := k.join(ListenerOptions{})
			k.tell("web-1")
			k.Distribute([]Notification{
				UpdateNotification(pod("web-1", "1"), pod("web-1", "2")),
				DeleteNotification(pod("web-1", "2")),
			}, false)
			k.UpstreamSynced()
			assert.True(t, registration.HasSynced())
		},
	}})
}
