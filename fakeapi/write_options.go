package fakeapi

import (
	"fmt"
	"net/url"
	"slices"
	"unicode"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// writeOptions are the options that all writes have.
type writeOptions struct {
	dryRun bool              // decide and answer as usual, but store nothing
	fields object.Strictness // what happens to duplicate and unknown fields
}

// The kinds of write options, as errors name them.
const (
	kindCreate = "CreateOptions"
	kindUpdate = "UpdateOptions"
	kindPatch  = "PatchOptions"
	kindDelete = "DeleteOptions"
)

// parseWriteOptions reads the query parameters that all writes have. kind is the name of
// the options in errors, which are *status.Status.
func parseWriteOptions(kind string, query url.Values) (writeOptions, error) {
	var errs status.FieldErrors
	if query.Has("force") && kind == kindPatch {
		errs.Forbidden("force", "may not be specified for non-apply patch")
	}
	validateManager(&errs, query.Get("fieldManager"))
	validateDryRun(&errs, query["dryRun"])
	o := writeOptions{dryRun: len(query["dryRun"]) > 0,
		fields: object.Strictness(query.Get("fieldValidation"))}
	switch o.fields {
	case "", object.StrictIgnore, object.StrictWarn, object.StrictFail:
	default:
		errs.Unsupported("fieldValidation", string(o.fields),
			"", string(object.StrictIgnore), string(object.StrictFail), string(object.StrictWarn))
	}
	return o, status.InvalidOptions(kind, errs)
}

// validateDryRun adds an error for a value of dryRun other than All.
func validateDryRun(errs *status.FieldErrors, stages []string) {
	if slices.ContainsFunc(stages, func(stage string) bool { return stage != "All" }) {
		errs.Unsupported("dryRun", stages, "All")
	}
}

// validateManager checks the name of the client that writes. It is not stored, but a
// client with an invalid name should fail here and not in production. The characters of a
// name that is too long are not checked: each could be an error that quotes the whole
// name.
func validateManager(errs *status.FieldErrors, name string) {
	const field, most = "fieldManager", 128
	if len(name) > most {
		errs.TooLong(field, most)
		return
	}
	for i, r := range name {
		if !unicode.IsPrint(r) {
			errs.Invalid(field, name, fmt.Sprintf("invalid character %#U (at position %d)", r, i))
		}
	}
}
