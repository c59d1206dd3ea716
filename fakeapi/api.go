package fakeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
)

// Create stores a new object and returns it as stored. A missing kind, apiVersion
// or, for a namespaced resource, namespace ("default") is filled in.
//
// Create and the methods below it work without HTTP. They run the same code as requests do, so
// their writes are validated, versioned, watched and refused in the same way. errors.As finds the
// *Status of a refusal. All other errors say that the resource is unknown or that the argument is
// not a JSON object. No call waits for a watcher to read.
//
// A resource is named by its plural ("widgets") or, if several groups have one of that name, by
// plural and group ("widgets.workshop.example.dev"). An object is passed as JSON ([]byte,
// json.RawMessage, string) or as a value that encoding/json encodes as a JSON object. Objects are
// returned as JSON in the server's own memory: the caller must not change it.
func (s *Server) Create(resource string, content any) (json.RawMessage, error) {
	c, t, err := s.accept("create", resource, content)
	if err != nil {
		return nil, err
	}
	decoded := func() (object.Tree, error) { return t, nil }
	return raw("create", resource)(c.Create(context.Background(), 0, decoded, false))
}

// Update replaces an object and returns it as stored. An object without a
// resourceVersion replaces the stored one at any version. Over HTTP that is refused
// for custom resources and some built-in types.
func (s *Server) Update(resource string, object any) (json.RawMessage, error) {
	return s.replaceObject(resource, "", object)
}

// UpdateStatus replaces an object's status and returns the whole object as stored. For built-in
// types it replaces the metadata, too, as a real server does (which keeps the labels of a
// Deployment and the owners of a Pod); the rest stays as it is.
func (s *Server) UpdateStatus(resource string, object any) (json.RawMessage, error) {
	return s.replaceObject(resource, "status", object)
}

func (s *Server) replaceObject(resource, subresource string, content any) (json.RawMessage, error) {
	c, t, err := s.accept("update", resource, content)
	if err != nil {
		return nil, err
	}
	m := object.MetaOf(t)
	change := func(present object.Tree) (object.Tree, error) {
		next := object.Copy(t).(object.Tree)
		if present != nil && m.Text("resourceVersion") == "" {
			object.Carry(object.MetaOf(next), object.MetaOf(present), "resourceVersion")
		}
		return next, nil
	}
	return raw("update", resource)(c.Update(context.Background(), registry.Update{Change: change,
		Namespace: m.Text("namespace"), Name: m.Text("name"), Subresource: subresource}))
}

// Patch applies a JSON merge patch (RFC 7396) to an object and returns the object as
// stored. namespace is empty for cluster-wide resources.
func (s *Server) Patch(resource, namespace, name string, change any) (json.RawMessage, error) {
	c, err := s.collection("patch", resource)
	if err != nil {
		return nil, err
	}
	body, err := toJSON(change)
	if err != nil {
		return nil, fmt.Errorf("fakeapi: patch %s: %w", resource, err)
	}
	d := &writeRequest{media: object.MediaMergePatch, body: body,
		options: registry.WriteOptions{Fields: object.StrictIgnore},
		req:     &request{verb: "patch", typ: c.Type, collection: c, namespace: namespace, name: name}}
	return raw("patch", resource)(c.Update(context.Background(), d.update()))
}

// Delete removes an object. If the object has finalizers, Delete only sets its
// deletionTimestamp. namespace is empty for cluster-wide resources.
func (s *Server) Delete(resource, namespace, name string) error {
	c, err := s.collection("delete", resource)
	if err != nil {
		return err
	}
	_, _, err = c.Remove(context.Background(), registry.Removal{Namespace: namespace, Name: name})
	return err
}

// Get returns an object as it is stored now. namespace is empty for cluster-wide
// resources. The error for a missing object is a *status.Status with code 404.
func (s *Server) Get(resource, namespace, name string) (json.RawMessage, error) {
	c, err := s.collection("get", resource)
	if err != nil {
		return nil, err
	}
	d := c.Get(object.Key(namespace, name))
	if d == nil {
		return nil, status.NotFound(c.Type.About(name))
	}
	return d.Raw, nil
}

// List returns the objects of a collection, sorted by namespace and name, and the
// resourceVersion at which it read them. An empty namespace means all namespaces.
func (s *Server) List(resource, namespace string) ([]json.RawMessage, string, error) {
	c, err := s.collection("list", resource)
	if err != nil {
		return nil, "", err
	}
	p := object.PageOf(c.Objects.Snapshot(), &object.Selection{Namespace: namespace}, "", 0)
	items := make([]json.RawMessage, len(p.Docs))
	for i, d := range p.Docs {
		items[i] = d.Raw
	}
	return items, strconv.FormatUint(p.Version, 10), nil
}

// ResourceVersion returns the version of the last write to any resource.
func (s *Server) ResourceVersion() string { return strconv.FormatUint(s.store.Version(), 10) }

// Watchers returns how many watches of a resource are open. An empty resource
// counts the watches of all resources, an unknown one has none.
func (s *Server) Watchers(resource string) int { return s.registry.Watchers(resource) }

// Requests returns how many requests over HTTP there were with a verb ("update" for a PUT) and a
// resource, its subresources included: those that the server understood, also if it refused them
// or a fault affected them. Empty is any, an unknown verb or resource has none. net/http's client
// may repeat a read by itself (see FaultReset), and each attempt counts. What was asked of a
// resource is forgotten some time after its CustomResourceDefinition is deleted.
func (s *Server) Requests(verb, resource string) (n int) {
	like := Fault{Verb: verb, Resource: resource}
	s.mu.Lock()
	defer s.mu.Unlock()
	for t, count := range s.counts {
		if like.Matches(t) {
			n += count
		}
	}
	return n
}

// count counts a request. Counts of resources that are no longer served would add up.
func (s *Server) count(t faultTarget) {
	t = faultTarget{Verb: t.Verb, Plural: t.Plural, Qualified: t.Qualified}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[t]++; s.counts[t] > 1 {
		return
	}
	served := s.registry.Catalog().Types()
	if len(s.counts) > 2*len(verbs)*len(served) {
		maps.DeleteFunc(s.counts, func(t faultTarget, _ int) bool {
			return !slices.ContainsFunc(served, func(typ *object.Type) bool {
				return typ.QualifiedName() == t.Qualified
			})
		})
	}
}

// collection finds a resource by plural or qualified name.
func (s *Server) collection(verb, resource string) (*registry.Collection, error) {
	if c := s.registry.Catalog().Named(resource); c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("fakeapi: %s %s: no such resource", verb, resource)
}

// accept decodes an object given to the Go API and fills in missing fields.
func (s *Server) accept(verb, resource string, content any) (*registry.Collection, object.Tree,
	error) {
	c, err := s.collection(verb, resource)
	if err != nil {
		return nil, nil, err
	}
	var t object.Tree
	body, err := toJSON(content)
	if err == nil {
		t, err = object.DecodeTree(body)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("fakeapi: %s %s: %w", verb, resource, err)
	}
	object.SetDefault(t, "kind", c.Type.Kind)
	object.SetDefault(t, "apiVersion", c.Type.APIVersion())
	if err := object.CheckKind(c.Type, t); err != nil {
		return nil, nil, err
	}
	if _, err := object.Fit(c.Type, t, object.StrictIgnore); err != nil {
		return nil, nil, status.BadRequest("%v", err)
	}
	if !c.Type.Cluster {
		object.SetDefault(object.Tree(object.MetaOf(t)), "namespace", "default")
	}
	return c, t, nil
}

// toJSON encodes v. A []byte, json.RawMessage or string is JSON already.
func toJSON(v any) ([]byte, error) {
	switch v := v.(type) {
	case []byte:
		return v, nil
	case string:
		return []byte(v), nil
	}
	return json.Marshal(v)
}

// raw turns a write's result into the Go API's. It wraps a *status.Status, so that errors.As
// still finds it.
func raw(verb, resource string) func(*object.Document, error) (json.RawMessage, error) {
	return func(d *object.Document, err error) (json.RawMessage, error) {
		if err != nil {
			return nil, fmt.Errorf("fakeapi: %s %s: %w", verb, resource, err)
		}
		return d.Raw, nil
	}
}
