package wire

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"

	"example.com/watchglass/reflector"
)

// request makes the request of a list or a watch. The header of the options cannot change
// Accept, because the decoders understand nothing but JSON objects.
func (c *Client) request(
	ctx context.Context, o reflector.ListOptions, watch bool,
) *http.Request {
	u := *c.url
	u.RawQuery = c.query(o, watch).Encode()
	header := http.Header{"User-Agent": {"watchglass"}}
	for name, values := range c.opts.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	header.Set("Accept", c.accept(watch))
	return (&http.Request{Method: http.MethodGet, URL: &u, Header: header}).WithContext(ctx)
}

// accept asks for one of several forms of JSON, which the decoders do not distinguish. Servers that
// do not know the first send the second.
func (c *Client) accept(watch bool) string {
	if !c.opts.MetadataOnly {
		return "application/json"
	}
	as := map[bool]string{true: "PartialObjectMetadata", false: "PartialObjectMetadataList"}[watch]
	return "application/json;as=" + as + ";g=meta.k8s.io;v=v1,application/json"
}

// query returns what client-go sends, apart from the parameter timeout of its typed clients, which
// servers ignore for a watch. Parameters that are zero are left out. A parameter of the request or
// of the options counts more than one of the same name in the URL.
func (c *Client) query(o reflector.ListOptions, watch bool) url.Values {
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
