package query

import (
	"fmt"
	"net/url"
	"slices"
	"unicode"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// Write are the options that all writes have.
type Write struct {
	DryRun bool              // decide and answer as usual, but store nothing
	Fields object.Strictness // what happens to duplicate and unknown fields
}

// The kinds of write options, as errors name them.
const (
	CreateOptions = "CreateOptions"
	UpdateOptions = "UpdateOptions"
	PatchOptions  = "PatchOptions"
	deleteKind    = "DeleteOptions"
)

// ParseWrite reads the query parameters that all writes have. kind is the name of
// the options in errors, which are *status.Status.
func ParseWrite(kind string, query url.Values) (Write, error) {
	var errs status.FieldErrors
	if query.Has("force") && kind == PatchOptions {
		errs.Forbidden("force", "may not be specified for non-apply patch")
	}
	validateManager(&errs, query.Get("fieldManager"))
	validateDryRun(&errs, query["dryRun"])
	o := Write{DryRun: len(query["dryRun"]) > 0,
		Fields: object.Strictness(query.Get("fieldValidation"))}
	switch o.Fields {
	case "", object.StrictIgnore, object.StrictWarn, object.StrictFail:
	default:
		errs.Unsupported("fieldValidation", string(o.Fields),
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
