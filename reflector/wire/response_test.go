package wire

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 11, 20, 13, 0, 0, 0, time.UTC)
	assert.Equal(t, 7*time.Second, parseRetryAfter("7", now))
	assert.Equal(t, time.Minute, parseRetryAfter("Fri, 20 Nov 2026 13:01:00 GMT", now),
		"Retry-After may be a date")
	assert.Zero(t, parseRetryAfter("Fri, 20 Nov 2026 12:01:00 GMT", now),
		"a date in the past asks for no wait")
	assert.Zero(t, parseRetryAfter("soon", now),
		"a value that is neither a number nor a date asks for no wait")
	assert.Positive(t, seconds(math.MaxInt), "a very large number of seconds does not overflow")
	assert.Zero(t, seconds(-5), "a negative number of seconds asks for no wait")
}

func TestTheLongerWaitCounts(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": 5 * time.Second, "2": 5 * time.Second, "7": 7 * time.Second,
	} {
		e := responseError(&http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {header}}},
			[]byte(`{"kind":"Status","details":{"retryAfterSeconds":5}}`))
		assert.Equal(t, want, e.RetryAfter, "the longer of 5 s by the Status and %q by the header counts",
			header)
	}
}

func TestShortTextsStayAsTheyAre(t *testing.T) {
	assert.Equal(t, "abc", prefix("abc", 3))
	assert.Equal(t, "ab…", prefix("abc", 2))
	short := errors.New(strings.Repeat("x", 200))
	assert.Same(t, short, shortened(short))
	assert.EqualError(t, shortened(errors.New(strings.Repeat("x", 201))), short.Error()+"…")
}

// A proxy may send the headers of a refusal and then no body, or one that never ends.
func TestStatusIsNotHiddenByTheBody(t *testing.T) {
	head := "HTTP/1.1 410 Gone\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
	status := statusBody(410, "Expired", "too old")
	for _, c := range []struct {
		says, want string
		reply      reply
	}{
		{"a body that does not arrive", "server says 410 Gone: no body", silence(head)},
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
				assert.ErrorContains(t, err, c.want, "%s does not hide the status of the response (%s)",
					c.says, asks)
				assert.LessOrEqual(t, time.Since(asked), refusalTime,
					"%s delays the error for at most refusalTime (%s)", c.says, asks)

				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(reflector.ErrIdle) })
				err = ask(ctx, s.client(t))
				assert.ErrorContains(t, err, c.want,
					"%s: the cause of a cancelled context does not replace the status (%s)",
					c.says, asks)
			})
		}
	}
}

// silence sends these bytes and then nothing until the client closes the connection.
func silence(bytes string) reply {
	return func(c *serverConn) {
		io.WriteString(c, bytes)
		select {
		case <-c.gone:
		case <-c.done:
		}
	}
}

// A Status may be as large as a frame. Its error is logged, and some handlers keep it.
func TestALongStatusIsCut(t *testing.T) {
	long := statusBody(403, strings.Repeat("R", 1<<20), strings.Repeat("m", 1<<20))
	asEvent := statusEvent([]byte(long))
	_, asList := DecodeList[widget](strings.NewReader(long))
	for _, err := range []error{asEvent, asList} {
		assert.ErrorContains(t, err, "server says 403 RRRRR")
		assert.Less(t, len(err.Error()), 2000, "an error has only the beginning of a long message")
	}
}

// FuzzStatus makes errors of any bytes, as the body of a refusal and as the object of an ERROR
// event. The error must have the code of the response, be short, and never ask for a negative wait.
func FuzzStatus(f *testing.F) {
	f.Add(403, "application/json", "", []byte(statusBody(403, "Forbidden", "no")))
	f.Add(429, "text/plain; charset=utf-8", "7", []byte("busy"))
	f.Add(504, "", "-1", []byte(`{"kind":"Status","details":{"retryAfterSeconds":-9,"causes":null}}`))
	f.Add(500, "application/json", "9999999999", []byte(`{"kind":"Status","message":7}`))
	f.Fuzz(func(t *testing.T, code int, contentType, retryAfter string, body []byte) {
		resp := &http.Response{StatusCode: code, Header: http.Header{
			"Content-Type": {contentType}, "Retry-After": {retryAfter},
		}}
		e := responseError(resp, body)
		require.Equal(t, code, e.Code)
		require.GreaterOrEqual(t, e.RetryAfter, time.Duration(0))
		require.Less(t, len(e.Error()), 2000, "the error does not contain a whole body")
		err := statusEvent(body)
		_, refused := errors.AsType[*reflector.StatusError](err)
		_, garbage := errors.AsType[*reflector.DecodeError](err)
		require.True(t, refused || garbage, "%T", err)
	})
}
