package reflector

import (
	"bytes"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

// logged runs a reflector against a server that refuses, expires and breaks off, with handler as
// its WatchErrorHandler, and returns what was logged.
func logged(t *testing.T, handler func(error)) (log string) {
	synctest.Test(t, func(t *testing.T) {
		var lines bytes.Buffer
		g := newRig(t, func(o *Options) {
			o.Name, o.WatchErrorHandler = "pods", handler
			o.Logger = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{
				ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				},
			}))
		})
		g.play(t, refusal(403, "Forbidden", "no"), list("7"),
			stream(bookmark("8"), status(410, "Expired", "old")), list("9"), broken(bookmark("10")))
		g.stop()
		log = lines.String()
	})
	return log
}

func TestErrorsAreLogged(t *testing.T) {
	assert.Equal(t, `level=ERROR msg="list and watch" reflector=pods `+
		`error="pods: listing: server says 403 Forbidden: no"
level=INFO msg="list and watch" reflector=pods `+
		`error="pods: watching: server says 410 Expired: old"
level=ERROR msg="list and watch" reflector=pods error="pods: watching: unexpected EOF"
`, logged(t, nil), "a 410 is normal operation, a connection that breaks at once is not")
	assert.Empty(t, logged(t, func(error) {}), "errors go to the handler instead of the log")
}
