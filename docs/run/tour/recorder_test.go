package main

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestAwait(t *testing.T) {
	added, opened := want{handling, "OnAdd web-1"}, want{reflecting, "watch opened"}

	synctest.Test(t, func(t *testing.T) {
		r := newRecorder()
		go r.report(handling, "web-1", "fast OnAdd web-1")
		assert.NoError(t, r.await(t.Context(), added), "await returns when the report has come")
		assert.NoError(t, r.await(t.Context(), added), "a report counts until it is taken")
		r.take()
		assert.ErrorIs(t, r.await(t.Context(), added), errStuck, "await does not wait for ever")

		r.report(reflecting, "", "watch opened")
		assert.ErrorContains(t, r.await(t.Context(), opened, opened), `"watch opened" in lane reflector`,
			"a report that is wanted twice must come twice, and the error names the missing report")
		r.report(reflecting, "", "watch opened")
		assert.NoError(t, r.await(t.Context(), opened, opened))

		r.report(apiServer, "", "OnAdd web-1")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.ErrorIs(t, r.await(ctx, added), context.Canceled,
			"a report in another lane does not count, and an interrupt ends the wait")
	})
}

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		assert.NoError(t, g.pass(t.Context()), "a gate begins open")
		g.open()
		g.close()
		passed := make(chan error, 2)
		go func() { passed <- g.pass(t.Context()) }()
		go func() { passed <- g.pass(t.Context()) }()
		synctest.Wait()
		assert.Empty(t, passed, "a closed gate holds goroutines up")
		g.open()
		assert.NoError(t, <-passed, "when the gate opens, all waiting goroutines pass")
		assert.NoError(t, <-passed)
		g.open()

		g.close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.ErrorIs(t, g.pass(ctx), context.Canceled, "no goroutine is held beyond the end")
	})
}
