package wire

import (
	"context"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPanicContinuesInNext(t *testing.T) {
	for want, leave := range map[string]func(){
		"no such number": func() { panic("no such number") },
		"runtime.Goexit": runtime.Goexit, // what t.FailNow does
	} {
		for _, stream := range []string{`{"n":2}`, `{"n":2}{"n":3}`, `{"n":1}{"n":2}{"n":3}{"n":4}`} {
			ctx, cancel := context.WithCancel(t.Context())
			frames := NewFrameReader(io.MultiReader(strings.NewReader(stream), silent{ctx}))
			a := newAhead(ctx, cancel, frames, func(frame []byte) (int, error) {
				if string(frame) == `{"n":2}` {
					leave()
				}
				return decodeNumber(frame)
			})
			if strings.HasPrefix(stream, `{"n":1}`) {
				_, err := a.next()
				require.NoError(t, err)
			}
			assert.Contains(t, panicOf(func() { a.next() }), want,
				"a panic of a decoder continues in the goroutine that calls next (%s)", stream)
			require.Error(t, ctx.Err(), "a panic ends the reading, because the caller may never call close")
			_, err := a.next()
			assert.ErrorIs(t, err, errPanicked, "frames after the panic are not returned (%s)", stream)
			a.close()
		}
	}
}

// silent is a connection on which nothing arrives.
type silent struct{ ctx context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// panicOf calls f and returns what it panics with.
func panicOf(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

func TestCloseWaitsForDecoders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Bool
		a := aheadOf(t.Context(), strings.NewReader(`{"n":1}{"n":2}`), func([]byte) (int, error) {
			time.Sleep(time.Minute)
			ended.Store(true)
			return 0, nil
		})
		time.Sleep(time.Second)
		began := time.Now()
		a.close()
		assert.True(t, ended.Load(), "close waits for a decoder under way")
		assert.Less(t, time.Since(began), time.Minute, "after close no further frame is decoded")
		_, err := a.next()
		assert.ErrorIs(t, err, context.Canceled)
	})
}
