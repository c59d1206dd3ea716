package informer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/reflector"
)

// write changes the color of a widget, which it creates if need be, and returns its new version.
func (r *typedRig) write(name, color string) string {
	written, err := r.server.Patch("widgets", "default", name, `{"spec":{"color":"`+color+`"}}`)
	if err != nil {
		written, err = r.server.Create("widgets", newWidget(name, color))
	}
	require.NoError(r.t, err)
	return versionOf(r.t, written)
}

func versionOf(t testing.TB, written json.RawMessage) string {
	var obj watchglass.Unstructured
	require.NoError(t, json.Unmarshal(written, &obj))
	return obj.GetResourceVersion()
}

// soon is a context that ends after an hour. Without an end, a wait that hangs would let the
// bubble's clock run for ever.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(cancel)
	return ctx
}

func (r *typedRig) waitFor(ctx context.Context, version string) <-chan error {
	result := make(chan error, 1)
	go func() { result <- r.widgets.WaitForVersion(ctx, version) }()
	synctest.Wait()
	return result
}

func TestWaitForVersion(t *testing.T) {
	inBubble(t, "a wait that begins before Run ends with the first list", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		version := r.write("web-1", "red")
		result := r.waitFor(soon(t), version)
		isOpen(t, result)
		r.run()
		assert.NoError(t, <-result)
		assert.Len(t, r.widgets.Lister().List(), 1)
		assert.NoError(t, r.widgets.WaitForVersion(soon(t), version), "and so does a later one")
	})
	inBubble(t, "versions are compared as numbers, and not as text", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		version := r.write("web-1", "red")
		r.run()
		at, err := strconv.Atoi(version)
		require.NoError(t, err)
		assert.NoError(t, r.widgets.WaitForVersion(soon(t), "1"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.Error(t, r.widgets.WaitForVersion(ctx, fmt.Sprint(10*at)))
	})
	inBubble(t, "a bookmark moves the version on, though nothing changes", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		r.run()
		written, err := r.server.Create("configmaps", `{"metadata":{"name":"other"}}`)
		require.NoError(t, err)
		began := time.Now()
		assert.NoError(t, r.widgets.WaitForVersion(soon(t), versionOf(t, written)))
		assert.NotZero(t, time.Since(began), "no bookmark was waited for")
	})
	inBubble(t, "an empty list is a version too", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		written, err := r.server.Create("configmaps", `{"metadata":{"name":"other"}}`)
		require.NoError(t, err)
		r.run()
		assert.NoError(t, r.widgets.WaitForVersion(soon(t), versionOf(t, written)))
	})
	inBubble(t, "it waits for what is queued to be processed", func(t *testing.T) {
		hold := make(chan struct{})
		r := newTypedRig(t, informer.Options{Indexers: indexer.Indexers{
			"hold": func(obj watchglass.Object) ([]string, error) {
				if obj.(*widget).Spec.Color == "slow" {
					<-hold
				}
				return nil, nil
			},
		}})
		r.run()
		version := r.write("web-1", "slow")
		result := r.waitFor(soon(t), version)
		assert.Equal(t, version, r.widgets.LastSyncResourceVersion(), "the version is queued")
		isOpen(t, result)
		close(hold)
		assert.NoError(t, <-result)
	})
}

func TestWaitForVersionEnds(t *testing.T) {
	inBubble(t, "a version that is not a number is an error", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		for _, version := range []string{"", "abc", "-1", "1.5", "0x10"} {
			assert.ErrorContains(t, r.widgets.WaitForVersion(soon(t), version),
				fmt.Sprintf("wait for a version: resourceVersion %q is not a positive number", version))
		}
	})
	inBubble(t, "a server whose versions are not numbers is an error", func(t *testing.T) {
		s := informer.NewSharedIndexInformer(informer.Options{ListerWatcher: lettered{}})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = s.Run(ctx) })
		assert.ErrorContains(t, s.WaitForVersion(soon(t), "5"),
			`the server's resourceVersion "five" is not a positive number`)
		cancel()
		running.Wait()
	})
	inBubble(t, "it ends with its context, and says how far the cache is", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{Name: "widgets"})
		version := r.write("web-1", "red")
		r.run()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := r.widgets.WaitForVersion(ctx, "1000000")
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.EqualError(t, err, `wait until widgets are at version 1000000, now at "`+version+
			`": context deadline exceeded`)
	})
	inBubble(t, "it ends with the informer", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		r.run()
		result := r.waitFor(context.Background(), "1000000")
		isOpen(t, result)
		r.stop()
		assert.ErrorIs(t, <-result, informer.ErrStopped)
		assert.ErrorIs(t, r.widgets.WaitForVersion(soon(t), "1000000"), informer.ErrStopped)
	})
	inBubble(t, "what was reached counts, though informer and context have ended",
		func(t *testing.T) {
			r := newTypedRig(t, informer.Options{})
			version := r.write("web-1", "red")
			r.run()
			r.stop()
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			for range 20 {
				assert.NoError(t, r.widgets.WaitForVersion(ctx, version))
			}
		})
}

// lettered is a collection whose version is not a number.
type lettered struct{ reflector.ListerWatcher }

func (lettered) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	return &reflector.List{ResourceVersion: "five"}, nil
}

func (lettered) Watch(ctx context.Context, _ reflector.ListOptions) (reflector.Watch, error) {
	return lettersWatch{ctx}, nil
}

// IsWatchListSemanticsUnSupported says that it has to be listed.
func (lettered) IsWatchListSemanticsUnSupported() bool { return true }

type lettersWatch struct{ ctx context.Context }

func (w lettersWatch) Next() (reflector.Event, error) {
	<-w.ctx.Done()
	return reflector.Event{}, w.ctx.Err()
}

func (w lettersWatch) Close() error { return nil }
