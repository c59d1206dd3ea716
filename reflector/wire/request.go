package wire

import (
	"net/url"
	"strconv"

	"example.com/watchglass/reflector"
)

// query adds to the parameters of one request those of all. The request comes first, the options
// second, and what the URL had of its own last.
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

// watchQuery is the same for a watch. Limit and Continue mean nothing to a watch.
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
