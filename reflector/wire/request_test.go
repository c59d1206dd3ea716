package wire

import (
	"net/http"
	"testing"
	"testing/synctest"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestQueries(t *testing.T) {
	for _, c := range []struct{ says, got, want string }{
		{"empty fields are not sent", listQuery(reflector.ListOptions{}).Encode(), ""},
		{"the first list of a reflector",
			listQuery(reflector.ListOptions{Limit: 500, ResourceVersion: "0"}).Encode(),
			"limit=500&resourceVersion=0"},
		{"a further page of a list",
			listQuery(reflector.ListOptions{Limit: 500, Continue: "t+"}).Encode(),
			"continue=t%2B&limit=500"},
		{"parameters of a watch are not sent with a list",
			listQuery(reflector.ListOptions{TimeoutSeconds: 9, AllowWatchBookmarks: true,
				SendInitialEvents: true}).Encode(), ""},
		{"the watch of a reflector after its list",
			watchQuery(reflector.ListOptions{ResourceVersion: "7", TimeoutSeconds: 384,
				AllowWatchBookmarks: true}).Encode(),
			"allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=384&watch=true"},
		{"a streaming list", watchQuery(reflector.ListOptions{
			TimeoutSeconds: 363, AllowWatchBookmarks: true,
			SendInitialEvents: true, ResourceVersionMatch: "NotOlderThan"}).Encode(),
			"allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&" +
				"timeoutSeconds=363&watch=true"},
		{"parameters of a list are not sent with a watch",
			watchQuery(reflector.ListOptions{Limit: 500, Continue: "t"}).Encode(), "watch=true"},
	} {
		assert.Equal(t, c.want, c.got, c.says)
	}
}

// once sends a list and returns the request as the server got it.
func once(t *testing.T, change func(*ClientOptions)) (req *http.Request) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- okJSON(list("7"))
		_, err := s.client(t, change).List(t.Context(), reflector.ListOptions{Limit: 500})
		require.NoError(t, err)
		req = s.requests[0]
	})
	return req
}

func TestRequest(t *testing.T) {
	req := once(t, func(*ClientOptions) {})
	assert.Equal(t, "GET", req.Method)
	assert.Equal(t, "/apis/workshop.example.dev/v1/namespaces/shop/widgets?limit=500",
		req.URL.String())
	assert.Equal(t, "application/json", req.Header.Get("Accept"))
	assert.Equal(t, "watchglass", req.Header.Get("User-Agent"))

	req = once(t, func(o *ClientOptions) {
		o.URL = "http://server/api/v1/pods?fieldSelector=mine&dryRun=All"
		o.LabelSelector, o.FieldSelector = "app=web,tier!=db", "metadata.name=web-1"
		o.UserAgent = "workshop"
		o.Header = http.Header{"x-trace": {"1"}, "Accept": {"text/html"}}
	})
	assert.Equal(t, "app=web,tier!=db", req.URL.Query().Get("labelSelector"))
	assert.Equal(t, []string{"metadata.name=web-1"}, req.URL.Query()["fieldSelector"],
		"an option counts more than the query of the URL")
	assert.Equal(t, "All", req.URL.Query().Get("dryRun"),
		"other parameters in the URL are sent along")
	assert.Equal(t, "workshop", req.Header.Get("User-Agent"))
	assert.Equal(t, "1", req.Header.Get("X-Trace"))
	assert.Equal(t, []string{"application/json"}, req.Header["Accept"],
		"an option cannot change Accept, because only JSON can be decoded")
}

func TestQueryOfTheURLComesSecond(t *testing.T) {
	req := once(t, func(o *ClientOptions) { o.URL = "http://server/api/v1/pods?limit=3" })
	assert.Equal(t, []string{"500"}, req.URL.Query()["limit"],
		"a parameter of the request counts more than the query of the URL")
}

func TestPasswordInURLIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- refusal(403, "Forbidden", "no")
		c := s.client(t, func(o *ClientOptions) { o.URL = "http://me:secret@server/widgets" })
		_, err := c.List(t.Context(), reflector.ListOptions{})
		assert.ErrorContains(t, err,
			"http://me:xxxxx@server/widgets: server says 403 Forbidden: no")
	})
}
