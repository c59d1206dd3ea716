package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"

	"example.com/watchglass/reflector"
)

// request makes a request that sends object as JSON, or no body if it is nil, and asks for JSON.
// The client's header is added; it cannot change how the body and the answer are encoded.
//
// If the client wants only metadata, it asks for that form of the answer. It is JSON as well, so
// the decoders do not distinguish it. Servers that do not know the form send whole objects.
func (c *Client[T]) request(
	ctx context.Context, method, url, form string, object any,
) (*http.Request, error) {
	var body io.Reader
	if object != nil {
		text, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "watchglass")
	for name, values := range c.opts.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	request.Header.Set("Accept", "application/json")
	if c.opts.MetadataOnly {
		request.Header.Set("Accept",
			"application/json;as="+form+";g=meta.k8s.io;v=v1,application/json")
	}
	request.Header.Del("Content-Type")
	switch {
	case method == http.MethodPatch:
		request.Header.Set("Content-Type", "application/merge-patch+json")
	case object != nil:
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// query returns the parameters of a list or a watch, as client-go sends them, apart from the
// parameter timeout of its typed clients, which servers ignore for a watch. Those that are zero are
// left out. A parameter of the request or of the options counts more than one of the same name in
// the URL.
func (c *Client[T]) query(o reflector.ListOptions, watch bool) url.Values {
	parameters := map[string]any{
		"labelSelector":        c.opts.LabelSelector,
		"fieldSelector":        c.opts.FieldSelector,
		"resourceVersion":      o.ResourceVersion,
		"resourceVersionMatch": o.ResourceVersionMatch,
	}
	if watch { // Limit and Continue mean nothing to a watch
		parameters["watch"] = true
		parameters["timeoutSeconds"] = o.TimeoutSeconds
		parameters["allowWatchBookmarks"] = o.AllowWatchBookmarks
		parameters["sendInitialEvents"] = o.SendInitialEvents
	} else {
		parameters["limit"] = o.Limit
		parameters["continue"] = o.Continue
	}
	q := c.url.Query()
	for name, value := range parameters {
		if !reflect.ValueOf(value).IsZero() {
			q.Set(name, fmt.Sprint(value))
		}
	}
	return q
}
