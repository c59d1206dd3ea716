package wire

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
)

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 11, 20, 13, 0, 0, 0, time.UTC)
	assert.Equal(t, 7*time.Second, parseRetryAfter("7", now))
	assert.Equal(t, time.Minute, parseRetryAfter("Fri, 20 Nov 2026 13:01:00 GMT", now),
		"a date will do")
	assert.Zero(t, parseRetryAfter("Fri, 20 Nov 2026 12:01:00 GMT", now), "one in the past is now")
	assert.Zero(t, parseRetryAfter("soon", now))
	assert.Positive(t, seconds(1<<62), "no overflow")
	assert.Zero(t, seconds(-5))
}

// A proxy may send the headers of a refusal and then no body, or one that never ends.
func TestStatusIsNotHiddenByTheBody(t *testing.T) {
	head := "HTTP/1.1 410 Gone\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
	status := statusBody(410, "Expired", "too old")
	for _, c := range []struct {
		says, want string
		reply      reply
	}{
		{"a body that does not come", "server says 410 Gone: no body", silence(head)},
		{"a body that stops half-way", `410 Gone: a body of type application/json that begins "{`,
			silence(head + chunk(status[:20]))},
		{"a body that does not end", "410 Expired: too old", silence(head + chunk(status))},
		{"a body that goes on and on", "410 Gone: a body of type application/json that begins",
			flood(head, "x")},
		{"a response of the wrong type", `want application/json, have a body of type text/html ` +
			`that begins "<"`, silence("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n" + chunk("<"))},
	} {
		for asks, ask := range map[string]func(context.Context, *Client) error{
			"list": func(ctx context.Context, c *Client) error {
				_, err := c.List(ctx, reflector.ListOptions{})
				return err
			},
			"watch": func(ctx context.Context, c *Client) error {
				_, err := c.Watch(ctx, reflector.ListOptions{})
				return err
			},
		} {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				s.replies <- c.reply
				s.replies <- c.reply
				asked := time.Now()
				err := ask(t.Context(), s.client(t))
				assert.ErrorContains(t, err, c.want, "%s: what the headers say counts (%s)",
					c.says, asks)
				assert.LessOrEqual(t, time.Since(asked), refusalTime,
					"%s: it holds the status back for a few seconds only (%s)", c.says, asks)

				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(reflector.ErrIdle) })
				err = ask(ctx, s.client(t))
				assert.ErrorContains(t, err, c.want,
					"%s: the reason for cancelling does not take the place of the status (%s)",
					c.says, asks)
			})
		}
	}
}

// silence sends these bytes and then nothing until the client hangs up.
func silence(bytes string) reply {
	return func(c *serverConn) {
		io.WriteString(c, bytes)
		select {
		case <-c.gone:
		case <-c.done:
		}
	}
}
