package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"example.com/watchglass"
)

// Get reads an object. It asks the server: to read what a cache has, use a lister.
func (c *Client[T]) Get(ctx context.Context, namespace, name string) (*T, error) {
	return c.exchange(ctx, http.MethodGet, nil, namespace, name)
}

// Create creates an object. It must say its apiVersion and kind.
//
// If an answer is lost, a second attempt is refused with IsAlreadyExists, provided that obj has a
// name that is the same each time. Then Get reads what is there: [watchglass.IsControlledBy] says
// whose it is, and an informer can wait for its version. With a GenerateName, the second attempt
// creates a second object.
func (c *Client[T]) Create(ctx context.Context, obj *T) (*T, error) {
	return c.write(ctx, http.MethodPost, obj)
}

// Update replaces an object. Fields that T does not have are deleted: see Patch. If obj has a
// resourceVersion, and the server holds another one, it refuses with IsConflict; without, custom
// resources are refused, and others are overwritten.
func (c *Client[T]) Update(ctx context.Context, obj *T) (*T, error) {
	return c.write(ctx, http.MethodPut, obj, object(obj).GetName())
}

// UpdateStatus does what Update does with the status of an object, and leaves its spec as it is.
// For built-in types, servers take labels and annotations, too.
func (c *Client[T]) UpdateStatus(ctx context.Context, obj *T) (*T, error) {
	return c.write(ctx, http.MethodPut, obj, object(obj).GetName(), "status")
}

// Patch changes some fields of an object by a merge patch (RFC 7396): patch is encoded as JSON, and
// has only what is to change. A null deletes a field; a list is replaced as a whole. If it has a
// metadata.resourceVersion, that is compared as by Update. A subresource is for example "status".
func (c *Client[T]) Patch(
	ctx context.Context, namespace, name string, patch any, subresource ...string,
) (*T, error) {
	path := append([]string{name}, subresource...)
	return c.exchange(ctx, http.MethodPatch, patch, namespace, path...)
}

// DeleteOptions say which object is to be deleted, and how. The zero value deletes whatever has the
// name.
type DeleteOptions struct {
	Preconditions Preconditions `json:"preconditions,omitzero"`
	// PropagationPolicy is what becomes of the objects it owns: "Background", "Foreground" or
	// "Orphan". Empty: what is usual for the resource.
	PropagationPolicy string `json:"propagationPolicy,omitempty"`
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
	// If there is a body, servers ignore the query: what was to be a dry run would delete.
	body := struct {
		watchglass.TypeMeta
		DeleteOptions
		DryRun []string `json:"dryRun,omitempty"`
	}{
		watchglass.TypeMeta{Kind: "DeleteOptions", APIVersion: "v1"},
		opts,
		c.url.Query()["dryRun"],
	}
	return c.do(ctx, http.MethodDelete, body, nil, namespace, name)
}

// object returns what obj is: New has demanded that a *T is an object.
func object[T any](obj *T) watchglass.Object { return any(obj).(watchglass.Object) }

// write sends a whole object. Of one that was read as metadata only, the server would delete
// everything else.
func (c *Client[T]) write(
	ctx context.Context, method string, obj *T, path ...string,
) (*T, error) {
	if c.opts.MetadataOnly {
		return nil, fmt.Errorf("%s %v: the client reads MetadataOnly: want one of whole objects, "+
			"or a Patch", method, c)
	}
	return c.exchange(ctx, method, obj, object(obj).GetNamespace(), path...)
}

// exchange sends a request that is answered with an object.
func (c *Client[T]) exchange(
	ctx context.Context, method string, body any, namespace string, path ...string,
) (*T, error) {
	answer := new(T)
	if err := c.do(ctx, method, body, object(answer), namespace, path...); err != nil {
		return nil, err
	}
	return answer, nil
}

// do sends a request about one object, or about a new one in the collection.
func (c *Client[T]) do(
	ctx context.Context, method string, body any, answer watchglass.Object,
	namespace string, path ...string,
) error {
	url, err := c.below(namespace, path...)
	if err != nil {
		return fmt.Errorf("%s %v: %w", method, c, err)
	}
	request, err := c.request(ctx, method, url, "PartialObjectMetadata", body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, withoutUser(url), err)
	}
	return roundTrip(c.opts.HTTPClient, request, answer, c.wanted())
}

// below returns the URL of what is below the collection. Without the name, or with "." or "/" for
// it, a request for one object would be for all: a DELETE would delete all of them.
func (c *Client[T]) below(namespace string, path ...string) (string, error) {
	collection := *c.url
	collection.RawQuery, collection.Fragment = "", ""
	at := strings.TrimRight(collection.String(), "/")
	switch {
	case namespace == c.namespace || namespace == "":
	case c.namespace != "":
		return "", fmt.Errorf("namespace is %q, want %q, that of the client's URL",
			namespace, c.namespace)
	case !isName(namespace):
		return "", fmt.Errorf("%q is no name of a namespace", namespace)
	default:
		slash := strings.LastIndexByte(at, '/') + 1
		at = at[:slash] + "namespaces/" + url.PathEscape(namespace) + "/" + at[slash:]
	}
	for _, element := range path {
		if !isName(element) {
			return "", fmt.Errorf("%q is no name of an object", element)
		}
		at += "/" + url.PathEscape(element)
	}
	if query := c.url.Query(); len(query) > 0 {
		at += "?" + query.Encode()
	}
	return at, nil
}

// namespaceOf returns the namespace in the URL of a collection, or "" if there is none.
func namespaceOf(collection *url.URL) string {
	path := strings.Split(strings.TrimRight(collection.EscapedPath(), "/"), "/")
	if n := len(path); n >= 3 && path[n-3] == "namespaces" {
		namespace, _ := url.PathUnescape(path[n-2]) // valid, because it was parsed
		return namespace
	}
	return ""
}

// isName reports whether name stays one element of a path. Servers unescape a path before they
// split it, and some proxies once more, so an escaped slash separates as well.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/%")
}
