package fakeapi

import (
	"slices"
	"strings"
)

// The wording of the real server's naming rules, which clients show to people.
const (
	mustBeSubdomain = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " +
		"characters, '-' or '.', and must start and end with an alphanumeric character " +
		"(e.g. 'example.com', regex used for validation is " +
		`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	mustBeLabelValue = "a valid label must be an empty string or consist of alphanumeric " +
		"characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
		"(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
		"'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
	mustBeQualifiedName = "name part must consist of alphanumeric characters, '-', '_' or '.', " +
		"and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  " +
		"or '123-abc', regex used for validation is " +
		"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	mustHaveName = "name or generateName is required"
)

// validateMeta is what is wrong with an object's metadata, all of it.
func validateMeta(m meta) []fieldError {
	var errs []fieldError
	switch name := m.text("name"); {
	case name == "":
		errs = append(errs, requiredField("metadata.name", mustHaveName))
	default:
		if why := badSubdomain(name); why != "" {
			errs = append(errs, invalidField("metadata.name", name, why))
		}
	}
	errs = append(errs, validateLabels(m.texts("labels"))...)
	errs = append(errs, validateAnnotations(m.texts("annotations"))...)
	for _, f := range m.list("finalizers") {
		if why := badLabelKey(f); why != "" {
			errs = append(errs, invalidField("metadata.finalizers", f, why))
		}
	}
	return errs
}

func validateLabels(labels map[string]string) []fieldError {
	var errs []fieldError
	for _, k := range sortedKeys(labels) {
		if why := badLabelKey(k); why != "" {
			errs = append(errs, invalidField("metadata.labels", k, why))
		}
		if why := badLabelValue(labels[k]); why != "" {
			errs = append(errs, invalidField("metadata.labels", labels[k], why))
		}
	}
	return errs
}

// maxAnnotations is how many bytes an object's annotations may have together.
const maxAnnotations = 256 << 10

func validateAnnotations(annotations map[string]string) []fieldError {
	var errs []fieldError
	size := 0
	for _, k := range sortedKeys(annotations) {
		if why := badLabelKey(strings.ToLower(k)); why != "" {
			errs = append(errs, invalidField("metadata.annotations", k, why))
		}
		size += len(k) + len(annotations[k])
	}
	if size > maxAnnotations {
		errs = append(errs, fieldError{"FieldValueTooLong", "metadata.annotations",
			"Too long: may not be more than 262144 bytes"})
	}
	return errs
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// badSubdomain says why s is not an RFC 1123 subdomain: empty if it is.
func badSubdomain(s string) string {
	if len(s) > 253 {
		return "must be no more than 253 bytes"
	}
	for part := range strings.SplitSeq(s, ".") {
		if !isToken(part, func(c byte) bool { return isLower(c) || c == '-' }, isLower) {
			return mustBeSubdomain
		}
	}
	return ""
}

// badLabelKey says why s is not a name with an optional DNS prefix.
func badLabelKey(s string) string {
	prefix, name, ok := strings.Cut(s, "/")
	switch {
	case !ok:
		name = prefix
	case prefix == "":
		return "prefix part must be non-empty"
	case badSubdomain(prefix) != "":
		return "prefix part " + badSubdomain(prefix)
	}
	switch {
	case name == "":
		return "name part must be non-empty"
	case len(name) > 63:
		return "name part must be no more than 63 bytes"
	case !isToken(name, isLabelByte, isAlnum):
		return mustBeQualifiedName
	}
	return ""
}

// badLabelValue says why s cannot be a label's value.
func badLabelValue(s string) string {
	switch {
	case len(s) > 63:
		return "must be no more than 63 bytes"
	case s != "" && !isToken(s, isLabelByte, isAlnum):
		return mustBeLabelValue
	}
	return ""
}

// isToken: not empty, all bytes inner, the first and the last outer.
func isToken(s string, inner, outer func(byte) bool) bool {
	if s == "" || !outer(s[0]) || !outer(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !inner(s[i]) {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isLower(c) || 'A' <= c && c <= 'Z' }

func isLabelByte(c byte) bool { return isAlnum(c) || c == '-' || c == '_' || c == '.' }
