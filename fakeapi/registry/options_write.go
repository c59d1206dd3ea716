package registry

import (
	"net/url"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// WriteOptions has the options of every write.
type WriteOptions struct {
	DryRun bool              // decide and answer as usual, but store nothing
	Fields object.Strictness // what happens to unknown fields of the metadata
}

// Errors name the options of a write by these kinds.
var writeKinds = map[string]string{object.VerbCreate: "CreateOptions",
	object.VerbUpdate: "UpdateOptions", object.VerbPatch: "PatchOptions"}

const deleteKind = "DeleteOptions"

// ParseWriteOptions reads the query parameters that all writes have. Errors are *status.Status.
func ParseWriteOptions(verb string, query url.Values) (WriteOptions, error) {
	var errs status.FieldErrors
	if slices.ContainsFunc(query["dryRun"], isNotAll) {
		errs.Unsupported("dryRun", query["dryRun"], "All")
	}
	o := WriteOptions{DryRun: len(query["dryRun"]) > 0,
		Fields: object.Strictness(query.Get("fieldValidation"))}
	switch o.Fields {
	case "", object.StrictIgnore, object.StrictWarn, object.StrictFail:
	default:
		errs.Unsupported("fieldValidation", string(o.Fields),
			"", string(object.StrictIgnore), string(object.StrictFail), string(object.StrictWarn))
	}
	return o, status.InvalidOptions(writeKinds[verb], errs)
}

func isNotAll(stage string) bool { return stage != "All" }

// DeleteOptions has meta/v1 DeleteOptions, from the body or from the query.
// gracePeriodSeconds is accepted and ignored: there is no kubelet to wait for.
type DeleteOptions struct {
	Preconditions struct {
		UID     string `json:"uid"`             // empty: any
		Version string `json:"resourceVersion"` // empty: any
	} `json:"preconditions"`
	Propagation *string  `json:"propagationPolicy"` // nil: as the object's finalizers say
	Orphan      *bool    `json:"orphanDependents"`  // deprecated for propagationPolicy; nil: not given
	DryRun      []string `json:"dryRun"`
}

// ParseDeleteOptions reads the body or, if there is none, the query: never both.
func ParseDeleteOptions(query url.Values, body []byte) (o DeleteOptions, err error) {
	if len(body) == 0 {
		err = o.fromQuery(query)
	} else {
		err = o.fromBody(body)
	}
	if err == nil {
		err = o.validate()
	}
	return o, err
}

// fromBody decodes a body. If it has a kind, that must be DeleteOptions; its version and
// unknown fields are ignored.
func (o *DeleteOptions) fromBody(body []byte) error {
	t, err := object.DecodeTree(body)
	if err == nil {
		err = deleteOptionsShape.Into(deleteKind, t, o)
	}
	if err != nil {
		return status.BadRequest("%v", err)
	}
	if kind := t["kind"]; kind != nil && kind != deleteKind {
		return status.BadRequest("no kind %q is registered for version %q", kind,
			object.TextAt(t, ".apiVersion"))
	}
	return nil
}

// deleteOptionsShape has the fields of a body.
var deleteOptionsShape = object.Record{"kind": object.String, "apiVersion": object.String,
	"gracePeriodSeconds": object.Int64,
	"orphanDependents":   object.Bool,
	"propagationPolicy":  object.String, "dryRun": object.ListOf{Of: object.String},
	"preconditions": object.Record{"uid": object.String, "resourceVersion": object.String}}

// fromQuery reads the query parameters: clients without a body send options there.
func (o *DeleteOptions) fromQuery(query url.Values) error {
	if _, err := integerParam(query, "gracePeriodSeconds"); err != nil {
		return status.BadRequest("%v", err)
	}
	o.Preconditions.UID, o.Preconditions.Version = query.Get("uid"), query.Get("resourceVersion")
	o.DryRun = query["dryRun"]
	if query.Has("propagationPolicy") {
		o.Propagation = new(query.Get("propagationPolicy"))
	}
	if query.Has("orphanDependents") {
		o.Orphan = new(Flag(query, "orphanDependents"))
	}
	return nil
}

// The values of propagationPolicy.
const (
	foreground = "Foreground"
	background = "Background"
	orphan     = "Orphan"
)

func (o *DeleteOptions) validate() error {
	const field = "propagationPolicy"
	var errs status.FieldErrors
	policies := []string{foreground, background, orphan}
	if o.Propagation != nil && o.Orphan != nil {
		errs.Invalid(field, *o.Propagation,
			"orphanDependents and deletionPropagation cannot be both set")
	}
	if o.Propagation != nil && !slices.Contains(policies, *o.Propagation) {
		errs.Unsupported(field, *o.Propagation, append(policies, "nil")...)
	}
	if slices.ContainsFunc(o.DryRun, isNotAll) {
		errs.Unsupported("dryRun", o.DryRun, "All")
	}
	return status.InvalidOptions(deleteKind, errs)
}
