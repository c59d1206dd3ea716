package informer_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/informer"
)

func init() {
	informer.PlayStories = func(t *testing.T) {
		open := func(t testing.TB) story.Machine { return newHouse(t) }
		story.PlayInBubble(t, "testdata/*.story", open)
		t.Run("further", func(t *testing.T) {
			story.PlayInBubble(t, "testdata/further/*.story", open)
		})
	}
}

// overSlowNetwork returns a client whose answers arrive later, piece by piece.
func overSlowNetwork(client *http.Client, lag time.Duration) *http.Client {
	return &http.Client{Transport: slowNetwork{client.Transport, lag}}
}

type slowNetwork struct {
	http.RoundTripper
	lag time.Duration
}

func (n slowNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := n.RoundTripper.RoundTrip(r)
	if err == nil && n.lag > 0 {
		resp.Body = story.Late(resp.Body, n.lag, r.Context().Done())
	}
	return resp, err
}

// write updates a widget, and starts a goroutine that waits until the cache has reached the version
// of the write.
func (h *house) write(name, color string) error {
	raw, err := h.server.Patch("widgets", "default", name, colored(color))
	if err != nil {
		return err
	}
	version := versionOf(h.t, raw)
	h.lanes.Report("writer", "waits for version %s", version)
	h.running.Go(func() { // joined in Cleanup
		if err := h.informer.WaitForVersion(h.ctx, version); err != nil {
			h.lanes.Report("writer", "%v", err)
			return
		}
		h.lanes.Report("writer", "the cache has reached version %s", version)
	})
	return nil
}

// colored is a merge patch.
func colored(color string) string { return fmt.Sprintf(`{"spec":{"color":%q}}`, color) }
