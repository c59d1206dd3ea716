package rest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/reflector/cluster"
)

// ClientOptions say where a collection is. Only URL is required.
type ClientOptions struct {
	// URL is that of the collection, as for a list: http://host/apis/apps/v1/deployments, or the
	// same in a namespace. With the first, the client works in all namespaces.
	//
	// A query in it goes along with each request: "?fieldManager=NAME", or "?dryRun=All" for a
	// client whose writes are checked and answered, and not stored.
	URL string

	// HTTPClient sends the requests, and authenticates the client; see package cluster. Nil means
	// [cluster.DefaultClient], which waits for an answer until the context ends.
	HTTPClient *http.Client
}

// A Client reads and writes single objects of one collection. T is a pointer to a struct, or to a
// [watchglass.Unstructured]. It is safe for concurrent use.
//
// All methods block until the answer is read or ctx ends. They return a new object, what the server
// holds now, and leave the caller's as it was. With an error they return nil; errors are those of
// [Do]. An empty namespace is that of the URL. To list and to watch is for package wire.
type Client[T watchglass.Object] struct {
	http      *http.Client
	parent    string // the URL up to the last slash
	plural    string // what follows
	namespace string // of the URL; empty: all
	query     url.Values
	newObject func() T
}

// NewClient returns a client whose objects are of type P, a pointer to the struct T:
//
//	widgets, err := rest.NewClient[Widget](rest.ClientOptions{URL: …}) // a *rest.Client[*Widget]
//
// It returns an error if the URL is not an absolute one of http or https. It sends no request.
func NewClient[T any, P interface {
	*T
	watchglass.Object
}](opts ClientOptions) (*Client[P], error) {
	u, err := ParseURL(opts.URL)
	if err != nil {
		return nil, err
	}
	c := &Client[P]{http: cmp.Or(opts.HTTPClient, cluster.DefaultClient), query: u.Query(),
		newObject: func() P { return new(T) }}
	u.RawQuery, u.Fragment = "", ""
	collection := strings.TrimRight(u.String(), "/")
	slash := strings.LastIndexByte(collection, '/') + 1
	c.parent, c.plural = collection[:slash], collection[slash:]
	if path := strings.Split(c.parent, "/"); path[max(0, len(path)-3)] == "namespaces" {
		c.namespace, err = url.PathUnescape(path[len(path)-2])
	}
	return c, err
}

// Get reads an object. It asks the server: to read what a cache has, use a lister.
func (c *Client[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	return c.do(ctx, http.MethodGet, nil, namespace, name)
}

// Create creates an object. It must say its apiVersion and kind.
//
// If an answer is lost, a second attempt is refused with IsAlreadyExists, provided that obj has a
// name that is the same each time. Then Get reads what is there: [watchglass.IsControlledBy] says
// whose it is, and an informer can wait for its version. With a GenerateName, the second attempt
// creates a second object.
func (c *Client[T]) Create(ctx context.Context, obj T) (T, error) {
	return c.do(ctx, http.MethodPost, obj, obj.GetNamespace())
}

// Update replaces an object. Fields that T does not have are deleted: see Patch. If obj has a
// resourceVersion, and the server holds another one, it refuses with IsConflict; without, custom
// resources are refused, and others are overwritten.
func (c *Client[T]) Update(ctx context.Context, obj T) (T, error) {
	return c.do(ctx, http.MethodPut, obj, obj.GetNamespace(), obj.GetName())
}

// UpdateStatus does what Update does with the status of an object, and leaves its spec as it is.
// For built-in types, servers take labels and annotations, too.
func (c *Client[T]) UpdateStatus(ctx context.Context, obj T) (T, error) {
	return c.do(ctx, http.MethodPut, obj, obj.GetNamespace(), obj.GetName(), "status")
}

// Patch changes some fields of an object by a merge patch (RFC 7396): patch is encoded as JSON, and
// has only what is to change. A null deletes a field; a list is replaced as a whole. If it has a
// metadata.resourceVersion, that is compared as by Update. A subresource is for example "status".
func (c *Client[T]) Patch(
	ctx context.Context, namespace, name string, patch any, subresource ...string,
) (T, error) {
	return c.do(ctx, http.MethodPatch, patch, namespace, append([]string{name}, subresource...)...)
}

// DeleteOptions say which object is to be deleted, and how. The zero value deletes whatever has the
// name.
type DeleteOptions struct {
	Preconditions Preconditions `json:"preconditions,omitzero"`
	// PropagationPolicy is what becomes of the objects it owns: "Background", "Foreground" or
	// "Orphan". Empty: what is usual for the resource.
	PropagationPolicy  string `json:"propagationPolicy,omitempty"`
	GracePeriodSeconds *int64 `json:"gracePeriodSeconds,omitempty"` // nil: what is usual
}

// Preconditions are what an object must have to be deleted. Otherwise the server refuses with
// IsConflict.
type Preconditions struct {
	UID             string `json:"uid,omitempty"`             // empty: any
	ResourceVersion string `json:"resourceVersion,omitempty"` // empty: any
}

// Delete deletes an object. An object with finalizers stays until they are removed. A cache may
// show it for a while: a second Delete is refused with IsNotFound, or, if opts has the UID and a
// new object the name, with IsConflict. Of the query in the URL, a server reads only dryRun.
func (c *Client[T]) Delete(
	ctx context.Context, namespace, name string, opts DeleteOptions,
) error {
	url, err := c.url(namespace, name)
	if err != nil {
		return fmt.Errorf("%s %s: %w", http.MethodDelete, c.plural, err)
	}
	// If there is a body, servers ignore the query: what was to be a dry run would delete.
	return Do(ctx, c.http, http.MethodDelete, url, struct {
		watchglass.TypeMeta
		DeleteOptions
		DryRun []string `json:"dryRun,omitempty"`
	}{watchglass.TypeMeta{Kind: "DeleteOptions", APIVersion: "v1"}, opts, c.query["dryRun"]}, nil)
}

func (c *Client[T]) do(
	ctx context.Context, method string, body any, namespace string, path ...string,
) (none T, err error) {
	url, err := c.url(namespace, path...)
	if err != nil {
		return none, fmt.Errorf("%s %s: %w", method, c.plural, err)
	}
	answer := c.newObject()
	if err := Do(ctx, c.http, method, url, body, answer); err != nil {
		return none, err
	}
	return answer, nil
}

// url returns the URL of what is below the collection. Without the name, or with "." or "/" for it,
// a request for one object would be for all: a DELETE would delete all of them.
func (c *Client[T]) url(namespace string, path ...string) (string, error) {
	at := c.parent + c.plural
	switch {
	case namespace == c.namespace || namespace == "":
	case c.namespace != "":
		return "", fmt.Errorf("namespace is %q, want %q, that of the client's URL",
			namespace, c.namespace)
	case !isName(namespace):
		return "", fmt.Errorf("%q is no name of a namespace", namespace)
	default:
		at = c.parent + "namespaces/" + url.PathEscape(namespace) + "/" + c.plural
	}
	for _, element := range path {
		if !isName(element) {
			return "", fmt.Errorf("%q is no name of an object", element)
		}
		at += "/" + url.PathEscape(element)
	}
	if len(c.query) > 0 {
		at += "?" + c.query.Encode()
	}
	return at, nil
}

// isName reports whether name stays one element of a path. Servers unescape a path before they
// split it, and some proxies once more, so an escaped slash separates as well.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/%")
}
