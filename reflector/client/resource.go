package client

import (
	"fmt"
	"net/url"
	"strings"
)

// Resource names a resource as client-go's GroupVersionResource does, and, if need be, a namespace.
type Resource struct {
	Group     string // "" for the core group, that of pods
	Version   string // for example "v1"
	Resource  string // the plural in lower case, for example "deployments"
	Namespace string // "": all namespaces, or a cluster-scoped resource
}

// Path returns where a server has the resource: "/apis/apps/v1/namespaces/shop/deployments", or
// "/api/v1/pods". A [Client] finds the objects below it.
func (r Resource) Path() string {
	path := "/api/"
	if r.Group != "" {
		path = "/apis/" + url.PathEscape(r.Group) + "/"
	}
	path += url.PathEscape(r.Version)
	if r.Namespace != "" {
		path += "/namespaces/" + url.PathEscape(r.Namespace)
	}
	return path + "/" + url.PathEscape(r.Resource)
}

// parseURL parses the URL of a collection. It returns an error if it is not an absolute one of http
// or https with a path.
func parseURL(collection string) (*url.URL, error) {
	u, err := url.Parse(collection)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" ||
		strings.Trim(u.Path, "/") == "" {
		return nil, fmt.Errorf("URL of the collection: want http(s)://host/path, have %q",
			withoutUser(collection))
	}
	return u, nil
}

// withoutUser returns a URL, even one that cannot be parsed, without its user and its password, of
// which the error of url.Parse may quote a part.
func withoutUser(text string) string {
	scheme, rest, _ := strings.Cut(text, "://")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		return scheme + "://" + rest[at+1:]
	}
	return text
}
