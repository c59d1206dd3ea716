package fakeapi

import (
	"maps"
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
	mustBeLabel = "a lowercase RFC 1123 label must consist of lower case alphanumeric " +
		"characters or '-', and must start and end with an alphanumeric character " +
		"(e.g. 'my-name',  or '123-abc', regex used for validation is " +
		"'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	mustHaveOneSlash = "a valid label key must consist of alphanumeric characters, '-', '_' or '.', " +
		"and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  " +
		"or '123-abc', regex used for validation is " +
		"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix " +
		"and '/' (e.g. 'example.com/MyName')"
	mustHaveName   = "name or generateName is required"
	mustHaveDomain = "name is neither a standard finalizer name nor is it fully qualified"
)

// validateMeta is what is wrong with an object's metadata, all of it.
func (r *Resource) validateMeta(m meta) []fieldError {
	errs := validateNames(m)
	if !r.Cluster {
		if why := badLabel(m.text("namespace")); why != "" {
			errs = append(errs, invalidField("metadata.namespace", m.text("namespace"), why))
		}
	}
	errs = append(errs, validateLabels(m.texts("labels"))...)
	errs = append(errs, validateAnnotations(m.texts("annotations"))...)
	errs = append(errs, validateOwners(m.owners())...)
	return append(errs, r.validateFinalizers(m.list("finalizers"))...)
}

func validateNames(m meta) []fieldError {
	var errs []fieldError
	if prefix := m.text("generateName"); prefix != "" {
		if why := badSubdomain(maskDash(prefix)); why != "" {
			errs = append(errs, invalidField("metadata.generateName", prefix, why))
		}
	}
	name := m.text("name")
	if name == "" {
		return append(errs, requiredField("metadata.name", mustHaveName))
	}
	if why := badSubdomain(name); why != "" {
		errs = append(errs, invalidField("metadata.name", name, why))
	}
	return errs
}

// maskDash: a prefix may end in a dash, since more follows.
func maskDash(prefix string) string {
	if len(prefix) > 1 && strings.HasSuffix(prefix, "-") {
		return prefix[:len(prefix)-2] + "a"
	}
	return prefix
}

func validateLabels(labels map[string]string) []fieldError {
	var errs []fieldError
	for _, k := range sortedKeys(labels) {
		if len(errs) >= maxErrors {
			break
		}
		errs = append(errs, validateKey("metadata.labels", k, k)...)
		if why := badLabelValue(labels[k]); why != "" {
			errs = append(errs, invalidField("metadata.labels", labels[k], why))
		}
	}
	return errs
}

// validateKey is what is wrong with a label, annotation or finalizer. shown is
// the key as the client has written it.
func validateKey(field, key, shown string) []fieldError {
	var errs []fieldError
	for _, why := range badLabelKey(key) {
		errs = append(errs, invalidField(field, shown, why))
	}
	return errs
}

// maxAnnotations is how many bytes an object's annotations may have together.
const maxAnnotations = 256 << 10

func validateAnnotations(annotations map[string]string) []fieldError {
	var errs []fieldError
	size := 0
	for _, k := range sortedKeys(annotations) {
		errs = append(errs, validateKey("metadata.annotations", strings.ToLower(k), k)...)
		size += len(k) + len(annotations[k])
	}
	if size > maxAnnotations {
		errs = append(errs, tooLongField("metadata.annotations", maxAnnotations))
	}
	return errs
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// badSubdomain says why s is not an RFC 1123 subdomain: empty if it is.
func badSubdomain(s string) string {
	if len(s) > 253 {
		return "must be no more than 253 characters"
	}
	for part := range strings.SplitSeq(s, ".") {
		if !isToken(part, func(c byte) bool { return isLower(c) || c == '-' }, isLower) {
			return mustBeSubdomain
		}
	}
	return ""
}

// badLabel says why s is not an RFC 1123 label: empty if it is.
func badLabel(s string) string {
	switch {
	case len(s) > 63:
		return "must be no more than 63 characters"
	case isToken(s, func(c byte) bool { return isLower(c) || c == '-' }, isLower):
		return ""
	case badSubdomain(s) == "":
		return "must not contain dots"
	}
	return mustBeLabel
}

// badLabelKey says why s is not a name with an optional DNS prefix: nil if it is.
func badLabelKey(s string) (why []string) {
	prefix, name, ok := strings.Cut(s, "/")
	switch {
	case !ok:
		name = prefix
	case strings.Contains(name, "/"):
		return []string{mustHaveOneSlash}
	case prefix == "":
		why = append(why, "prefix part must be non-empty")
	case badSubdomain(prefix) != "":
		why = append(why, "prefix part "+badSubdomain(prefix))
	}
	switch {
	case name == "":
		why = append(why, "name part must be non-empty")
	case len(name) > 63:
		why = append(why, "name part must be no more than 63 bytes")
	}
	if !isToken(name, isLabelByte, isAlnum) {
		why = append(why, mustBeQualifiedName)
	}
	return why
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
