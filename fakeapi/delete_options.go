package fakeapi

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// deleteOptions are meta/v1 DeleteOptions, from the body or from the query.
// gracePeriodSeconds is accepted and ignored: there is no kubelet to wait for.
type deleteOptions struct {
	uid, version *string // preconditions; nil: none
	propagation  string  // propagationPolicy; empty: as the object's finalizers say
	orphan       *bool   // orphanDependents, its older form; nil: not given
	dryRun       []string
}

// parseDeleteOptions reads the body or, if there is none, the query: never both.
func parseDeleteOptions(query url.Values, body []byte) (o deleteOptions, err error) {
	if len(body) == 0 {
		err = o.fromQuery(query)
	} else {
		err = o.fromBody(body)
	}
	if err != nil {
		return o, err
	}
	return o, o.validate()
}

// fromBody decodes a body. If it has a kind, that must be DeleteOptions; its version and
// unknown fields are ignored.
func (o *deleteOptions) fromBody(body []byte) error {
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
