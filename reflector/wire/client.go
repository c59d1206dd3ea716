package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/cluster"
	"example.com/watchglass/reflector/rest"
)

// ClientOptions say where a collection is and how to ask for it. Only URL is required.
type ClientOptions struct {
	// URL is that of the collection, for example http://host/api/v1/pods or
	// https://host/apis/apps/v1/namespaces/shop/deployments; a [rest.Resource] makes the path of it.
	// A query in it is sent along.
	URL string

	// HTTPClient sends the requests, and authenticates the client; see package cluster. Nil means
	// [cluster.DefaultClient]. Its Timeout limits lists only, because watches are meant to last.
	HTTPClient *http.Client

	Header http.Header // added to each request, which has Accept and User-Agent; may be nil

	LabelSelector string // which objects, by label, for example "app=web"; empty: all
	FieldSelector string // which objects, by field, for example "metadata.name=web-1"; empty: all

	// Kind and APIVersion are what the objects must be, for example "Deployment" and "apps/v1". If
	// an object gives another kind or apiVersion, a watch skips its event, and a list or a streaming
	// list fails; an object that gives none is accepted. Empty: every object that fits into the
	// struct is accepted.
	Kind       string
	APIVersion string // see Kind

	// MetadataOnly asks the server for the metadata of the objects and nothing else, so that less is
	// sent and decoded. Each object is a PartialObjectMetadata then, whatever its kind: T is
	// [watchglass.PartialObjectMetadata], or any struct with metadata, and Kind and APIVersion must be
	// empty. From a server that cannot do it, whole objects come, which fit into T, too.
	MetadataOnly bool
}

// Client is a [reflector.ListerWatcher] for one collection on a Kubernetes API server. It is safe
// for concurrent use.
type Client struct {
	opts  ClientOptions
	url   *url.URL
	limit int // of the bytes of one object; reflector.ObjectLimit except in tests

	// Only these two funcs depend on the type of the objects, so that Client and the types that
	// contain a Client need no type parameter. cancel ends ctx.
	decodeList  func(ctx context.Context, cancel func(), r io.Reader) (*reflector.List, error)
	decodeEvent decodeFunc[reflector.Event]
}

// NewClient returns a client whose objects are of type P, a pointer to the struct T:
//
//	client, err := wire.NewClient[Widget](wire.ClientOptions{URL: …})
//
// T decides what decoding costs and what a cache holds: a struct that declares only the fields that
// the program reads takes half the time and a fraction of the memory of one that has them all. See
// "Which T" in the package documentation.
//
// It returns an error if the URL is not an absolute one of http or https, or if the options exclude
// each other. It panics if T does not get its name and resourceVersion from the metadata of an
// object. It sends no request.
func NewClient[T any, P interface {
	*T
	watchglass.Object
}](opts ClientOptions) (*Client, error) {
	mustReadMetadata[T, P]()
	u, err := rest.ParseURL(opts.URL)
	if err != nil {
		return nil, err
	}
	if opts.MetadataOnly && opts.Kind+opts.APIVersion != "" {
		return nil, fmt.Errorf("MetadataOnly with kind %q and apiVersion %q: want neither, "+
			"because all objects are PartialObjectMetadata", opts.Kind, opts.APIVersion)
	}
	opts.HTTPClient = cmp.Or(opts.HTTPClient, cluster.DefaultClient)
	c := &Client{opts: opts, url: u, limit: reflector.ObjectLimit}
	want := wanted{opts.Kind, opts.APIVersion}
	c.decodeList = func(ctx context.Context, cancel func(), r io.Reader) (*reflector.List, error) {
		return decodeList[T, P](ctx, cancel, r, c.limit, want)
	}
	c.decodeEvent = eventDecoder[T, P]{want}.decode
	return c, nil
}

// mustReadMetadata panics if no object would ever have a name, because the ObjectMeta of T lacks its
// tag, for example. A T whose UnmarshalJSON wants more than metadata is not checked.
func mustReadMetadata[T any, P objectPointer[T]]() {
	object := P(new(T))
	err := json.Unmarshal([]byte(`{"metadata":{"name":"a","resourceVersion":"1"}}`), object)
	if err == nil && (object.GetName() != "a" || object.GetResourceVersion() != "1") {
		panic(fmt.Sprintf("wire: a %T does not get name and resourceVersion from the metadata of an "+
			"object: want a struct that embeds ObjectMeta `json:\"metadata\"`", object))
	}
}

// collection takes the path of a collection apart: group, namespace, resource.
var collection = regexp.MustCompile(
	`^(?:.*/apis/([^/]+)/[^/]+|.*/api/[^/]+)(?:/namespaces/([^/]+))?/([^/]+)/?$`)

// String returns what is listed and watched, for logs and errors: "pods", "deployments.apps", or
// "pods in shop" for a URL with a namespace. If the URL is not that of an API server, it is the path.
func (c *Client) String() string {
	parts := collection.FindStringSubmatch(c.url.Path)
	if parts == nil {
		return c.url.Path
	}
	name := parts[3]
	if group := parts[1]; group != "" {
		name += "." + group
	}
	if namespace := parts[2]; namespace != "" {
		name += " in " + namespace
	}
	return name
}

// List implements [reflector.ListerWatcher]. Errors name the URL and wrap a
// [*reflector.StatusError] for a refusal, a [*reflector.DecodeError] for a response that is no
// list, or an error of the connection.
func (c *Client) List(ctx context.Context, opts reflector.ListOptions) (*reflector.List, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer c.distrust(ctx)
	body, err := c.get(ctx, cancel, opts, false)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	var in io.Reader = body
	if opts.Progress != nil {
		in = io.TeeReader(body, progress(opts.Progress))
	}
	list, err := c.decodeList(ctx, cancel, in)
	return list, c.explain(err)
}

// progress is called for each part of a body.
type progress func()

func (p progress) Write(part []byte) (int, error) { p(); return len(part), nil }

// Watch implements [reflector.ListerWatcher]. Errors are as for List.
func (c *Client) Watch(ctx context.Context, opts reflector.ListOptions) (reflector.Watch, error) {
	ctx, cancel := context.WithCancel(ctx)
	body, err := c.get(ctx, cancel, opts, true)
	if err != nil {
		c.distrust(ctx)
		cancel()
		return nil, err
	}
	from := &frames{cutter{r: body, limit: c.limit, what: "frame"}}
	return &watch{c, body, newAhead(ctx, cancel, from, c.decodeEvent)}, nil
}

// refusalTime is how long the body of a refusal is read: one that never ends must not delay the
// error.
const refusalTime = 5 * time.Second

// get sends a request and returns the body of a response that is JSON. Other responses become
// errors. cancel ends ctx.
func (c *Client) get(
	ctx context.Context, cancel func(), opts reflector.ListOptions, watch bool,
) (io.ReadCloser, error) {
	client := *c.opts.HTTPClient // a copy that shares its connections
	if watch {
		client.Timeout = 0 // it would limit the reading of the body, too
	}
	resp, err := client.Do(c.request(ctx, opts, watch))
	if err != nil {
		return nil, c.explain(err)
	}
	enough := time.AfterFunc(refusalTime, cancel)
	err = rest.Check(resp)
	enough.Stop()
	if err != nil {
		resp.Body.Close()
		return nil, c.explain(err)
	}
	return resp.Body, nil
}

// explain adds the URL of the collection to err, in place of what http.Client adds: the method, and
// a URL with the query of the request. nil stays nil.
func (c *Client) explain(err error) error {
	if e, ok := err.(*url.Error); ok {
		err = e.Err
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", c.url.Redacted(), err)
}

// distrust closes idle connections if the request of ctx was ended for the server's silence, so
// that the next request opens a new connection. Over HTTP/2 the dead connection would otherwise be
// used again and again.
func (c *Client) distrust(ctx context.Context) {
	cause := context.Cause(ctx)
	if errors.Is(cause, reflector.ErrIdle) || errors.Is(cause, reflector.ErrListTimeout) {
		c.opts.HTTPClient.CloseIdleConnections()
	}
}

// watch is the [reflector.Watch] of a [Client]: a response body without an end, decoded ahead of
// its reader.
type watch struct {
	client *Client
	body   io.Closer
	events *ahead[reflector.Event] // over body
}

// Next implements [reflector.Watch]. When the watch is closed or its context ends, there are no
// more events, even if some have arrived.
func (w *watch) Next() (reflector.Event, error) {
	e, err := w.events.next()
	if err != io.EOF { // not errors.Is: the error of a decoder may wrap an io.EOF of its own
		err = w.client.explain(err)
	}
	return e, err
}

// Close implements [reflector.Watch]. Only the cancellation ends a Read that waits: Body.Close
// alone would first try to read the rest of the body.
func (w *watch) Close() error {
	w.events.cancel()
	err := w.body.Close()
	w.events.close()
	w.client.distrust(w.events.ctx)
	return err
}
