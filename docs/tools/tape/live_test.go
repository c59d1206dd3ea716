package tape

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/client"
)

// takeOver takes a story of the informer over.
func takeOver(t *testing.T, file string, seq int64) *Live {
	t.Helper()
	s, err := source.StoryAt(file)
	require.NoError(t, err)
	l, err := NewRecorder(t, source).TakeOver(s, seq)
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

// Now asks the machine for its state.
func (l *Live) now() (got Listing) {
	<-l.Go(func(m *Machine) { got = m.Listing() })
	return got
}

func (l *Live) press(t *testing.T, o Order) {
	t.Helper()
	var err error
	<-l.Go(func(m *Machine) { err = m.Do(o) })
	require.NoError(t, err)
}

const aDeletion = "informer/testdata/02_update_and_delete_over_the_watch.story"

func TestAMachineThatWasTakenOver(t *testing.T) {
	tape, err := NewRecorder(t, source).Play(aDeletion)
	require.NoError(t, err)
	seqOf := func(words string) int64 {
		for _, e := range tape.Events {
			if e.Text == words {
				return e.Seq
			}
		}
		require.FailNow(t, words)
		return 0
	}

	t.Run("stands at each event as the tape shows it", func(t *testing.T) {
		for _, e := range tape.Events {
			got := takeOver(t, aDeletion, e.Seq).now()
			assert.Equal(t, e.Seq, got.Seq)
			assert.Equal(t, e.State, got.State, "event %d: %s", e.Seq, e.Text)
		}
	})
	queued := seqOf("web-1: Updated web-1@3")
	t.Run("stands still until time passes", func(t *testing.T) {
		l := takeOver(t, aDeletion, queued)
		l.press(t, Order{Do: "valve", Args: map[string]string{"name": "V2", "mode": "held"}})
		assert.EqualValues(t, 1, l.now().State.Queue.Total)
		l.Advance(time.Hour)
		assert.EqualValues(t, 1, l.now().State.Queue.Total, "the valve was held before the loop went on")
		l.press(t, Order{Do: "valve", Args: map[string]string{"name": "V2", "mode": "open"}})
		l.Advance(time.Second)
		assert.Zero(t, l.now().State.Queue.Total)
	})
	t.Run("is left by its story", func(t *testing.T) {
		l := takeOver(t, aDeletion, queued)
		l.Advance(time.Hour)
		assert.EqualValues(t, 3, l.now().State.Server.RV, "the story would create web-2 now")
		l.press(t, Order{Do: "create", Key: "default/db-1"})
		l.Advance(time.Second)
		assert.EqualValues(t, 2, l.now().State.Cache.Total)
	})
	t.Run("can be one on which nothing was played", func(t *testing.T) {
		l, err := NewRecorder(t, source).Fresh(Options{Queue: RealFIFO, Source: source})
		require.NoError(t, err)
		defer l.Close()
		assert.True(t, l.now().State.Cache.Synced)
		assert.Equal(t, RealFIFO, l.now().State.Queue.Kind)
	})
	t.Run("is none if its story is wrong before the event", func(t *testing.T) {
		s := Story{Name: "a.story", Text: "run\n\nfly\n"}
		_, err := NewRecorder(t, source).TakeOver(s, 1000)
		assert.ErrorContains(t, err, "a.story: line 3: fly: ")
	})
}

// A real server is only read: whatever is pressed, it gets lists and watches.
func TestARealServerIsOnlyRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var verbs []string
		api := fakeapi.New(fakeapi.Options{Trace: &fakeapi.Trace{
			Request: func(q fakeapi.Request) { verbs = append(verbs, q.Verb) },
		}})
		defer api.Close()
		_, err := api.Create("services", `{"metadata":{"name":"web-1"},"spec":{"ports":[{"port":80}]}}`)
		require.NoError(t, err)
		m, err := New(Options{Source: source, Real: &client.Options{
			URL: fakeapi.URL + "/api/v1/services", HTTPClient: api.Client()}})
		require.NoError(t, err)
		defer m.Close()
		require.NoError(t, m.Open())
		synctest.Wait()
		for _, b := range buttons {
			_ = m.Do(Order{Do: b.Do, Key: "default/web-1", Args: map[string]string{"kind": RealFIFO}})
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		for _, verb := range verbs {
			assert.Contains(t, []string{"list", "watch"}, verb)
		}
		for _, b := range m.Meta().Buttons {
			assert.False(t, b.writes(), "there is no button %s", b.Do)
		}
		assert.True(t, m.Meta().ReadOnly)
		assert.ErrorContains(t, m.Do(Order{Do: "create"}), "this one is real, and only read")
		s, _, _ := m.seen.list()
		assert.Contains(t, s.Cache.Objects, ObjectState{"default/web-1", "2"})
		assert.Empty(t, s.Server.Objects, "a real server has no trace")
	})
}
