package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A fieldError is one reason for a 422: a field and its error. They are collected in
// slices, so that one answer has all errors.
type fieldError struct {
	reason string // FieldValueRequired, FieldValueInvalid, …
	field  string
	body   string // the message without the field
}

func requiredField(field, detail string) fieldError {
	return fieldError{"FieldValueRequired", field, "Required value" + colon(detail)}
}

func invalidField(field string, value any, detail string) fieldError {
	return fieldError{"FieldValueInvalid", field, "Invalid value: " + show(value) + colon(detail)}
}

func forbiddenField(field, detail string) fieldError {
	return fieldError{"FieldValueForbidden", field, "Forbidden" + colon(detail)}
}

func tooLongField(field string, most int) fieldError {
	return fieldError{"FieldValueTooLong", field,
		fmt.Sprintf("Too long: may not be more than %d bytes", most)}
}

func tooMany(field string, n, most int) fieldError {
	return fieldError{"FieldValueTooMany", field,
		fmt.Sprintf("Too many: %d: must have at most %d items", n, most)}
}

func unsupportedField(field string, value any, supported ...string) fieldError {
	quoted := make([]string, len(supported))
	for i, s := range supported {
		quoted[i] = show(s)
	}
	return fieldError{"FieldValueNotSupported", field,
		"Unsupported value: " + show(value) + ": supported values: " + strings.Join(quoted, ", ")}
}

func (e fieldError) String() string { return e.field + ": " + e.body }

// maxDetail is the largest number of characters in an explanation. Most explanations
// are short sentences, but some quote values.
const maxDetail = 4096

func colon(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + cutText(detail, maxDetail)
}

// maxShown is how many characters of a value messages quote: enough for every name that
// is not too long. The real server quotes the whole value, once for each error.
const maxShown = 256

// show is a value as messages quote it, cut off at maxShown.
func show(v any) string {
	switch v := v.(type) {
	case string:
		if short := cutText(v, maxShown); len(short) < len(v) {
			return fmt.Sprintf("%q...", short)
		}
		return fmt.Sprintf("%q", v)
	case int, int64:
		return fmt.Sprint(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		b = fmt.Append(nil, v)
	}
	if short := cutText(string(b), maxShown); len(short) < len(b) {
		return short + "..."
	}
	return string(b)
}

// invalidObject is the 422 for an object of r.
func invalidObject(r *Resource, name string, errs ...fieldError) *Status {
	return invalid(r.qualifiedKind(), aboutKind(r, name), errs)
}

// invalidVersion is the 422 for an update without a resourceVersion. Unlike all
// others it names the resource and not the kind.
func invalidVersion(r *Resource, name string) *Status {
	return invalid(r.QualifiedName(), about(r, name), []fieldError{
		invalidField("metadata.resourceVersion", 0, "must be specified for an update")})
}

// invalidType is the 422 for an object of another type than the resource's. Message and
// details name the object's own type, as the real server's do.
func invalidType(group, kind, name string, e fieldError) *Status {
	return invalid(qualify(kind, group), &Details{Name: name, Group: group, Kind: kind},
		[]fieldError{e})
}

// invalidPatch is the 422 for a patch whose outcome is not an object. The message shows
// the outcome; the details name neither kind nor object.
func invalidPatch(outcome tree, why error) *Status {
	b, _ := json.Marshal(outcome) // it came from JSON
	return invalid("", &Details{}, []fieldError{invalidField("patch", string(b), why.Error())})
}

// invalidOptions is the 422 for query parameters or DeleteOptions: kind is
// ListOptions, DeleteOptions, CreateOptions, …
func invalidOptions(kind string, errs ...fieldError) *Status {
	const group = "meta.k8s.io"
	return invalid(qualify(kind, group), &Details{Group: group, Kind: kind}, errs)
}

// maxErrors is the largest number of errors in an answer; validators stop there. The
// real server has no limit: to a request in which every label is wrong, its answer can be
// a hundred times as long as the request.
const maxErrors = 100

func invalid(what string, d *Details, errs []fieldError) *Status {
	errs = errs[:min(len(errs), maxErrors)]
	texts := make([]string, len(errs))
	for i, e := range errs {
		d.Causes = append(d.Causes, Cause{Reason: e.reason, Message: e.body, Field: e.field})
		texts[i] = e.String()
	}
	all := strings.Join(texts, ", ")
	if len(errs) > 1 {
		all = "[" + all + "]"
	}
	return failure(http.StatusUnprocessableEntity, "Invalid",
		fmt.Sprintf("%s %q is invalid: %s", what, d.Name, all), d)
}
