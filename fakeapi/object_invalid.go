package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A fieldError is one reason for a 422: which field, what is wrong with it.
// Collected in slices, so that a client learns of all its mistakes at once.
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

// maxDetail is how many characters of an explanation a client gets. Nearly all are
// sentences, but some quote values in their turn.
const maxDetail = 4096

func colon(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + cutText(detail, maxDetail)
}

// maxShown is how many characters of a value messages quote. It is enough for every name
// that is none by its characters and not by its length. The real server quotes all of it,
// once for each mistake.
const maxShown = 256

// show is a value as messages quote it, or its beginning.
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

// invalidType is the 422 for an object that says it is of another type. It is
// named by what it says: that is how the real server tells which it means.
func invalidType(group, kind, name string, e fieldError) *Status {
	return invalid(qualify(kind, group), &Details{Name: name, Group: group, Kind: kind},
		[]fieldError{e})
}

// invalidPatch is the 422 for a patch whose outcome, shown in the message, is no
// object. It is about nothing in particular.
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

// maxErrors is how many mistakes a client is told of at once; validators stop there. The
// real server knows no limit: to a client that has each label wrong, it sends a hundred
// times what it got.
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
