package rvinformer

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/reflector"
)

type thing struct{ watchglass.ObjectMeta }

// refusing is a mirror whose deletions succeed and whose other writes fail.
type refusing struct{ deleted []watchglass.Object }

func (*refusing) OnAdd(watchglass.Object, bool) error    { return errors.New("add refused") }
func (*refusing) OnUpdate(watchglass.Object, bool) error { return errors.New("update refused") }
func (*refusing) OnSync(watchglass.Object) error         { return errors.New("sync refused") }
func (m *refusing) OnDelete(obj watchglass.Object, _ bool) error {
	m.deleted = append(m.deleted, obj)
	return nil
}

func TestAFailedWriteDoesNotHideTheDeletionBehindIt(t *testing.T) {
	mirror := &refusing{}
	i, err := New(Options{
		Handler:   mirror,
		Reflector: reflector.Options{ListerWatcher: struct{ reflector.ListerWatcher }{}},
		Versions:  map[string]string{"web-1": "3"},
	})
	require.NoError(t, err)
	last := &thing{watchglass.ObjectMeta{Name: "web-1", ResourceVersion: "4"}}
	require.NoError(t, i.queue.Update(last))
	require.NoError(t, i.queue.Delete(last))
	_, err = i.queue.Pop(i.process)
	assert.EqualError(t, err, `mirror "web-1": update refused`)
	assert.Equal(t, []watchglass.Object{last}, mirror.deleted)
	assert.Empty(t, i.Versions())
}

func TestARunThatIsOverCallsNoHandler(t *testing.T) {
	mirror := &refusing{}
	i, err := New(Options{
		Handler:        mirror,
		Reflector:      reflector.Options{ListerWatcher: struct{ reflector.ListerWatcher }{}},
		OnProcessError: func(err error) { assert.NoError(t, err, "nothing is processed") },
	})
	require.NoError(t, err)
	require.NoError(t, i.queue.Add(&thing{watchglass.ObjectMeta{Name: "web-1"}}))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.NoError(t, i.Run(ended))
	assert.Equal(t, 1, i.queue.Len(), "what is queued stays queued")
}

// counting is a mirror that counts its calls.
type counting map[string]int

func (c counting) count(call string) error                { c[call]++; return nil }
func (c counting) OnAdd(watchglass.Object, bool) error    { return c.count("add") }
func (c counting) OnUpdate(watchglass.Object, bool) error { return c.count("update") }
func (c counting) OnSync(watchglass.Object) error         { return c.count("sync") }
func (c counting) OnDelete(watchglass.Object, bool) error { return c.count("delete") }

func TestObjectsWithoutVersionsAreAlwaysUpdates(t *testing.T) {
	mirror := counting{}
	i, err := New(Options{
		Handler:   mirror,
		Reflector: reflector.Options{ListerWatcher: struct{ reflector.ListerWatcher }{}},
	})
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, i.queue.Add(&thing{watchglass.ObjectMeta{Name: "web-1"}}))
		_, err = i.queue.Pop(i.process)
		require.NoError(t, err)
	}
	assert.Equal(t, counting{"add": 1, "update": 2}, mirror,
		"without a version, any state may be a change")
}

// fickle is a mirror whose every write fails with one error.
type fickle struct {
	refusal error
	calls   int
}

func (m *fickle) refuse() error {
	if m.calls++; m.calls > 10 { // ends an endless loop, so that the law fails instead of hanging
		return nil
	}
	return m.refusal
}

func (m *fickle) OnAdd(watchglass.Object, bool) error    { return m.refuse() }
func (m *fickle) OnUpdate(watchglass.Object, bool) error { return m.refuse() }
func (m *fickle) OnDelete(watchglass.Object, bool) error { return m.refuse() }
func (m *fickle) OnSync(watchglass.Object) error         { return m.refuse() }

// absent is a collection that cannot be listed.
type absent struct{}

func (absent) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	return nil, errors.New("no server")
}

func (absent) Watch(context.Context, reflector.ListOptions) (reflector.Watch, error) {
	return nil, errors.New("no server")
}

// Some errors of a process func mean something to the queue. An error of a mirror must not, even if
// it wraps one of these: the mirror may have a queue of its own.
func TestTheErrorsOfAMirrorMeanNothingToTheQueue(t *testing.T) {
	for law, refusal := range map[string]error{
		"the key is not queued again": deltafifo.ErrRequeue{},
		"the error is reported":       fmt.Errorf("my own queue: %w", deltafifo.ErrClosed),
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				mirror := &fickle{refusal: refusal}
				var reported []error
				i, err := New(Options{
					Handler:        mirror,
					Reflector:      reflector.Options{ListerWatcher: absent{}},
					OnProcessError: func(err error) { reported = append(reported, err) },
				})
				require.NoError(t, err)
				for _, name := range []string{"web-1", "web-2"} {
					require.NoError(t, i.queue.Add(&thing{watchglass.ObjectMeta{Name: name}}))
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				require.NoError(t, i.Run(ctx))
				assert.Equal(t, 2, mirror.calls, "one call for each object")
				assert.Len(t, reported, 2, "each error is reported once")
				assert.ErrorIs(t, errors.Join(reported...), refusal, "the error is reported unchanged")
				assert.Empty(t, i.Versions(), "a write that failed records no version")
			})
		})
	}
}
