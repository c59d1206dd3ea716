package fakeapi

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/encode"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
)

// A request is an HTTP request after routing: a verb, and the objects that it is about.
type request struct {
	verb        string
	typ         *object.Type         // the resource, as it is served
	collection  *registry.Collection // its objects
	namespace   string               // empty for all namespaces and for cluster-wide resources
	name        string               // empty for collections
	subresource string
	query       url.Values
	encoder     encode.Encoder // of the answer, as the client wants it
	http        *http.Request
	aim         faultTarget // what faults can see of it
}

// describe returns the request as a trace gets it.
func (req *request) describe() Request {
	return Request{Verb: req.verb, Resource: req.typ.QualifiedName(), Namespace: req.namespace,
		Name: req.name, Subresource: req.subresource, Query: req.http.URL.RawQuery}
}

// A location has the parts of a path that names a resource or an object.
type location struct {
	group, version, resource     string
	namespace, name, subresource string

	watch   bool // the deprecated …/watch/… prefix
	deep    bool // more segments than any resource has
	nowhere bool // the namespace is empty: this does not mean all of them
}

// segments returns the parts of a decoded path. As in the real server, an encoded slash
// splits it like any other, slashes at the end are ignored, and a second slash at the
// start makes a path that does not exist.
func segments(path string) []string {
	return strings.Split(strings.TrimRight(strings.TrimPrefix(path, "/"), "/"), "/")
}

// locate reads a path such as
//
//	/api/v1/namespaces/default/pods/web-1/status
//	/apis/workshop.example.dev/v1/widgets
//
// ok is false if the path cannot name a resource, like those of discovery and health.
func locate(parts []string) (l location, ok bool) {
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		l.version, parts = parts[1], parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		l.group, l.version, parts = parts[1], parts[2], parts[3:]
	default:
		return l, false
	}
	if parts[0] == "watch" && len(parts) > 1 {
		l.watch, parts = true, parts[1:]
	}
	// "namespaces" is both a resource and the prefix of all others: /namespaces/x is a namespace,
	// /namespaces/x/pods are its pods, and /namespaces/x/status is the namespace's own subresource.
	if parts[0] == "namespaces" && len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
		l.namespace, l.nowhere, parts = parts[1], parts[1] == "", parts[2:]
	}
	l.deep = len(parts) > 3
	parts = append(slices.Clip(parts), "", "") // a path may end before the name
	l.resource, l.name, l.subresource = parts[0], parts[1], parts[2]
	return l, true
}

// resolve finds the collection and the verb for a location.
func (s *Server) resolve(l location, r *http.Request) (*request, *status.Status) {
	c := s.registry.Catalog().At(l.group, l.version, l.resource)
	if c == nil || l.deep || l.nowhere || !c.Type.HasSubresource(l.subresource) ||
		c.Type.Cluster && l.namespace != "" {
		return nil, status.NoSuchResource()
	}
	// Without a namespace there are only reads of all of them. A custom resource has no other path,
	// a built-in type has it and refuses the method.
	if across := !c.Type.Cluster && l.namespace == ""; across &&
		(l.name != "" || !isRead(r.Method) && !c.Type.Builtin()) {
		return nil, status.NoSuchResource()
	}
	if strings.Count(r.URL.RawQuery, "&") >= maxParameters {
		return nil, status.BadRequest("the URL has more than %d parameters", maxParameters)
	}
	req := &request{typ: c.Type, collection: c, namespace: l.namespace, name: l.name,
		subresource: l.subresource, query: r.URL.Query(), http: r}
	allowed := false
	if req.verb, allowed = req.verbFor(r.Method, l.watch); !allowed {
		if isChange := req.verb == object.VerbUpdate || req.verb == object.VerbPatch; isChange &&
			!c.Type.Builtin() {
			return nil, status.BadRequest("name must be provided")
		}
		return nil, status.VerbNotAllowed(req.typ.About(""), req.verb)
	}
	req.aim = req.target(r.UserAgent())
	req.aim.Name = cmp.Or(req.name, s.selectedName(req))
	return req, nil
}

// maxParameters is how many parameters a URL may have. Decoded, thousands of them take a megabyte.
const maxParameters = 100

// selectedName returns the only name that the field selector of a request lets through, if it says
// so in one term, as a real server looks for it to authorize the request.
func (s *Server) selectedName(req *request) string {
	var terms object.FieldSelector
	_ = s.parse(req, func() (err error) { // a list or a watch says itself what is wrong
		selector := req.query.Get("fieldSelector")
		terms, err = object.ParseFieldSelector(selector, object.Selectable(req.typ))
		return err
	})
	for _, t := range terms {
		if t.Field == object.FieldName && !t.Not {
			return t.Value
		}
	}
	return ""
}

// parse calls f, which parses the selectors of a request, in a turn if there are some: to parse a
// thousand terms takes milliseconds, and thousands of requests could do so at once.
func (s *Server) parse(req *request, f func() error) error {
	size := len(req.query.Get("labelSelector")) + len(req.query.Get("fieldSelector"))
	if size == 0 {
		return f()
	}
	return s.registry.Turns.Do(context.Background(), size, f) // the context is never done
}

// verbFor returns the verb that a method means here, and whether the server allows it. Only reads
// may be about all namespaces.
func (req *request) verbFor(method string, watchPath bool) (verb string, allowed bool) {
	named, across := req.name != "", !req.typ.Cluster && req.namespace == ""
	switch {
	case isRead(method) && (watchPath || !named && registry.Flag(req.query, "watch")):
		return object.VerbWatch, true
	case req.subresource == object.SubFinalize:
		return object.VerbUpdate, method == http.MethodPut
	case isRead(method) && named:
		return object.VerbGet, true
	case isRead(method):
		return object.VerbList, true
	case method == http.MethodPost:
		// A real server takes a custom resource at this path for one of its collection, and refuses
		// the method for a built-in type.
		return object.VerbCreate, !across && req.subresource == "" && (!named || !req.typ.Builtin())
	case method == http.MethodPut:
		return object.VerbUpdate, named
	case method == http.MethodPatch:
		return object.VerbPatch, named
	case method == http.MethodDelete && !named:
		return object.VerbDeleteCollection, !across && !req.typ.IsNamespace()
	case method == http.MethodDelete:
		return object.VerbDelete, req.subresource == ""
	}
	return "", false
}

func isRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// selection returns what the request's path and its selectors select.
func (s *Server) selection(req *request, l object.LabelSelector,
	f object.FieldSelector) *object.Selection {
	sel := &object.Selection{Namespace: req.namespace, Labels: l, Fields: f,
		Type: req.typ, Turns: s.registry.Turns}
	if req.name != "" { // the deprecated watch of one object
		sel.Fields = append(sel.Fields, object.FieldTerm{Field: object.FieldName, Value: req.name})
	}
	return sel
}
