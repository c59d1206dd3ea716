package wire

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server whose machine has died does not answer, or stops in the middle of an answer.
func TestAListThatIsNotAnsweredIsGivenUp(t *testing.T) {
	silent := func(c *serverConn) {
		select {
		case <-c.gone:
		case <-c.done:
		}
	}
	for says, silence := range map[string]reply{
		"no answer at all":       silent,
		"an answer without end":  hanging(`{"kind":"WidgetList","items":[`),
		"headers and then quiet": hanging(),
	} {
		t.Run(says, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport := &countingTransport{}
				g := newRig(t, func(o *reflector.Options) {
					o.ListTimeout = time.Minute
					client := o.ListerWatcher.(*Client)
					transport.Transport = client.opts.HTTPClient.Transport.(*http.Transport)
					client.opts.HTTPClient.Transport = transport
				})
				g.replies <- silence
				g.start(t)
				pass(59 * time.Second)
				g.mu.Lock()
				assert.Empty(t, g.errs, "a list is not given up before its timeout")
				g.mu.Unlock()
				g.replies <- okJSON(list("7", "web-1@5"))
				g.replies <- hanging()
				pass(3 * time.Second)
				g.stop()
				assert.Equal(t, 1, transport.closed, "the silent connection is not used again")
				require.Len(t, g.errs, 1)
				assert.Contains(t, g.errs[0], reflector.ErrListTimeout.Error())
				assert.Equal(t, "7", g.r.LastSyncResourceVersion(), "after the timeout it lists again")
			})
		})
	}
}
