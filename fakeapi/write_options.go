package fakeapi

import (
	"fmt"
	"net/url"
	"unicode"
)

// The kinds of write options, as errors name them.
const (
	kindCreate = "CreateOptions"
	kindUpdate = "UpdateOptions"
	kindPatch  = "PatchOptions"
	kindDelete = "DeleteOptions"
)

// parseWriteOptions reads the query parameters that all writes have. kind names
// them in errors.
func parseWriteOptions(kind string, query url.Values) (writeOptions, error) {
	var errs []fieldError
	if query.Has("force") && kind == kindPatch {
		errs = append(errs, forbiddenField("force", "may not be specified for non-apply patch"))
	}
	errs = append(errs, validateManager(query.Get("fieldManager"))...)
	errs = append(errs, validateDryRun(query["dryRun"])...)
	o := writeOptions{dryRun: len(query["dryRun"]) > 0,
		fields: strictness(query.Get("fieldValidation"))}
	switch o.fields {
	case "", strictIgnore, strictWarn, strictFail:
	default:
		errs = append(errs, unsupportedField("fieldValidation", string(o.fields),
			"", string(strictIgnore), string(strictFail), string(strictWarn)))
	}
	if len(errs) > 0 {
		return o, invalidOptions(kind, errs...)
	}
	return o, nil
}

// validateDryRun: All is the only stage that a write can be tried up to.
func validateDryRun(stages []string) []fieldError {
	for _, s := range stages {
		if s != "All" {
			return []fieldError{unsupportedField("dryRun", stages, "All")}
		}
	}
	return nil
}

// validateManager checks the name of the client that writes. It is not recorded, but a
// client that gets it wrong should learn so here and not in production. A name that is too
// long is not looked at any further: each of its characters could be a mistake that quotes
// the whole name.
func validateManager(name string) []fieldError {
	const field, most = "fieldManager", 128
	if len(name) > most {
		return []fieldError{tooLongField(field, most)}
	}
	var errs []fieldError
	for i, r := range name {
		if !unicode.IsPrint(r) {
			errs = append(errs, invalidField(field, name,
				fmt.Sprintf("invalid character %#U (at position %d)", r, i)))
		}
	}
	return errs
}
