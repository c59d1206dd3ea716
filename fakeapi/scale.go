package fakeapi

import (
	"mime"
	"net/http"
	"slices"
)

// A Scale is what deployments and replica sets look like at /scale: how many
// replicas there are to be and are, without all the rest. kubectl scale and
// autoscalers know nothing else of them.

const subScale = "scale"

// hasScale says whether the resource has a scale.
func (r *Resource) hasScale() bool {
	return r.Group == "apps" && (r.Plural == "deployments" || r.Plural == "replicasets")
}

// scaleKind is what discovery says of it: a client that wants to scale a
// resource looks there for the type it has to send.
var scaleKind = groupVersionKind{"autoscaling", "v1", "Scale"}

// scaleOf is an object's Scale.
func scaleOf(t tree) tree {
	m := metaOf(t)
	meta := tree{}
	for _, field := range []string{"name", "namespace", "uid", "resourceVersion",
		"creationTimestamp"} {
		if m[field] != nil {
			meta[field] = m[field]
		}
	}
	status := tree{"replicas": intAt(t, ".status.replicas")}
	if s := selectorText(t); s != none {
		status["selector"] = s
	}
	return tree{"kind": scaleKind.Kind, "apiVersion": scaleKind.Group + "/" + scaleKind.Version,
		"metadata": meta, "spec": tree{"replicas": replicas(t)}, "status": status}
}

// scale answers GET, PUT and PATCH of a scale.
func (s *Server) scale(w http.ResponseWriter, q *request) error {
	if q.verb == verbGet {
		s.store.mu.RLock()
		d := q.c.current(keyOf(q.namespace, q.name))
		s.store.mu.RUnlock()
		if d == nil {
			return notFound(q.r(), q.name)
		}
		s.answer(w, q.http, http.StatusOK, encodeJSON(scaleOf(d.tree())))
		return nil
	}
	kind := kindUpdate
	if q.verb == verbPatch {
		kind = kindPatch
	}
	o, err := parseWriteOptions(kind, q.query)
	if err != nil {
		return err
	}
	change, err := s.readScale(w, q)
	if err != nil {
		return err
	}
	d, err := q.c.update(update{namespace: q.namespace, name: q.name,
		patch: q.verb == verbPatch, writeOptions: o, change: func(present tree) (tree, error) {
			scale, err := change(scaleOf(present))
			if err != nil {
				return nil, err
			}
			return setScale(q.name, present, scale)
		}})
	if err != nil {
		return err
	}
	s.answer(w, q.http, http.StatusOK, encodeJSON(scaleOf(d.tree())))
	return nil
}

// readScale reads what the request makes of the present Scale.
func (s *Server) readScale(w http.ResponseWriter, q *request) (func(tree) (tree, error), error) {
	if q.verb == verbUpdate {
		body, err := s.body(w, q)
		if err != nil {
			return nil, err
		}
		t, err := decodeTree(body)
		if err != nil {
			return nil, badRequest("%v", err)
		}
		return func(tree) (tree, error) { return t, fitName(q, t) }, nil
	}
	media, _, err := mime.ParseMediaType(q.http.Header.Get("Content-Type"))
	if accepted := q.r().patchTypes(); err != nil || !slices.Contains(accepted, media) {
		return nil, unsupportedMediaType(accepted...)
	}
	body, err := s.readBody(w, q)
	if err != nil {
		return nil, err
	}
	p, err := parsePatch(media, body)
	return p.apply, err
}

// setScale makes the object have the scale's replicas. A resourceVersion in the
// scale has to be the object's.
func setScale(name string, t, scale tree) (tree, error) {
	n := intAt(scale, ".spec.replicas")
	if n < 0 {
		return nil, invalidType(scaleKind.Group, scaleKind.Kind, name,
			invalidField("spec.replicas", n, "must be greater than or equal to 0"))
	}
	spec, ok := t["spec"].(tree)
	if !ok && t["spec"] != nil {
		return nil, internalFailure("spec is not an object")
	}
	if spec == nil {
		spec = tree{}
		t["spec"] = spec
	}
	spec["replicas"] = n
	if version := textAt(scale, ".metadata.resourceVersion"); version != "" {
		metaOf(t)["resourceVersion"] = version
	}
	return t, nil
}
