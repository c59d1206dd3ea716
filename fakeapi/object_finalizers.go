package fakeapi

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// These finalizers tell the garbage collector what to do with an object's dependents.
// This server has no garbage collector: the finalizers stay until a client removes
// them.
const (
	finalizerOrphan     = "orphan"
	finalizerForeground = "foregroundDeletion"
)

// isStandard reports whether a finalizer needs no domain.
func isStandard(finalizer string) bool {
	return finalizer == "kubernetes" || finalizer == finalizerOrphan ||
		finalizer == finalizerForeground
}

// validateFinalizers adds the errors in a list of finalizers. A finalizer without a domain
// is an error in built-in types; in custom resources it only causes a warning.
func validateFinalizers(r *resource.Type, errs *status.FieldErrors, list []string) {
	const field = "metadata.finalizers"
	for i, f := range list {
		validateKey(errs, field, f, f)
		if r.Builtin() && !strings.Contains(f, "/") && !isStandard(f) {
			errs.Invalid(fmt.Sprintf("%s[%d]", field, i), f, mustHaveDomain)
		}
	}
	if slices.Contains(list, finalizerOrphan) && slices.Contains(list, finalizerForeground) {
		errs.Invalid(field, list, "finalizer orphan and foregroundDeletion cannot be both set")
	}
}

// finalizerWarnings has a warning for each finalizer of a custom resource that is new in
// m and has no domain: another writer might use the same name.
func finalizerWarnings(r *resource.Type, was, m meta) []string {
	var warnings []string
	for _, f := range newFinalizers(m, was) {
		if len(warnings) >= maxFlaws {
			break
		}
		if !r.Builtin() && !strings.Contains(f, "/") && !isStandard(f) {
			warnings = append(warnings, "metadata.finalizers: "+status.Show(f)+": prefer a "+
				"domain-qualified finalizer name to avoid accidental conflicts with other "+
				"finalizer writers")
		}
	}
	return warnings
}

// newFinalizers are those that m has and was has not.
func newFinalizers(m, was meta) []string {
	old := map[string]bool{} // there may be very many
	for _, f := range was.list("finalizers") {
		old[f] = true
	}
	return slices.DeleteFunc(m.list("finalizers"), func(f string) bool { return old[f] })
}

// finalizers are those that an object has after this deletion; present are those before
// it, which stay unchanged. The request's propagation policy replaces that of an earlier
// deletion; without a policy the earlier one stays.
func (d removal) finalizers(present []string) []string {
	orphan, foreground := slices.Contains(present, finalizerOrphan),
		slices.Contains(present, finalizerForeground)
	switch {
	case d.orphan != nil:
		orphan, foreground = *d.orphan, false
	case d.propagation != "":
		orphan, foreground = d.propagation == propagateOrphan,
			d.propagation == propagateForeground
	}
	next := slices.DeleteFunc(slices.Clone(present), func(f string) bool {
		return f == finalizerOrphan && !orphan || f == finalizerForeground && !foreground
	})
	if orphan && !slices.Contains(next, finalizerOrphan) {
		next = append(next, finalizerOrphan)
	}
	if foreground && !slices.Contains(next, finalizerForeground) {
		next = append(next, finalizerForeground)
	}
	return next
}
