package object

import (
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// The real server's words for two errors.
const (
	mustHaveName   = "name or generateName is required"
	mustHaveDomain = "name is neither a standard finalizer name nor is it fully qualified"
)

// ValidateMeta adds all errors in an object's metadata.
func ValidateMeta(errs *status.FieldErrors, typ *resource.Type, m Meta) {
	validateNames(errs, m)
	if !typ.Cluster {
		if why := selector.BadLabel(m.Text("namespace")); why != "" {
			errs.Invalid("metadata.namespace", m.Text("namespace"), why)
		}
	}
	validateLabels(errs, m.Texts("labels"))
	validateAnnotations(errs, m.Texts("annotations"))
	validateOwners(errs, m.owners())
	validateFinalizers(errs, typ, m.List("finalizers"))
}

func validateNames(errs *status.FieldErrors, m Meta) {
	if prefix := m.Text("generateName"); prefix != "" {
		if why := selector.BadSubdomain(maskDash(prefix)); why != "" {
			errs.Invalid("metadata.generateName", prefix, why)
		}
	}
	name := m.Text("name")
	if name == "" {
		errs.Required("metadata.name", mustHaveName)
	} else if why := selector.BadSubdomain(name); why != "" {
		errs.Invalid("metadata.name", name, why)
	}
}

// maskDash makes a prefix that ends in a dash valid as a name: the server appends more
// characters.
func maskDash(prefix string) string {
	if len(prefix) > 1 && strings.HasSuffix(prefix, "-") {
		return prefix[:len(prefix)-2] + "a"
	}
	return prefix
}

func validateLabels(errs *status.FieldErrors, labels map[string]string) {
	for _, k := range sortedKeys(labels) {
		validateKey(errs, "metadata.labels", k, k)
		if why := selector.BadValue(labels[k]); why != "" {
			errs.Invalid("metadata.labels", labels[k], why)
		}
	}
}

// validateKey adds the errors in the key of a label or annotation, or in a finalizer. shown
// is the key as the client wrote it.
func validateKey(errs *status.FieldErrors, field, key, shown string) {
	for _, why := range selector.BadKey(key) {
		errs.Invalid(field, shown, why)
	}
}

// maxAnnotations is how many bytes an object's annotations may have together.
const maxAnnotations = 256 << 10

func validateAnnotations(errs *status.FieldErrors, annotations map[string]string) {
	const field = "metadata.annotations"
	size := 0
	for k, v := range annotations {
		size += len(k) + len(v)
	}
	if size > maxAnnotations {
		errs.TooLong(field, maxAnnotations)
	}
	for _, k := range sortedKeys(annotations) {
		validateKey(errs, field, strings.ToLower(k), k)
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
