package status

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A FieldError is one reason for a 422: a field and its error.
type FieldError struct {
	reason string // FieldValueRequired, FieldValueInvalid, …
	field  string
	body   string // the message without the field
}

// String returns the field and its error, as the message of a Status has them.
func (e FieldError) String() string { return e.field + ": " + e.body }

// FieldErrors are the errors that validators have found, so that one answer has all of
// them. Beyond MaxErrors, further ones are dropped.
type FieldErrors []FieldError

func (e *FieldErrors) add(reason, field, body, detail string) {
	if len(*e) >= MaxErrors {
		return
	}
	if detail != "" {
		body += ": " + Cut(detail, maxMessage)
	}
	*e = append(*e, FieldError{reason, field, body})
}

// Required adds the error of a field that is missing.
func (e *FieldErrors) Required(field, detail string) {
	e.add("FieldValueRequired", field, "Required value", detail)
}

// Invalid adds the error of a field that has a wrong value.
func (e *FieldErrors) Invalid(field string, value any, detail string) {
	e.add("FieldValueInvalid", field, "Invalid value: "+Show(value), detail)
}

// Forbidden adds the error of a field that must not be given.
func (e *FieldErrors) Forbidden(field, detail string) {
	e.add("FieldValueForbidden", field, "Forbidden", detail)
}

// ForbiddenIf does what Forbidden does, if the field is given where it must not be.
func (e *FieldErrors) ForbiddenIf(wrong bool, field, detail string) {
	if wrong {
		e.Forbidden(field, detail)
	}
}

// TooLong adds the error of a value of more than most bytes.
func (e *FieldErrors) TooLong(field string, most int) {
	e.add("FieldValueTooLong", field, "Too long", fmt.Sprintf("may not be more than %d bytes", most))
}

// TooMany adds the error of a list of more than most elements.
func (e *FieldErrors) TooMany(field string, n, most int) {
	e.add("FieldValueTooMany", field, fmt.Sprintf("Too many: %d", n),
		fmt.Sprintf("must have at most %d items", most))
}

// Duplicate adds the error of a value that has occurred before.
func (e *FieldErrors) Duplicate(field string, value any) {
	e.add("FieldValueDuplicate", field, "Duplicate value: "+Show(value), "")
}

// Unsupported adds the error of a value that is not one of those supported.
func (e *FieldErrors) Unsupported(field string, value any, supported ...string) {
	quoted := make([]string, len(supported))
	for i, s := range supported {
		quoted[i] = Show(s)
	}
	e.add("FieldValueNotSupported", field, "Unsupported value: "+Show(value),
		"supported values: "+strings.Join(quoted, ", "))
}

// Invalid returns the 422 for an object with errors.
func Invalid(a About, errs FieldErrors) *Status {
	d := &Details{Name: a.Name, Group: a.Group, Kind: a.Kind} // not the plural
	return invalid(Qualify(a.Kind, a.Group), d, errs)
}

// InvalidValue returns the 422 for an object with one error.
func InvalidValue(a About, field string, value any, detail string) *Status {
	var errs FieldErrors
	errs.Invalid(field, value, detail)
	return Invalid(a, errs)
}

// InvalidOptions returns the 422 for query parameters or DeleteOptions, nil if there are no
// errors. kind is ListOptions, DeleteOptions, CreateOptions, …
func InvalidOptions(kind string, errs FieldErrors) error {
	if len(errs) == 0 {
		return nil
	}
	return Invalid(About{Group: "meta.k8s.io", Kind: kind}, errs)
}

func invalid(what string, d *Details, errs FieldErrors) *Status {
	texts := make([]string, len(errs))
	for i, e := range errs {
		d.Causes = append(d.Causes, Cause{Reason: e.reason, Message: e.body, Field: e.field})
		texts[i] = e.String()
	}
	all := strings.Join(texts, ", ")
	if len(errs) > 1 {
		all = "[" + all + "]"
	}
	return Failure(422, fmt.Sprintf("%s %q is invalid: %s", what, d.Name, all), d)
}

// Show returns a value as messages quote it, cut off at MaxShown.
func Show(v any) string {
	text, isText := v.(string)
	if !isText {
		b, err := json.Marshal(v)
		if err != nil {
			b = fmt.Append(nil, v)
		}
		text = string(b)
	}
	short, dots := Cut(text, MaxShown), ""
	if len(short) < len(text) {
		dots = "..."
	}
	if isText {
		short = strconv.Quote(short)
	}
	return short + dots
}

// Cut returns the beginning of a text, with at most that many characters.
func Cut(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}
