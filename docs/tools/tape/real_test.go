package tape

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/wire"
)

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
		m, err := New(Options{Source: source, Real: &wire.ClientOptions{
			URL: fakeapi.URL + "/api/v1/services", HTTPClient: api.Client()}})
		require.NoError(t, err)
		defer m.Close()
		require.NoError(t, m.furnish())
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
			assert.False(t, b.writes, "there is no button %s", b.Do)
		}
		assert.True(t, m.Meta().ReadOnly)
		assert.ErrorContains(t, m.Do(Order{Do: "create"}), "this one is real, and only read")
		s, _, _ := m.seen.list()
		assert.Contains(t, s.Cache.Objects, ObjectState{"default/web-1", "2"})
		assert.Empty(t, s.Server.Objects, "a real server has no trace")
	})
}
