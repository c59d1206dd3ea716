package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/cluster"
)

// Options say where a collection is and how to ask for it. Only URL is required.
type Options struct {
	// URL is that of the collection, for example http://host/api/v1/pods or
	// https://host/apis/apps/v1/namespaces/shop/deployments; a [Resource] makes the path of it.
	// Without a namespace in it, the client works in all namespaces.
	//
	// A query in it is sent with each request: "?fieldManager=NAME", or "?dryRun=All" for a client
	// whose writes are checked and answered, and not stored.
	URL string

	// HTTPClient sends the requests, and authenticates the client; see package cluster. Nil means
	// [cluster.DefaultClient]. Its Timeout does not limit watches, because they are meant to last.
	HTTPClient *http.Client

	// Header is added to each request. It cannot change Accept and Content-Type, because the client
	// understands and sends nothing but JSON. May be nil.
	Header http.Header

	// LabelSelector and FieldSelector choose the objects of List and Watch, for example "app=web"
	// and "metadata.name=web-1". All other methods are given a name, and ignore them. Empty: all.
	LabelSelector string
	FieldSelector string

	// Kind and APIVersion are what the objects must be, for example "Deployment" and "apps/v1". If
	// the server sends an object that gives another kind or apiVersion, a watch skips its event, and
	// everything else fails: a list, a streaming list, the answer to a Get or a write. An object
	// that gives none is accepted, as is any T without methods that tell them. Empty: every object
	// that fits into the struct is accepted.
	Kind       string
	APIVersion string // see Kind

	// MetadataOnly asks the server for the metadata of the objects and nothing else, so that less is
	// sent and decoded. Each object is a PartialObjectMetadata then, whatever its kind: T is
	// [watchglass.PartialObjectMetadata], or any struct with metadata, and Kind and APIVersion must be
	// empty. From a server that cannot do it, whole objects come, which fit into T, too. Create,
	// Update and UpdateStatus need whole objects, and fail; Patch and Delete work.
	MetadataOnly bool
}

// A Client reads, watches and writes the objects of one collection on a Kubernetes API server. T is
// the struct that they are decoded into, for example Pod or [watchglass.Unstructured]. It is a
// [reflector.ListerWatcher], and safe for concurrent use.
//
// The methods for one object block until the answer is read or their context ends. They return a
// new object, what the server holds now, and leave the caller's as it was. An empty namespace is
// that of the URL.
//
// With an error they return nil. Errors name the method and the URL. They wrap a
// [*reflector.StatusError] for a refusal, a [*reflector.DecodeError] or a
// [*reflector.TooLargeError] for an answer that cannot be read, or an error of the connection. A
// write that a redirect has made a GET is an error, too. If the error of a write is no refusal, its
// text says that the server may have carried it out.
type Client[T any] struct {
	opts      Options
	url       *url.URL // of the collection
	namespace string   // of the URL; empty: all
	limit     int      // of the bytes of one object; reflector.ObjectLimit except in tests

	// Lists and events hold a *T as an object. Only New knows that it is one; the compiler does not
	// know it of any T.
	decodeList  func(ctx context.Context, r io.Reader) (*reflector.List, error)
	decodeEvent decodeFunc[reflector.Event]
}

// New returns a client of a collection. T is a struct, and *T is an object:
//
//	widgets, err := client.New[Widget](client.Options{URL: …}) // a *client.Client[Widget]
//
// T decides what decoding costs and what a cache holds: a struct that declares only the fields that
// the program reads takes half the time and a fraction of the memory of one that has them all. See
// "Which T" in the package documentation.
//
// It returns an error if the URL is not an absolute one of http or https, or if the options exclude
// each other. It panics if T does not get its name and resourceVersion from the metadata of an
// object. It sends no request.
func New[T any, P interface {
	*T
	watchglass.Object
}](opts Options) (*Client[T], error) {
	mustReadMetadata[T, P]()
	u, err := parseURL(opts.URL)
	if err != nil {
		return nil, err
	}
	if opts.MetadataOnly && opts.Kind+opts.APIVersion != "" {
		return nil, fmt.Errorf("MetadataOnly with kind %q and apiVersion %q: want neither, "+
			"because all objects are PartialObjectMetadata", opts.Kind, opts.APIVersion)
	}
	opts.HTTPClient = cmp.Or(opts.HTTPClient, cluster.DefaultClient)
	c := &Client[T]{opts: opts, url: u, namespace: namespaceOf(u), limit: reflector.ObjectLimit}
	c.decodeList = func(ctx context.Context, r io.Reader) (*reflector.List, error) {
		return decodeList[T, P](ctx, r, c.limit, c.wanted())
	}
	c.decodeEvent = eventDecoder[T, P]{c.wanted()}.decode
	return c, nil
}

// mustReadMetadata panics if no object would ever have a name, because the ObjectMeta of T lacks
// its tag, for example. A T whose UnmarshalJSON wants more than metadata is not checked.
func mustReadMetadata[T any, P objectPointer[T]]() {
	object := P(new(T))
	err := json.Unmarshal([]byte(`{"metadata":{"name":"a","resourceVersion":"1"}}`), object)
	if err == nil && (object.GetName() != "a" || object.GetResourceVersion() != "1") {
		panic(fmt.Sprintf("client: a %T does not get name and resourceVersion from the metadata of "+
			"an object: want a struct that embeds ObjectMeta `json:\"metadata\"`", object))
	}
}

func (c *Client[T]) wanted() wanted { return wanted{c.opts.Kind, c.opts.APIVersion} }

// collection takes the path of a collection apart: group, namespace, resource.
var collection = regexp.MustCompile(
	`^(?:.*/apis/([^/]+)/[^/]+|.*/api/[^/]+)(?:/namespaces/([^/]+))?/([^/]+)/?$`)

// String returns what the collection is called, for logs and errors: "pods", "deployments.apps", or
// "pods in shop" for a URL with a namespace. If the URL is not that of an API server, it is the
// path.
func (c *Client[T]) String() string {
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
