package object

import (
	"regexp"
	"strings"
)

// The patterns of names. They are also part of the messages.
const (
	labelPattern     = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	label1035Pattern = `[a-z]([-a-z0-9]*[a-z0-9])?`
	subdomainPattern = labelPattern + `(\.` + labelPattern + `)*`
	keyPattern       = `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`
	valuePattern     = `(` + keyPattern + `)?`
)

var (
	isLabel     = regexp.MustCompile(`^` + labelPattern + `$`).MatchString
	isLabel1035 = regexp.MustCompile(`^` + label1035Pattern + `$`).MatchString
	isSubdomain = regexp.MustCompile(`^` + subdomainPattern + `$`).MatchString
	isKey       = regexp.MustCompile(`^` + keyPattern + `$`).MatchString
	isValue     = regexp.MustCompile(`^` + valuePattern + `$`).MatchString
)

const (
	edges = ", and must start and end with an alphanumeric character, as "
	regex = " does; the pattern is '"

	mustBeSubdomain = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric " +
		"characters, '-' or '.'" + edges + "'example.com'" + regex + subdomainPattern + "'"
	mustBeLabel = "a lowercase RFC 1123 label must consist of lower case alphanumeric " +
		"characters or '-'" + edges + "'my-name'" + regex + labelPattern + "'"
	mustBeLabel1035 = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
		"start with an alphabetic character, and end with an alphanumeric character, as 'my-name'" +
		regex + label1035Pattern + "'"
	mustBeLabelValue = "a valid label must be empty, or consist of alphanumeric characters, '-', " +
		"'_' or '.'" + edges + "'my_value'" + regex + valuePattern + "'"
	mustBeQualifiedName = "name part must consist of alphanumeric characters, '-', '_' or '.'" +
		edges + "'my.name'" + regex + keyPattern + "'"
	mustHaveOneSlash = "a valid label key has one slash at most, as 'example.com/my-name'"
)

// BadSubdomain returns why s is not an RFC 1123 subdomain of at most 253 bytes, "" if it is one.
func BadSubdomain(s string) string {
	switch {
	case len(s) > 253:
		return "must be no more than 253 characters"
	case !isSubdomain(s):
		return mustBeSubdomain
	}
	return ""
}

// BadLabel returns why s is not an RFC 1123 label of at most 63 bytes, "" if it is one.
func BadLabel(s string) string {
	switch {
	case len(s) > 63:
		return "must be no more than 63 characters"
	case isLabel(s):
		return ""
	case isSubdomain(s):
		return "must not contain dots"
	}
	return mustBeLabel
}

// badLabel1035 returns why s is not an RFC 1035 label of at most 63 bytes, "" if it is one.
func badLabel1035(s string) string {
	switch {
	case len(s) > 63:
		return "must be no more than 63 characters"
	case !isLabel1035(s):
		return mustBeLabel1035
	}
	return ""
}

// badSegment returns why s cannot be a segment of a path, "" if it can.
func badSegment(s string) string {
	switch {
	case s == "." || s == "..":
		return "may not be '" + s + "'"
	case strings.ContainsAny(s, "/%"):
		return "may not contain '/' or '%'"
	}
	return ""
}

// nameRules has the rules of those types whose names are not subdomains.
var nameRules = map[string]func(name string) string{
	"namespaces": BadLabel, "statefulsets.apps": BadLabel, "services": badLabel1035,
	"roles.rbac.authorization.k8s.io":               badSegment,
	"rolebindings.rbac.authorization.k8s.io":        badSegment,
	"clusterroles.rbac.authorization.k8s.io":        badSegment,
	"clusterrolebindings.rbac.authorization.k8s.io": badSegment,
}

// nameRule returns the function that says why a name is not one of the type's objects.
func nameRule(typ *Type) func(name string) string {
	if rule := nameRules[typ.QualifiedName()]; rule != nil && typ.Builtin() {
		return rule
	}
	return BadSubdomain
}

// maskDash returns a prefix as it is checked: the server appends more characters to it, so that it
// may end in a dash.
func maskDash(prefix string) string {
	if len(prefix) > 1 && strings.HasSuffix(prefix, "-") {
		return prefix[:len(prefix)-2] + "a"
	}
	return prefix
}

// badKey returns why s cannot be the key of a label, nil if it can. A key is a name of at
// most 63 bytes, with an optional DNS prefix: "app" or "example.com/app".
func badKey(s string) (why []string) {
	prefix, name, ok := strings.Cut(s, "/")
	switch {
	case !ok:
		name = prefix
	case strings.Contains(name, "/"):
		return []string{mustHaveOneSlash}
	case prefix == "":
		why = append(why, "prefix part must be non-empty")
	case BadSubdomain(prefix) != "":
		why = append(why, "prefix part "+BadSubdomain(prefix))
	}
	switch {
	case name == "":
		why = append(why, "name part must be non-empty")
	case len(name) > 63:
		why = append(why, "name part must be no more than 63 bytes")
	}
	if !isKey(name) {
		why = append(why, mustBeQualifiedName)
	}
	return why
}

// badValue returns why s cannot be the value of a label, "" if it can. A value has at most
// 63 bytes and may be empty.
func badValue(s string) string {
	switch {
	case len(s) > 63:
		return "must be no more than 63 bytes"
	case !isValue(s):
		return mustBeLabelValue
	}
	return ""
}
