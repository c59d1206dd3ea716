package fakeapi

import (
	"net/http"
	"net/url"
	"strings"

	"example.com/watchglass/fakeapi/form"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// A request is an HTTP request after routing: a verb, and the objects that it is about.
type request struct {
	verb        string
	resource    *resource.Type       // as it is served
	c           *registry.Collection // the resource's objects
	namespace   string               // empty for all namespaces and for cluster-wide resources
	name        string               // empty for collections
	subresource string
	query       url.Values
	form        form.Form // of the answer, as the client wants it
	http        *http.Request
}

// r returns the resource the request is about.
func (q *request) r() *resource.Type { return q.resource }

// describe returns the request as a trace gets it.
func (q *request) describe() Request {
	return Request{Verb: q.verb, Resource: q.r().QualifiedName(), Namespace: q.namespace,
		Name: q.name, Subresource: q.subresource, Query: q.http.URL.RawQuery}
}

// A location is what a path names.
type location struct {
	group, version string
	resource       string
	namespace      string
	name           string
	subresource    string
	watch          bool // the deprecated …/watch/… prefix
	deep           bool // more segments than any resource has
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
	// "namespaces" is both a resource and the prefix of all others:
	// /namespaces/x is a namespace, /namespaces/x/pods are its pods, and
	// /namespaces/x/status is the namespace's own subresource.
	if parts[0] == "namespaces" && len(parts) > 2 && !isNamespaceSubresource(parts[2]) {
		l.namespace, parts = parts[1], parts[2:]
	}
	l.resource = parts[0]
	if len(parts) > 1 {
		l.name = parts[1]
	}
	if len(parts) > 2 {
		l.subresource = parts[2]
	}
	l.deep = len(parts) > 3
	return l, true
}

func isNamespaceSubresource(s string) bool { return s == "status" || s == "finalize" }

// resolve finds the collection and the verb for a location. A nil *request with
// a nil *status.Status means "404 page not found", in plain text, as the real server
// answers below custom resources' groups.
func (s *Server) resolve(l location, r *http.Request) (*request, *status.Status) {
	e := s.registry.Catalog().At(l.group, l.version, l.resource)
	if e == nil || l.deep && e.Type.Builtin() {
		return nil, s.unknown(l)
	}
	q := &request{resource: e.Type, c: e.Collection, namespace: l.namespace, name: l.name,
		subresource: l.subresource, query: r.URL.Query(), http: r}
	if !l.watch && !q.addressable(r.Method) || e.Type.Builtin() && !q.hasSubresource() {
		return nil, s.unknown(l)
	}
	if !q.hasSubresource() {
		return q, status.NotFound(q.r().About(q.name)) // the resource has no such subresource
	}
	verb, refusal := q.verbFor(r.Method, l.watch)
	q.verb = verb
	if refusal == nil {
		refusal = q.checkNames()
	}
	return q, refusal
}

// unknown returns the answer to a path that names no resource: a Status in the groups of
// built-in types, nil (plain text) elsewhere.
func (s *Server) unknown(l location) *status.Status {
	group := resource.New(resource.Resource{Group: l.group})
	if l.group == "" && l.version == "v1" ||
		group.Builtin() && s.registry.Catalog().Serves(l.group, l.version) {
		return status.NoSuchResource()
	}
	return nil
}

// checkNames refuses names that would mean something else in the key of an object in a
// real server's storage.
func (q *request) checkNames() *status.Status {
	why := ""
	switch {
	case q.namespace == "." || q.namespace == "..":
		return status.InternalError("invalid key: %q", "/"+q.r().Group+"/"+q.r().Plural+"/"+q.namespace)
	case q.verb == resource.VerbCreate || q.verb == resource.VerbWatch:
		return nil // a create validates the name itself, a watch only compares it
	case q.name == "." || q.name == "..":
		why = "may not be '" + q.name + "'"
	case strings.Contains(q.name, "%"):
		why = "may not contain '%'"
	default:
		return nil
	}
	return status.BadRequest("Name parameter invalid: %q: %s", q.name, why)
}

// addressable reports whether the path has a namespace if the resource needs one, and
// none if not. Only reads may be about all namespaces; for built-in types verbFor checks
// that.
func (q *request) addressable(method string) bool {
	switch {
	case q.r().Cluster:
		return q.namespace == ""
	case q.namespace != "":
		return true
	case q.name != "":
		return false
	}
	return isRead(method) || q.r().Builtin()
}

func (q *request) hasSubresource() bool {
	return q.subresource == "" || q.subresource == "status" && q.r().Status ||
		q.subresource == resource.SubScale && q.r().Scale != nil ||
		q.subresource == resource.SubFinalize && q.r().IsNamespace()
}

// verbFor returns the verb that a method means here.
func (q *request) verbFor(method string, watchPath bool) (string, *status.Status) {
	if watchPath && (isRead(method) || !q.r().Builtin()) {
		return resource.VerbWatch, nil
	}
	across := !q.r().Cluster && q.namespace == ""
	if q.subresource == resource.SubFinalize {
		return q.orNotAllowed(resource.VerbUpdate, method == http.MethodPut)
	}
	switch method {
	case http.MethodGet, http.MethodHead:
		return q.readVerb(), nil
	case http.MethodPost:
		// The real server's handler for custom resources treats a POST to an
		// object's path as a create and ignores the name; built-in types have no
		// such route.
		if !across && q.subresource == "" && (q.name == "" || !q.r().Builtin()) {
			return resource.VerbCreate, nil
		}
		return "", q.notAllowed(resource.VerbCreate)
	case http.MethodPut:
		return q.orNotAllowed(resource.VerbUpdate, q.name != "" || !q.r().Builtin())
	case http.MethodPatch:
		return q.orNotAllowed(resource.VerbPatch, q.name != "" || !q.r().Builtin())
	case http.MethodDelete:
		if q.name == "" {
			return q.orNotAllowed(resource.VerbDeleteCollection, !across && !q.r().IsNamespace())
		}
		return q.orNotAllowed(resource.VerbDelete, q.subresource == "" && !across)
	}
	return "", q.notAllowed("")
}

func (q *request) orNotAllowed(verb string, allowed bool) (string, *status.Status) {
	if !allowed {
		return "", q.notAllowed(verb)
	}
	return verb, nil
}

// notAllowed returns the 405: built-in types have no route for the method, custom resources
// refuse the verb.
func (q *request) notAllowed(verb string) *status.Status {
	if q.r().Builtin() {
		return status.MethodNotAllowed()
	}
	return status.VerbNotAllowed(q.r().About(""), verb)
}

func isRead(method string) bool { return method == http.MethodGet || method == http.MethodHead }

func (q *request) readVerb() string {
	switch {
	case q.name != "":
		return resource.VerbGet
	case query.Flag(q.query, "watch"):
		return resource.VerbWatch
	}
	return resource.VerbList
}

// selection returns what the request's path and its selectors select.
func (q *request) selection(labels selector.Labels, fields selector.Fields) *object.Selection {
	sel := &object.Selection{Namespace: q.namespace, Labels: labels, Fields: fields,
		Type: q.c.Type}
	if q.name != "" { // the deprecated watch of one object
		sel.Fields = append(sel.Fields, selector.Term{Field: object.FieldName, Value: q.name})
	}
	return sel
}
