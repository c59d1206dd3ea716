package informer

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// waitFor starts a WaitForVersion, which ends with the test or after an hour: otherwise a wait that
// hangs would let the bubble's clock run for ever.
func (p *pair) waitFor(version string) <-chan error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	p.t.Cleanup(cancel)
	result := make(chan error, 1)
	go func() { result <- p.WaitForVersion(ctx, version) }()
	synctest.Wait()
	return result
}

func TestWaitForVersion(t *testing.T) {
	onBothQueues(t, "a wait that begins before Run ends with the first list",
		func(t *testing.T, queue QueueKind) {
			p := newPair(t, Options{Queue: queue})
			version := p.write("web-1", "red")
			result := p.waitFor(version)
			require.Empty(t, result)
			p.run()
			assert.NoError(t, <-result)
			assert.Len(t, p.Lister().List(), 1)
			assert.NoError(t, <-p.waitFor(version), "and so does a later one")
		})
	onBothQueues(t, "an empty list is a version too, and a bookmark moves it on",
		func(t *testing.T, queue QueueKind) {
			p := newPair(t, Options{Queue: queue})
			elsewhere := func(name string) string {
				written, err := p.server.Create("configmaps", `{"metadata":{"name":"`+name+`"}}`)
				require.NoError(t, err)
				return versionOf(t, written)
			}
			version := elsewhere("a")
			p.run()
			assert.NoError(t, <-p.waitFor(version))
			result := p.waitFor(elsewhere("b"))
			require.Empty(t, result)
			assert.NoError(t, <-result)
		})
	law(t, "a version that is not a number is an error", func(t *testing.T) {
		p := newPair(t, Options{})
		for _, version := range []string{"", "abc", "-1", "1.5", "0x10"} {
			assert.ErrorContains(t, <-p.waitFor(version),
				fmt.Sprintf("wait for a version: resourceVersion %q is not a positive number", version))
		}
	})
	law(t, "it ends with its context, and says how far the cache is", func(t *testing.T) {
		p := newPair(t, Options{Name: "widgets"})
		version := p.write("web-1", "red")
		p.run()
		err := <-p.waitFor("1000000")
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.EqualError(t, err, `wait until widgets are at version 1000000, now at "`+version+
			`": context deadline exceeded`)
	})
	law(t, "it ends with the informer", func(t *testing.T) {
		p := newPair(t, Options{})
		p.run()
		result := p.waitFor("1000000")
		require.Empty(t, result)
		p.stop()
		assert.ErrorIs(t, <-result, ErrStopped)
	})
	law(t, "what was reached counts, though informer and context have ended", func(t *testing.T) {
		p := newPair(t, Options{})
		version := p.write("web-1", "red")
		p.run()
		p.stop()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 20 { // select chooses at random
			assert.NoError(t, p.WaitForVersion(ctx, version))
		}
	})
}
