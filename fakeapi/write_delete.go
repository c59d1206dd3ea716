package fakeapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// deleteOptions are meta/v1 DeleteOptions, from the body or from the query.
// gracePeriodSeconds is accepted and ignored: there is no kubelet to wait for.
type deleteOptions struct {
	uid, version *string // preconditions
	orphan       *bool
	propagation  string
	dryRun       []string
}

// delete answers DELETE of one object.
func (s *Server) delete(w http.ResponseWriter, q *request) error {
	o, err := s.deleteOptions(w, q)
	if err != nil {
		return err
	}
	d, gone, err := q.c.remove(q.http.Context(), o.removal(q.namespace, q.name))
	switch {
	case err != nil:
		return err
	case gone && !q.r().IsPod():
		s.answer(w, q.http, http.StatusOK, status.Deleted(q.r().About(d.Name), d.UID).Encode())
		return nil
	}
	return s.answerObject(w, q, http.StatusOK, d)
}

// deleteOptions reads the body or, if there is none, the query: never both.
func (s *Server) deleteOptions(w http.ResponseWriter, q *request) (*deleteOptions, error) {
	body, err := s.readBody(w, q)
	if err != nil {
		return nil, err
	}
	o := &deleteOptions{}
	if len(body) == 0 {
		err = o.fromQuery(q.query)
	} else {
		err = o.fromBody(q, body)
	}
	if err != nil {
		return nil, err
	}
	return o, o.validate()
}

// fromBody decodes a body. If it has a kind, that must be DeleteOptions; its version and
// unknown fields are ignored.
func (o *deleteOptions) fromBody(q *request, body []byte) error {
	if err := checkMedia(q); err != nil {
		return err
	}
	if string(bytes.TrimSpace(body)) == "null" {
		return nil
	}
	t, err := object.DecodeTree(body)
	if err == nil {
		_, err = deleteOptionsShape.Check(kindDelete, t)
	}
	if err != nil {
		return status.BadRequest("%v", err)
	}
	if kind := t["kind"]; kind != nil && kind != kindDelete {
		return status.BadRequest("no kind %q is registered for version %q", kind,
			object.TextAt(t, ".apiVersion"))
	}
	var in struct {
		Preconditions struct{ UID, ResourceVersion *string }
		Orphan        *bool    `json:"orphanDependents"`
		Propagation   string   `json:"propagationPolicy"`
		DryRun        []string `json:"dryRun"`
	}
	if err := json.Unmarshal(object.JSON(t), &in); err != nil {
		return status.BadRequest("%v", err)
	}
	o.uid, o.version = in.Preconditions.UID, in.Preconditions.ResourceVersion
	o.orphan, o.propagation, o.dryRun = in.Orphan, in.Propagation, in.DryRun
	return nil
}

// deleteOptionsShape are the fields of a body.
var deleteOptionsShape = object.Record{"kind": object.String, "apiVersion": object.String,
	"gracePeriodSeconds": object.Int64, "orphanDependents": object.Bool,
	"propagationPolicy": object.String, "dryRun": object.ListOf{Of: object.String},
	"preconditions": object.Record{"uid": object.String, "resourceVersion": object.String}}

// fromQuery reads the query parameters: clients without a body send options
// there.
func (o *deleteOptions) fromQuery(query url.Values) error {
	if _, err := integerParam(query, "gracePeriodSeconds"); err != nil {
		return status.BadRequest("%v", err)
	}
	if v := query.Get("uid"); v != "" {
		o.uid = &v
	}
	if v := query.Get("resourceVersion"); v != "" {
		o.version = &v
	}
	if query.Has("orphanDependents") {
		b := boolParam(query.Get("orphanDependents"))
		o.orphan = &b
	}
	o.propagation, o.dryRun = query.Get("propagationPolicy"), query["dryRun"]
	return nil
}

// The values of propagationPolicy.
const (
	propagateForeground = "Foreground"
	propagateBackground = "Background"
	propagateOrphan     = "Orphan"
)

func (o *deleteOptions) validate() error {
	const field = "propagationPolicy"
	var errs status.FieldErrors
	policies := []string{propagateForeground, propagateBackground, propagateOrphan}
	switch {
	case o.propagation == "":
	case o.orphan != nil:
		errs.Invalid(field, o.propagation,
			"orphanDependents and deletionPropagation cannot be both set")
	case !slices.Contains(policies, o.propagation):
		errs.Unsupported(field, o.propagation, append(policies, "nil")...)
	}
	validateDryRun(&errs, o.dryRun)
	return status.InvalidOptions(kindDelete, errs)
}

// removal returns the deletion of one object with these options.
func (o *deleteOptions) removal(namespace, name string) removal {
	return removal{namespace: namespace, name: name, uid: o.uid, version: o.version,
		propagation: o.propagation, orphan: o.orphan,
		writeOptions: writeOptions{dryRun: len(o.dryRun) > 0}}
}

// deleteCollection answers DELETE of a collection: it deletes what a list with
// the same parameters shows, one object after the other, and answers that list.
func (s *Server) deleteCollection(w http.ResponseWriter, q *request) error {
	p, next, err := s.readList(q)
	if err != nil {
		return err
	}
	o, err := s.deleteOptions(w, q)
	if err != nil {
		return err
	}
	for _, d := range p.Docs {
		one := o.removal(d.Namespace, d.Name)
		_, _, err := q.c.remove(q.http.Context(), one)
		if err != nil && status.Of(err).Code != http.StatusNotFound {
			return err
		}
	}
	return s.writeList(w, q, p, next)
}
