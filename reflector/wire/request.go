package wire

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"

	"example.com/watchglass/reflector"
)

// request makes the request of a list or a watch. The options cannot change Accept, because the
// decoders understand only one form.
func (c *Client) request(
	ctx context.Context, o reflector.ListOptions, watch bool,
) (*http.Request, error) {
	u := *c.url
	u.RawQuery = c.query(o, watch).Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	for name, values := range c.opts.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.opts.UserAgent)
	return req, nil
}

// query returns what client-go sends: parameters that are zero are left out. A parameter of the
// request or of the options counts more than one of the same name in the URL.
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
