package fakeapi

import (
	"fmt"
	"net/url"
	"unicode"

	"example.com/watchglass/fakeapi/status"
)

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
	var errs []status.FieldError
	if query.Has("force") && kind == kindPatch {
		errs = append(errs, status.ForbiddenField("force", "may not be specified for non-apply patch"))
	}
	errs = append(errs, validateManager(query.Get("fieldManager"))...)
	errs = append(errs, validateDryRun(query["dryRun"])...)
	o := writeOptions{dryRun: len(query["dryRun"]) > 0,
		fields: strictness(query.Get("fieldValidation"))}
	switch o.fields {
	case "", strictIgnore, strictWarn, strictFail:
	default:
		errs = append(errs, status.UnsupportedField("fieldValidation", string(o.fields),
			"", string(strictIgnore), string(strictFail), string(strictWarn)))
	}
	if len(errs) > 0 {
		return o, status.InvalidOptions(kind, errs...)
	}
	return o, nil
}

// validateDryRun returns an error for a value of dryRun other than All.
func validateDryRun(stages []string) []status.FieldError {
	for _, s := range stages {
		if s != "All" {
			return []status.FieldError{status.UnsupportedField("dryRun", stages, "All")}
		}
	}
	return nil
}

// validateManager checks the name of the client that writes. It is not stored, but a
// client with an invalid name should fail here and not in production. The characters of a
// name that is too long are not checked: each could be an error that quotes the whole
// name.
func validateManager(name string) []status.FieldError {
	const field, most = "fieldManager", 128
	if len(name) > most {
		return []status.FieldError{status.TooLongField(field, most)}
	}
	var errs []status.FieldError
	for i, r := range name {
		if !unicode.IsPrint(r) {
			errs = append(errs, status.InvalidField(field, name,
				fmt.Sprintf("invalid character %#U (at position %d)", r, i)))
		}
	}
	return errs
}
