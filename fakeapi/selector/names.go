package selector

import "strings"

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
)

// BadSubdomain returns why s is not an RFC 1123 subdomain of at most 253 bytes, "" if it
// is one.
func BadSubdomain(s string) string {
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

// BadLabel returns why s is not an RFC 1123 label of at most 63 bytes, "" if it is one.
func BadLabel(s string) string {
	switch {
	case len(s) > 63:
		return "must be no more than 63 characters"
	case isToken(s, func(c byte) bool { return isLower(c) || c == '-' }, isLower):
		return ""
	case BadSubdomain(s) == "":
		return "must not contain dots"
	}
	return mustBeLabel
}

// BadKey returns why s cannot be the key of a label, nil if it can. A key is a name of at
// most 63 bytes, with an optional DNS prefix: "app" or "example.com/app".
func BadKey(s string) (why []string) {
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
	if !isToken(name, isLabelByte, isAlnum) {
		why = append(why, mustBeQualifiedName)
	}
	return why
}

// BadValue returns why s cannot be the value of a label, "" if it can. A value has at most
// 63 bytes and may be empty.
func BadValue(s string) string {
	switch {
	case len(s) > 63:
		return "must be no more than 63 bytes"
	case s != "" && !isToken(s, isLabelByte, isAlnum):
		return mustBeLabelValue
	}
	return ""
}

// isToken says whether s is not empty, all its bytes are inner, and its first and last
// byte are outer.
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
