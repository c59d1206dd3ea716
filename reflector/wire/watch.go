package wire

import (
	"context"
	"errors"
	"io"

	"example.com/watchglass/reflector"
)

// httpWatch is the [reflector.Watch] of a [Client]: a response body that goes on and on.
//
// It has no goroutine. Next reads as much as it takes to complete a frame; between two calls the
// bytes wait in the kernel, and when there is no more room, at the server. This is how a slow store
// slows down its server rather than filling up a buffer in between.
type httpWatch struct {
	client *Client
	ctx    context.Context // of the request
	body   io.Closer
	frames *FrameReader // over body
	decode func(frame []byte) (reflector.Event, error)
	cancel context.CancelFunc // ends the request, and with it a Read that waits
}

// Next implements [reflector.Watch]. When the watch is closed or its context ends, there are no
// more events, even if some have arrived.
func (w *httpWatch) Next() (reflector.Event, error) {
	if err := w.ctx.Err(); err != nil {
		return reflector.Event{}, w.client.wrap(err)
	}
	frame, err := w.frames.Next()
	switch {
	case errors.Is(err, io.EOF):
		return reflector.Event{}, io.EOF
	case err != nil:
		return reflector.Event{}, w.client.wrap(err)
	}
	e, err := w.decode(frame)
	if err != nil {
		return e, w.client.wrap(err)
	}
	return e, nil
}

// Close implements [reflector.Watch]. The cancellation is what frees a Next that waits: Body.Close
// alone would first try to read the rest of the body.
func (w *httpWatch) Close() error {
	w.cancel()
	err := w.body.Close()
	w.client.distrust(w.ctx)
	return err
}
