package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/watchglass/reflector"
)

// List implements [reflector.ListerWatcher]. Errors name the URL and wrap a
// [*reflector.StatusError] for a refusal, a [*reflector.DecodeError] for a response that is no
// list, or an error of the connection.
func (c *Client[T]) List(
	ctx context.Context, opts reflector.ListOptions,
) (*reflector.List, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer c.distrust(ctx)
	body, err := c.open(ctx, cancel, opts, false)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	var in io.Reader = body
	if opts.Progress != nil {
		in = io.TeeReader(body, progress(opts.Progress))
	}
	list, err := c.decodeList(ctx, in)
	return list, c.explain(err)
}

// progress is called for each part of a body.
type progress func()

func (p progress) Write(part []byte) (int, error) {
	p()
	return len(part), nil
}

// Watch implements [reflector.ListerWatcher]. Errors are as for List.
func (c *Client[T]) Watch(
	ctx context.Context, opts reflector.ListOptions,
) (reflector.Watch, error) {
	ctx, cancel := context.WithCancel(ctx)
	body, err := c.open(ctx, cancel, opts, true)
	if err != nil {
		c.distrust(ctx)
		cancel()
		return nil, err
	}
	from := &frames{cutter{r: body, limit: c.limit, what: "frame"}}
	events := batches[reflector.Event]{ctx: ctx, from: from, decode: c.decodeEvent}
	return &watch[T]{client: c, body: body, cancel: cancel, events: events}, nil
}

// refusalTime is how long the body of a refusal is read: one that never ends must not delay the
// error.
const refusalTime = 5 * time.Second

// open asks for a list or a watch and returns the body of a response that is JSON. Other responses
// become errors. cancel ends ctx.
func (c *Client[T]) open(
	ctx context.Context, cancel func(), opts reflector.ListOptions, watch bool,
) (io.ReadCloser, error) {
	url, form := *c.url, "PartialObjectMetadataList"
	url.RawQuery = c.query(opts, watch).Encode()
	client := *c.opts.HTTPClient // a copy that shares its connections
	if watch {
		form = "PartialObjectMetadata"
		client.Timeout = 0 // it would limit the reading of the body, too
	}
	request, err := c.request(ctx, http.MethodGet, url.String(), form, nil)
	if err != nil {
		return nil, c.explain(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, c.explain(err)
	}
	enough := time.AfterFunc(refusalTime, cancel)
	err = check(response)
	enough.Stop()
	if err != nil {
		response.Body.Close()
		return nil, c.explain(err)
	}
	return response.Body, nil
}

// explain adds the URL of the collection to err, in place of what http.Client adds: the method, and
// a URL with the query of the request. nil stays nil.
func (c *Client[T]) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", c.url.Redacted(), withoutURL(err))
}

// distrust closes idle connections if the request of ctx was ended for the server's silence, so
// that the next request opens a new connection. Over HTTP/2 the dead connection would otherwise be
// used again and again.
func (c *Client[T]) distrust(ctx context.Context) {
	cause := context.Cause(ctx)
	if errors.Is(cause, reflector.ErrIdle) || errors.Is(cause, reflector.ErrListTimeout) {
		c.opts.HTTPClient.CloseIdleConnections()
	}
}

// watch is the [reflector.Watch] of a [Client]: a response body without an end.
type watch[T any] struct {
	client *Client[T]
	body   io.Closer
	cancel context.CancelFunc       // of the context of the request
	events batches[reflector.Event] // over body
}

// Next implements [reflector.Watch]. When the watch is closed or its context ends, there are no
// more events, even if some have arrived.
func (w *watch[T]) Next() (reflector.Event, error) {
	e, err := w.events.next()
	if err != io.EOF { // not errors.Is: the error of a decoder may wrap an io.EOF of its own
		err = w.client.explain(err)
	}
	return e, err
}

// Close implements [reflector.Watch]. Only the cancellation ends a Read that waits: Body.Close
// alone would first try to read the rest of the body.
func (w *watch[T]) Close() error {
	w.cancel()
	err := w.body.Close()
	w.client.distrust(w.events.ctx)
	return err
}
