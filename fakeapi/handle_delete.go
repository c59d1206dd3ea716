package fakeapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// deleteOptions are meta/v1 DeleteOptions, from the body or from the query.
type deleteOptions struct {
	Grace         *int64 `json:"gracePeriodSeconds"`
	Preconditions struct {
		UID     string `json:"uid"`
		Version string `json:"resourceVersion"`
	} `json:"preconditions"`
	Orphan      *bool    `json:"orphanDependents"`
	Propagation string   `json:"propagationPolicy"`
	DryRun      []string `json:"dryRun"`
}

// delete answers DELETE of one object.
func (s *Server) delete(w http.ResponseWriter, q *request) error {
	o, err := s.deleteOptions(w, q)
	if err != nil {
		return err
	}
	d, gone, err := q.c.remove(o.removal(q.namespace, q.name))
	switch {
	case err != nil:
		return err
	case gone && !q.r().isPod():
		s.answer(w, q.http, http.StatusOK, deleted(q.r(), d.name, d.uid).encode())
		return nil
	}
	return s.answerObject(w, q, http.StatusOK, d)
}

// deleteOptions reads body and query.
func (s *Server) deleteOptions(w http.ResponseWriter, q *request) (*deleteOptions, error) {
	body, err := s.body(w, q)
	if err != nil {
		return nil, err
	}
	o := &deleteOptions{}
	if len(bytes.TrimSpace(body)) > 0 {
		if err := json.Unmarshal(body, o); err != nil {
			return nil, badRequest("couldn't get version/kind; json parse error: %v", err)
		}
	}
	if err := o.fromQuery(q.query); err != nil {
		return nil, err
	}
	return o, o.validate()
}

// fromQuery adds the query parameters: old clients send options there.
func (o *deleteOptions) fromQuery(query url.Values) error {
	if v := query.Get("gracePeriodSeconds"); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return badRequest("%v", err)
		}
		o.Grace = &n
	}
	if v := query.Get("propagationPolicy"); v != "" {
		o.Propagation = v
	}
	if query.Has("orphanDependents") {
		b := boolParam(query.Get("orphanDependents"))
		o.Orphan = &b
	}
	o.DryRun = append(o.DryRun, query["dryRun"]...)
	return nil
}

// The values of propagationPolicy.
const (
	propagateForeground = "Foreground"
	propagateBackground = "Background"
	propagateOrphan     = "Orphan"
)

func (o *deleteOptions) validate() error {
	var errs []fieldError
	policies := []string{propagateForeground, propagateBackground, propagateOrphan}
	if o.Propagation != "" && !slices.Contains(policies, o.Propagation) {
		errs = append(errs, unsupportedField("propagationPolicy", o.Propagation,
			append(policies, "nil")...))
	}
	for _, v := range o.DryRun {
		if v != "All" {
			errs = append(errs, unsupportedField("dryRun", v, "All"))
		}
	}
	if len(errs) > 0 {
		return invalidOptions("DeleteOptions", errs...)
	}
	return nil
}

// removal is the deletion of one object with these options. Foreground and
// orphan propagation are finalizers that a garbage collector works off; this
// server has none, so the object stays until a client removes them.
func (o *deleteOptions) removal(namespace, name string) removal {
	d := removal{namespace: namespace, name: name, uid: o.Preconditions.UID,
		version: o.Preconditions.Version, grace: o.Grace}
	d.dryRun = len(o.DryRun) > 0
	switch {
	case o.Propagation == propagateForeground:
		d.finalizer = "foregroundDeletion"
	case o.Propagation == propagateOrphan, o.Orphan != nil && *o.Orphan:
		d.finalizer = "orphan"
	}
	return d
}

// deleteCollection answers DELETE of a collection: it deletes what a list with
// the same selectors shows, one object after the other, and answers that list.
func (s *Server) deleteCollection(w http.ResponseWriter, q *request) error {
	o, err := s.deleteOptions(w, q)
	if err != nil {
		return err
	}
	lo, status := parseListOptions(q.r(), q.query)
	if status != nil {
		return status
	}
	sel := q.selection(&lo)
	p := q.c.read(present, sel, "", 0)
	for _, d := range p.docs {
		one := o.removal(d.namespace, d.name)
		if _, _, err := q.c.remove(one); err != nil && statusOf(err).Code != http.StatusNotFound {
			return err
		}
	}
	return s.writeList(w, q, p, "")
}
