package status

import (
	"fmt"
	"net/http"
	"strings"
)

// A FieldError is one reason for a 422: a field and its error. Validators collect them in
// slices, so that one answer has all errors.
type FieldError struct {
	reason string // FieldValueRequired, FieldValueInvalid, …
	field  string
	body   string // the message without the field
}

// RequiredField returns the error of a field that is missing.
func RequiredField(field, detail string) FieldError {
	return FieldError{"FieldValueRequired", field, "Required value" + colon(detail)}
}

// InvalidField returns the error of a field that has a wrong value.
func InvalidField(field string, value any, detail string) FieldError {
	return FieldError{"FieldValueInvalid", field, "Invalid value: " + Show(value) + colon(detail)}
}

// ForbiddenField returns the error of a field that must not be given.
func ForbiddenField(field, detail string) FieldError {
	return FieldError{"FieldValueForbidden", field, "Forbidden" + colon(detail)}
}

// TooLongField returns the error of a value of more than most bytes.
func TooLongField(field string, most int) FieldError {
	return FieldError{"FieldValueTooLong", field,
		fmt.Sprintf("Too long: may not be more than %d bytes", most)}
}

// TooManyField returns the error of a list of n elements, which may have most.
func TooManyField(field string, n, most int) FieldError {
	return FieldError{"FieldValueTooMany", field,
		fmt.Sprintf("Too many: %d: must have at most %d items", n, most)}
}

// UnsupportedField returns the error of a value that is not one of those supported.
func UnsupportedField(field string, value any, supported ...string) FieldError {
	quoted := make([]string, len(supported))
	for i, s := range supported {
		quoted[i] = Show(s)
	}
	return FieldError{"FieldValueNotSupported", field,
		"Unsupported value: " + Show(value) + ": supported values: " + strings.Join(quoted, ", ")}
}

// String returns the field and its error, as the message of a Status has them.
func (e FieldError) String() string { return e.field + ": " + e.body }

func colon(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + Cut(detail, maxDetail)
}

// Invalid returns the 422 for an object with errors.
func Invalid(a About, errs ...FieldError) *Status {
	return invalid(Qualify(a.Kind, a.Group), a.kindDetails(), errs)
}

// InvalidVersion returns the 422 for an update without a resourceVersion. Unlike all others it
// names the resource and not the kind.
func InvalidVersion(a About) *Status {
	return invalid(a.resource(), a.details(), []FieldError{
		InvalidField("metadata.resourceVersion", 0, "must be specified for an update")})
}

// InvalidOptions returns the 422 for query parameters or DeleteOptions. kind is ListOptions,
// DeleteOptions, CreateOptions, …
func InvalidOptions(kind string, errs ...FieldError) *Status {
	return Invalid(About{Group: "meta.k8s.io", Kind: kind}, errs...)
}

// InvalidPatch returns the 422 for a patch whose outcome is not an object. The message shows
// the outcome; the details name neither kind nor object.
func InvalidPatch(outcome []byte, why error) *Status {
	return Invalid(About{}, InvalidField("patch", string(outcome), why.Error()))
}

func invalid(what string, d *Details, errs []FieldError) *Status {
	errs = errs[:min(len(errs), MaxErrors)]
	texts := make([]string, len(errs))
	for i, e := range errs {
		d.Causes = append(d.Causes, Cause{Reason: e.reason, Message: e.body, Field: e.field})
		texts[i] = e.String()
	}
	all := strings.Join(texts, ", ")
	if len(errs) > 1 {
		all = "[" + all + "]"
	}
	return Failure(http.StatusUnprocessableEntity,
		fmt.Sprintf("%s %q is invalid: %s", what, d.Name, all), d)
}
