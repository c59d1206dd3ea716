package wire

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"example.com/watchglass/reflector"
)

// request makes the request. The options cannot change Accept, because the decoders understand only
// one form.
func (c *Client) request(ctx context.Context, query url.Values) (*http.Request, error) {
	u := *c.url
	u.RawQuery = c.query(query).Encode()
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

// query adds the parameters that all requests share. A parameter of the request or of the options
// counts more than one of the same name in the URL.
func (c *Client) query(q url.Values) url.Values {
	for name, values := range c.url.Query() {
		if !q.Has(name) {
			q[name] = values
		}
	}
	set(q, "labelSelector", c.opts.LabelSelector)
	set(q, "fieldSelector", c.opts.FieldSelector)
	return q
}

// listQuery is what client-go sends for a list: fields that are empty are left out.
func listQuery(o reflector.ListOptions) url.Values {
	q := url.Values{}
	set(q, "resourceVersion", o.ResourceVersion)
	set(q, "resourceVersionMatch", o.ResourceVersionMatch)
	set(q, "continue", o.Continue)
	setInt(q, "limit", o.Limit)
	return q
}

// watchQuery is what client-go sends for a watch. Limit and Continue mean nothing to a watch.
func watchQuery(o reflector.ListOptions) url.Values {
	q := url.Values{"watch": {"true"}}
	set(q, "resourceVersion", o.ResourceVersion)
	set(q, "resourceVersionMatch", o.ResourceVersionMatch)
	setInt(q, "timeoutSeconds", o.TimeoutSeconds)
	if o.AllowWatchBookmarks {
		q.Set("allowWatchBookmarks", "true")
	}
	if o.SendInitialEvents {
		q.Set("sendInitialEvents", "true")
	}
	return q
}

func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

func setInt(q url.Values, name string, value int64) {
	if value != 0 {
		q.Set(name, strconv.FormatInt(value, 10))
	}
}
