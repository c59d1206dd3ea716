package wire

import (
	"context"
	"io"

	"example.com/watchglass/reflector"
)

// httpWatch is the [reflector.Watch] of a [Client]: a response body without an end, decoded ahead
// of its reader.
type httpWatch struct {
	client *Client
	ctx    context.Context // of the request
	body   io.Closer
	events *ahead[reflector.Event] // over body
}

// Next implements [reflector.Watch]. When the watch is closed or its context ends, there are no
// more events, even if some have arrived.
func (w *httpWatch) Next() (reflector.Event, error) {
	e, err := w.events.next()
	switch err {
	case nil, io.EOF: // not errors.Is: the error of a decoder may wrap an io.EOF of its own
		return e, err
	}
	return reflector.Event{}, w.client.wrap(err)
}

// Close implements [reflector.Watch]. Only the cancellation ends a Read that waits: Body.Close
// alone would first try to read the rest of the body.
func (w *httpWatch) Close() error {
	w.events.cancel()
	err := w.body.Close()
	w.events.close()
	w.client.distrust(w.ctx)
	return err
}
