package fakeapi

import (
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// The real server's words for two errors.
const (
	mustHaveName   = "name or generateName is required"
	mustHaveDomain = "name is neither a standard finalizer name nor is it fully qualified"
)

// validateMeta returns all errors in an object's metadata.
func (r *Resource) validateMeta(m meta) []status.FieldError {
	errs := validateNames(m)
	if !r.Cluster {
		if why := selector.BadLabel(m.text("namespace")); why != "" {
			errs = append(errs, status.InvalidField("metadata.namespace", m.text("namespace"), why))
		}
	}
	errs = append(errs, validateLabels(m.texts("labels"))...)
	errs = append(errs, validateAnnotations(m.texts("annotations"))...)
	errs = append(errs, validateOwners(m.owners())...)
	return append(errs, r.validateFinalizers(m.list("finalizers"))...)
}

func validateNames(m meta) []status.FieldError {
	var errs []status.FieldError
	if prefix := m.text("generateName"); prefix != "" {
		if why := selector.BadSubdomain(maskDash(prefix)); why != "" {
			errs = append(errs, status.InvalidField("metadata.generateName", prefix, why))
		}
	}
	name := m.text("name")
	if name == "" {
		return append(errs, status.RequiredField("metadata.name", mustHaveName))
	}
	if why := selector.BadSubdomain(name); why != "" {
		errs = append(errs, status.InvalidField("metadata.name", name, why))
	}
	return errs
}

// maskDash makes a prefix that ends in a dash valid as a name: the server appends more
// characters.
func maskDash(prefix string) string {
	if len(prefix) > 1 && strings.HasSuffix(prefix, "-") {
		return prefix[:len(prefix)-2] + "a"
	}
	return prefix
}

func validateLabels(labels map[string]string) []status.FieldError {
	var errs []status.FieldError
	for _, k := range sortedKeys(labels) {
		if len(errs) >= status.MaxErrors {
			break
		}
		errs = append(errs, validateKey("metadata.labels", k, k)...)
		if why := selector.BadValue(labels[k]); why != "" {
			errs = append(errs, status.InvalidField("metadata.labels", labels[k], why))
		}
	}
	return errs
}

// validateKey returns the errors in the key of a label or annotation, or in a finalizer.
// shown is the key as the client wrote it.
func validateKey(field, key, shown string) []status.FieldError {
	var errs []status.FieldError
	for _, why := range selector.BadKey(key) {
		errs = append(errs, status.InvalidField(field, shown, why))
	}
	return errs
}

// maxAnnotations is how many bytes an object's annotations may have together.
const maxAnnotations = 256 << 10

func validateAnnotations(annotations map[string]string) []status.FieldError {
	var errs []status.FieldError
	size := 0
	for _, k := range sortedKeys(annotations) {
		if len(errs) < status.MaxErrors {
			errs = append(errs, validateKey("metadata.annotations", strings.ToLower(k), k)...)
		}
		size += len(k) + len(annotations[k])
	}
	if size > maxAnnotations {
		errs = append(errs, status.TooLongField("metadata.annotations", maxAnnotations))
	}
	return errs
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
